import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Reason } from '../../../lambdas/core/domain/reason';
import { runOf } from '../../../lambdas/core/domain/workflow/task-id';
import { type Call, idOf, isManual, isPlanned, isTask, type Story, versionsIn } from '../story';
import { indexed, requestsFor, rowsOf } from '../story-index';
import { broken, clockTime, type Violation } from '../violation';
import { isNotStarted } from './workers';
import { owedBy, recordOf, periodsOf } from './occurrences';

/** Without faults. Far above the promise of a second, which the benchmark proves. */
const LATE_MS = 75_000;
/** Messages are sent up to five minutes ahead. By then the last one that a fault struck has arrived. */
const RECOVERED_AFTER_MS = 360_000;
const LEAST_GRACE_MS = 60_000;
/** Messages are sent at most four minutes ahead, and may travel for fifteen. */
const CHANGED_WITHIN_MS = 1_200_000;

/** No call comes before its time by the caller's own clock. */
export function checkEarly(story: Story): Violation[] {
  return story.calls.flatMap((call) => {
    const states = story.states.get(idOf(call)) ?? [];
    const claimAt = states.findIndex(({ execution }) => execution.fence === call.fence);
    const startAtMs = states[claimAt - 1]?.execution.startAtMs ?? call.dueAtMs;
    // Another clock set the start of a retry, and by another one the run of a task was due.
    const { skewMs } = story.conditions;
    const dueMs = isTask(call.execId) ? call.dueAtMs - skewMs : call.dueAtMs;
    const notBeforeMs = Math.max(dueMs, startAtMs - skewMs);
    const earlyMs = notBeforeMs - (call.t + call.offsetMs);
    return earlyMs > 1 ? [broken('early', `${idOf(call)} fence ${call.fence} by ${earlyMs} ms`)] : [];
  });
}

/** The first call for each due time of a job. */
const callsDue = indexed((calls: Story['calls']) => {
  const firsts = new Map<string, Call>();
  for (const call of calls) {
    const due = `${call.jobKey} ${call.dueAtMs}`;
    if (!firsts.has(due)) firsts.set(due, call);
  }
  return firsts;
});

/** Without faults, what falls due begins in time. */
export function checkLate(story: Story): Violation[] {
  if (story.conditions.mode !== 'liveness') return [];
  const violations: Violation[] = [];
  for (const [jobKey, versions] of story.versions) {
    for (const period of periodsOf(versions)) {
      if (period.job.status !== 'active' || period.job.overlap !== 'allow') continue;
      for (const dueAtMs of owedBy(period, jobKey, story.endMs - LATE_MS)) {
        // A change may cancel an occurrence as long as the occurrence may be late.
        if (dueAtMs < story.healedMs + RECOVERED_AFTER_MS || dueAtMs > period.untilMs - LATE_MS) continue;
        const row = recordOf(rowsOf(story, jobKey), dueAtMs);
        if (row && wasCancelled(row, story)) continue;
        const first = callsDue(story.calls).get(`${jobKey} ${dueAtMs}`);
        const lateMs = (first?.t ?? Number.POSITIVE_INFINITY) - dueAtMs;
        if (lateMs > LATE_MS)
          violations.push(broken('late', `${jobKey} due ${clockTime(dueAtMs)}: ${lateMs} ms`));
      }
    }
  }
  return violations;
}

/** Cancelled before it was ever called, even if its user retried it afterwards. */
const wasCancelled = (row: Execution, { states }: Story): boolean =>
  (states.get(idOf(row)) ?? []).some(
    ({ execution }) => execution.status === 'cancelled' && execution.attempts.length === 0,
  );

const isPlannedEver = ({ jobKey, dueAtMs }: Execution, { versions }: Story): boolean =>
  (versions.get(jobKey) ?? []).some(({ job }) => job && isPlanned(job, jobKey, dueAtMs));

/** Whether a user has asked to skip a task of the execution's run. */
const wasAskedToSkip = ({ jobKey, execId }: Execution, story: Story): boolean =>
  requestsFor(story, 'skipTask').some(
    (one) => one.jobKey === jobKey && runOf(one.execId ?? '') === runOf(execId),
  );

/** The reason of every skipped execution is true. */
export function checkReasons(story: Story): Violation[] {
  if (story.conditions.wildClocks) return [];
  const violations: Violation[] = [];
  for (const row of story.end.executions) {
    if (row.status !== 'skipped' || isManual(row.execId) || isNotStarted(row)) continue;
    const seen = story.states.get(idOf(row)) ?? [];
    const lastDueMs = row.skipped?.toMs ?? row.dueAtMs;
    const writtenMs = seen.at(-1)?.t ?? story.endMs;
    const versions = versionsIn(story, row.jobKey, row.dueAtMs - CHANGED_WITHIN_MS, writtenMs);
    const jobs = versions.flatMap(({ job }) => job ?? []);
    const never = !isPlannedEver(row, story); // left by a create or change that lost its race
    const reasons: Partial<Record<Reason, boolean>> = {
      misfire: writtenMs - lastDueMs >= LEAST_GRACE_MS - story.conditions.skewMs,
      overlap: (story.versions.get(row.jobKey) ?? []).some(({ job }) => job && job.overlap !== 'allow'),
      paused: versionsIn(story, row.jobKey, row.dueAtMs - story.conditions.skewMs, writtenMs).some(
        ({ job }) => job?.status === 'paused',
      ),
      deleted: never || versions.some(({ job }) => job === null),
      superseded:
        never ||
        new Set(jobs.map(({ revision }) => revision)).size > 1 ||
        versions.some(({ job }) => !job) ||
        jobs.some(({ calendars }) => calendars), // executors obey a changed calendar before the replan
      'skipped-by-user': wasAskedToSkip(row, story),
    };
    if (row.reason && reasons[row.reason]) continue;
    violations.push(broken('reason', `${idOf(row)}: ${row.reason} is not why`));
  }
  return violations;
}
