import type { Mutant } from './mutant';

const PROTOCOL = 'test/integration/protocol/';
const RECORD_UNREACHED = 'lambdas/sweeper/record-unreached.ts';

/** Faults around changes of a job: what they end, and what was claimed before them. */
export const changeMutants: readonly Mutant[] = [
  {
    name: 'a takeover does not ask what the job was when it was claimed first',
    file: 'lambdas/core/attempts/to-deliver.ts',
    find: 'const reason = eligibility.call && (',
    replace: 'const reason = eligibility.call && skippedAs && (',
    killedBy: `${PROTOCOL}takeovers-after-a-change.test.ts`,
    test: 'in spite of another one',
  },
  {
    name: 'a takeover obeys a change from before the revision that planned it',
    file: 'lambdas/core/domain/eligibility.ts',
    find: 'return job.revision === execution.revision ? undefined : whyNot(',
    replace: 'return whyNot(',
    killedBy: 'test/unit/core/attempts/refused-at-claim.test.ts',
  },
  {
    name: 'a new job runs what the deletion of the last one has recorded as skipped',
    file: 'lambdas/core/attempts/late-claim.ts',
    find: 'dueAtMs <= job.createdAtMs + CLOCK_SKEW_MS',
    replace: 'dueAtMs <= job.createdAtMs - CLOCK_SKEW_MS',
    killedBy: `${PROTOCOL}clocks-behind.test.ts`,
    test: 'created again',
  },
  {
    name: 'what a changed calendar has ended leaves no record',
    file: 'lambdas/core/job-writes/replan-job.ts',
    find: 'deps, { plannedUntilMs: fromMs });',
    replace: 'deps);',
    killedBy: `${PROTOCOL}changes-in-an-outage.test.ts`,
    test: 'before its calendar excluded the day',
  },
  {
    name: 'what a replanned job plans still is recorded as skipped',
    file: RECORD_UNREACHED,
    find: 'if (firstMs !== undefined) {',
    replace: 'if (firstMs === 0) {',
    killedBy: `${PROTOCOL}changes-in-an-outage.test.ts`,
    test: 'the end of it',
  },
  {
    name: 'a revision decides on what the next one has begun to plan',
    file: RECORD_UNREACHED,
    find: 'untilMs: Math.min(ended.untilMs, begunMs)',
    replace: 'untilMs: ended.untilMs || begunMs',
    killedBy: `${PROTOCOL}clocks-in-an-outage.test.ts`,
    test: 'after a resumption by a slow clock',
  },
  {
    name: 'a series that got to its end is recorded again',
    file: RECORD_UNREACHED,
    find: '(await hasLastEntry(entry, then, untilMs, deps))',
    replace: '(await hasLastEntry(entry, then, untilMs, deps)) === undefined',
    killedBy: `${PROTOCOL}rows-before-a-change.test.ts`,
  },
  {
    name: 'a change that loses takes the end from a kept state',
    file: 'lambdas/core/store/dynamo/changes/dynamo-change-store.ts',
    find: 'assignments(attributesOf(state))',
    replace: 'assignments({ removed: null, ...attributesOf(state) })',
    killedBy: `${PROTOCOL}changes-in-an-outage.test.ts`,
    test: 'a change that loses to a delete',
  },
  {
    name: 'a frozen process records misfires of a job that has changed',
    file: 'lambdas/core/dispatch/dispatch.ts',
    find: 'if (job?.revision !== item.job.revision) plans.delete(item);',
    replace: 'if (job?.revision === undefined) plans.delete(item);',
    killedBy: `${PROTOCOL}frozen-sweeper.test.ts`,
    test: 'patchJob',
  },
  {
    name: 'an entry is settled before the last claim of its occurrence is written',
    file: 'lambdas/sweeper/recheck-unclaimed.ts',
    find: 'claimedThroughMs(throughMs, retentionDays)',
    replace: 'claimedThroughMs(throughMs, retentionDays) - WRITTEN_WITHIN_MS',
    killedBy: `${PROTOCOL}claims-at-retention.test.ts`,
  },
  {
    name: 'a failure is answered while writes go on',
    file: 'lambdas/core/async/all-ended.ts',
    find: '  await Promise.allSettled(work);\n',
    replace: '',
    killedBy: 'test/unit/core/async/all-ended.test.ts',
  },
];
