import type { Mutant } from './mutant';

const TAKE_OVER = 'lambdas/sweeper/take-over.ts';
const RECHECK_ENTRY = 'lambdas/sweeper/recheck-entry.ts';
const RECHECK_UNCLAIMED = 'lambdas/sweeper/recheck-unclaimed.ts';
const RECORD_UNREACHED = 'lambdas/sweeper/record-unreached.ts';
const RECHECK_PAGE = 'lambdas/sweeper/recheck-page.ts';
const REPAIR_HISTORY = 'lambdas/auditor/repair-history.ts';
const PROTOCOL = 'test/integration/protocol/';
const PIPELINE = 'test/integration/pipeline/';

const PUT_ENTRY = '  await deps.schedule.putEntries([entry]);\n';
const TAKEOVER =
  '  const { failures, takeovers } = takeover;\n' +
  '  const next = { attempt: wait.attempt, startAtMs: entry.checkAtMs, failures, takeovers };\n' +
  '  const outcome = await deps.executions.takeOver(execution, next, records);\n';

export const sweeperMutants: readonly Mutant[] = [
  {
    name: 'what waited at a gate is decided as late',
    file: 'lambdas/sweeper/resend.ts',
    find: "const why = isLong || hasWaited ? 'long' : 'lost';",
    replace: "const why = isLong ? 'long' : 'lost';",
    killedBy: 'test/integration/pipeline/late-decisions.test.ts',
    test: 'whatever the misfire policy',
  },
  {
    name: 'a claim in the middle of a recheck settles its entry',
    file: RECHECK_UNCLAIMED,
    find: 'if (hasOwnRow || isClaimed) return RECHECK_SOON;',
    replace: 'if (isClaimed) return RECHECK_SOON;',
    killedBy: 'test/integration/protocol/claim-during-recheck.test.ts',
  },
  {
    name: 'an entry is settled while a claim inside a skipped range may be on its way',
    file: RECHECK_UNCLAIMED,
    find: 'const isClaimed = isOutdated && (await refuseClaims(inRange, job, context.deps));',
    replace: 'const isClaimed = isOutdated && (await refuseClaims(new Map(), job, context.deps));',
    killedBy: `${PROTOCOL}frozen-claims.test.ts`,
    test: 'finds a record of its occurrence',
  },
  {
    name: 'a claim that is faster than its record settles the entry',
    file: RECHECK_UNCLAIMED,
    find: '    if (!recorded) next = RECHECK_SOON;\n',
    replace: '    if (recorded) next = RECHECK_SOON;\n',
    killedBy: `${PROTOCOL}claim-during-recheck.test.ts`,
    test: 'just before it is recorded as skipped',
  },
  {
    name: 'an entry is settled while the present series has yet to reach its occurrence',
    file: RECHECK_UNCLAIMED,
    find: "    if (outdated.is === 'planned') next ??= recheckLater(entry);\n",
    replace: '',
    killedBy: `${PROTOCOL}frozen-claims.test.ts`,
    test: 'what the changed schedule still plans',
  },
  {
    name: 'an entry is settled while a claim inside a misfired range may be on its way',
    file: RECHECK_UNCLAIMED,
    find: 'isOutdated ? undefined : afterLastClaim(entry, inRange, context.deps)',
    replace: 'undefined',
    killedBy: `${PROTOCOL}frozen-claims.test.ts`,
    test: 'inside a range that was skipped meanwhile',
  },
  {
    name: 'what a replaced revision had planned gets no record',
    file: RECHECK_ENTRY,
    find: 'const rest = await recordUnreached(entry, job, context);',
    replace: 'const rest = entry.restDecided && (await recordUnreached(entry, job, context));',
    killedBy: `${PROTOCOL}changes-in-an-outage.test.ts`,
    test: 'a new schedule in an outage',
  },
  {
    name: 'a series that a delete has ended leaves no record',
    file: RECORD_UNREACHED,
    find: 'if (!removed) return undefined;',
    replace: 'if (!removed || ofAll.length === 0) return undefined;',
    killedBy: `${PROTOCOL}changes-in-an-outage.test.ts`,
    test: 'a delete in an outage',
  },
  {
    name: 'the rest of a series is recorded while claims may be on time',
    file: RECORD_UNREACHED,
    find: 'pauseMs > 0) return',
    replace: 'pauseMs > ALL_LATE_AFTER_MS) return',
    killedBy: `${PROTOCOL}changes-in-an-outage.test.ts`,
    test: 'a message that comes after the change',
  },
  {
    name: 'the rest of a series goes beyond maxRuns',
    file: RECORD_UNREACHED,
    find: 'nthOccurrence(schedule, runsLeft, range) ?? untilMs',
    replace: 'runsLeft > 0 ? range.untilMs : untilMs',
    killedBy: `${PROTOCOL}changes-in-an-outage.test.ts`,
    test: 'what maxRuns does not allow',
  },
  {
    name: 'a user retry whose row has expired is recorded as skipped',
    file: 'lambdas/core/attempts/late-claim.ts',
    find: 'if (userRetries !== undefined) return undefined;',
    replace: 'if (userRetries !== undefined && !dueAtMs) return undefined;',
    killedBy: `${PROTOCOL}frozen-claims.test.ts`,
    test: 'whose row has expired',
  },
  {
    name: 'entry of a takeover written after its row',
    file: TAKE_OVER,
    find: PUT_ENTRY + TAKEOVER,
    replace: TAKEOVER + PUT_ENTRY,
    killedBy: `${PROTOCOL}order-of-writes.test.ts`,
    test: 'row of a takeover',
  },
  {
    name: 'entries are rechecked at once',
    file: 'lambdas/sweeper/sweep-shards.ts',
    find: 'const untilMs = clock.nowMs() - RECHECK_AFTER_MS;',
    replace: 'const untilMs = clock.nowMs() + 0 * RECHECK_AFTER_MS;',
    killedBy: `${PROTOCOL}slow-writes.test.ts`,
    test: 'behind the sweep',
  },
  {
    name: 'a lease is taken over although it is fresh',
    file: RECHECK_ENTRY,
    find: 'if (isCancelled || deps.clock.nowMs() > limitMs)',
    replace: 'if (isCancelled || deps.clock.nowMs() > limitMs - 1e9)',
    killedBy: `${PIPELINE}long-jobs.test.ts`,
    test: 'heartbeats keep one attempt running',
  },
  {
    name: 'any claim proves the next entry',
    file: RECHECK_ENTRY,
    find: '|| revision === entry.revision;',
    replace: '|| revision !== undefined;',
    killedBy: `${PROTOCOL}changed-schedules.test.ts`,
  },
  {
    name: 'a cancelled row proves the next entry',
    file: RECHECK_ENTRY,
    find: '|| revision === entry.revision;',
    replace: '|| revision === entry.revision || revision === undefined;',
    killedBy: `${PIPELINE}series-of-entries.test.ts`,
  },
  {
    name: 'the entry of a user retry is settled before its row has come',
    file: RECHECK_ENTRY,
    find: "entry.kind === 'attempt' && row !== undefined && (row.userRetries ?? 0) < (entry.userRetries ?? 0);",
    replace: "entry.kind !== 'attempt' && row !== undefined && (row.userRetries ?? 0) < 0;",
    killedBy: `${PROTOCOL}slow-writes.test.ts`,
    test: 'user retry',
  },
  {
    name: 'an entry whose job has not come is not rechecked once more',
    file: RECHECK_ENTRY,
    find: "entryValidity(entry, job) === 'unknown' && onceMoreFor(entry);",
    replace: "entryValidity(entry, job) === 'unknown' && onceMoreFor(entry) && undefined;",
    killedBy: `${PROTOCOL}slow-writes.test.ts`,
    test: 'job',
  },
  {
    name: 'the follow-ups of an end are not repeated',
    file: RECHECK_PAGE,
    find: 'const failed = await deps.followUps.afterPage(ended, deps);',
    replace: 'const failed = await deps.followUps.afterPage(ended.slice(0, 0), deps);',
    killedBy: `${PROTOCOL}order-of-writes.test.ts`,
    test: 'end, then follow-ups',
  },
  {
    name: 'the sweep passes an entry that got no answer',
    file: RECHECK_PAGE,
    find: '    return index;\n',
    replace: '    void index; continue;\n',
    killedBy: `${PIPELINE}interleavings.test.ts`,
    test: 'keys that a batch read leaves unprocessed',
  },
  {
    name: 'an unclaimed execution is not sent again',
    file: 'lambdas/sweeper/resend.ts',
    find: 'await send(why);',
    replace: 'void send;',
    killedBy: `${PIPELINE}lost-work.test.ts`,
    test: 'messages lost with a dead executor',
  },
  {
    name: 'messages are sent again while the queue is long',
    file: 'lambdas/sweeper/resend.ts',
    find: "(backlog === 'waiting' && !isLongest(later))",
    replace: "(backlog === 'waiting' && later.pauseMs < 0 && !isLongest(later))",
    killedBy: `${PIPELINE}backlog.test.ts`,
  },
  {
    name: 'no record where a message of an old schedule may be out',
    file: 'lambdas/core/domain/entry-validity.ts',
    find: "if (!mayHaveBeenSent(dueAtMs, changedAtMs, horizonMs)) return { is: 'unsent' };",
    replace: "if (mayHaveBeenSent(dueAtMs, changedAtMs, horizonMs) || horizonMs) return { is: 'unsent' };",
    killedBy: `${PROTOCOL}frozen-claims.test.ts`,
    test: 'a claim that thaws',
  },
  {
    name: 'an occurrence that the present series covers is recorded as skipped',
    file: 'lambdas/core/domain/entry-validity.ts',
    find: "return isPausedAt(job, dueAtMs) || !isPlannedAt(job, scheduleOf(job), dueAtMs) ? skipped : { is: 'planned' };",
    replace:
      'return isPausedAt(job, dueAtMs) || !isPlannedAt(job, scheduleOf(job), dueAtMs) ? skipped : skipped;',
    killedBy: 'test/unit/core/domain/entry-validity.test.ts',
  },
  {
    name: 'a takeover ignores that a target has reported a failure',
    file: 'lambdas/core/domain/takeover.ts',
    find: "if (reported.some(({ outcome }) => outcome === 'fatal'))",
    replace: "if (reported.some(({ outcome }) => outcome === 'fatal') && reported.length === 0)",
    killedBy: 'test/unit/core/domain/takeover.test.ts',
  },
  {
    name: 'an unfinished execution is not repaired',
    file: REPAIR_HISTORY,
    find: 'return dispatched + (await fileOrphans(orphans, nowMs, deps));',
    replace: 'return dispatched + (await fileOrphans(orphans.slice(0, 0), nowMs, deps));',
    killedBy: `${PIPELINE}audit.test.ts`,
    test: 'a running execution without an entry',
  },
  {
    name: 'an occurrence without a record is not repaired',
    file: REPAIR_HISTORY,
    find: 'const hasPlanned = firstMs !== undefined;',
    replace: 'const hasPlanned = firstMs !== undefined && !firstMs;',
    killedBy: `${PIPELINE}audit.test.ts`,
    test: 'the misfire policy decides on an occurrence',
  },
  {
    name: 'a delegated lease counts as lost after ten minutes',
    file: REPAIR_HISTORY,
    find: "if (status === 'running') return leaseLimitMs(execution) < nowMs - ORPHANED_AFTER_MS;",
    replace:
      "if (status === 'running') return leaseLimitMs({ ...execution, delegatedTo: undefined }) < " +
      'nowMs - ORPHANED_AFTER_MS;',
    killedBy: `${PROTOCOL}auditor-and-long-jobs.test.ts`,
  },
  {
    name: 'the auditor repairs a history in maintenance mode',
    file: 'lambdas/auditor/repair-job.ts',
    find: 'sinceStartMs >= HISTORY_RECOVERED_AFTER_MS && !(await deps.inMaintenance());',
    replace: 'sinceStartMs >= HISTORY_RECOVERED_AFTER_MS;',
    killedBy: `${PROTOCOL}auditor-in-maintenance.test.ts`,
  },
  {
    name: 'a resend of the first of an ordering key ensures no next entry',
    file: 'lambdas/sweeper/resend.ts',
    find: "if (why === 'long' && entry.kind",
    replace: 'if (isLong && entry.kind',
    killedBy: 'test/integration/protocol/changed-schedules.test.ts',
  },
  {
    name: 'an offer of an earlier revision proves the next entry',
    file: RECHECK_UNCLAIMED,
    find: 'message.revision !== entry.revision',
    replace: "message.revision === ''",
    killedBy: 'test/integration/protocol/changed-schedules.test.ts',
  },
  {
    name: 'an invocation of the auditor that fails leaves a sample of its metric',
    file: 'lambdas/auditor/audit-jobs.ts',
    find: `  const result = await continuePass(deps, budget);`,
    replace: `  deps.meter.count(Metric.didNotRun, 0);
  const result = await continuePass(deps, budget);`,
    killedBy: 'test/integration/pipeline/audit.test.ts',
    test: 'leaves no sample',
  },
  {
    name: 'the record of a pause goes back further than the retention',
    file: 'lambdas/core/domain/paused-range.ts',
    find: 'job.replannedAtMs ?? 0, oldestMs) + 1',
    replace: 'job.replannedAtMs ?? 0, oldestMs - oldestMs) + 1',
    killedBy: `${PIPELINE}pauses.test.ts`,
    test: 'longer than the retention',
  },
  {
    name: 'an edit makes a misfire of what has waited at a gate',
    file: 'lambdas/sweeper/resend.ts',
    find: "const hasWaited = entry.hasWaited || gateState === 'came' || backlog === 'waiting';",
    replace: "const hasWaited = gateState === 'came' || backlog === 'waiting';",
    killedBy: 'test/integration/pipeline/waiting-and-edits.test.ts',
    test: 'the payload that completes its concurrency key',
  },
  {
    name: 'an edit makes a misfire of what has waited in a long queue',
    file: 'lambdas/sweeper/resend.ts',
    find: "gateState === 'came' || backlog === 'waiting';",
    replace: "gateState !== 'none';",
    killedBy: `${PIPELINE}misfire.test.ts`,
    test: 'its job names a short one by then',
  },
];
