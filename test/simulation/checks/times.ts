import type { Execution, Reason } from '../../../lambdas/core/domain/execution';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { type ExecutionState, idOf, isManual, isPlanned, type Story, versionsIn } from '../story';
import { broken, clockTime, type Invariant, type Violation } from '../violation';
import { owedBy, recordOf, reignsOf, rowsOf } from './occurrences';

/** With everything in order again; far above the promise of a second, which is the bench's to prove. */
const LATE_MS = 75_000;
/** Messages are sent up to five minutes ahead, and the last that a fault struck has come by then. */
const RECOVERED_AFTER_MS = 360_000;
const LEAST_GRACE_MS = 60_000;
/** Messages are sent four minutes ahead at most, and may be fifteen on their way. */
const CHANGED_WITHIN_MS = 1_200_000;

/** Never before its time by the caller's own clock. */
export function checkEarly(story: Story): Violation[] {
  return story.calls.flatMap((call) => {
    const states = story.states.get(idOf(call)) ?? [];
    const claimAt = states.findIndex(({ execution }) => execution.fence === call.fence);
    const startAtMs = states[claimAt - 1]?.execution.startAtMs ?? call.dueAtMs;
    // The instant of a retry was read off another clock.
    const notBeforeMs = Math.max(call.dueAtMs, startAtMs - story.conditions.skewMs);
    const earlyMs = notBeforeMs - (call.t + call.offsetMs);
    return earlyMs > 1 ? [broken('early', `${idOf(call)} fence ${call.fence} by ${earlyMs} ms`)] : [];
  });
}

/** Once the faults are over, what falls due begins in time. */
export function checkLate(story: Story): Violation[] {
  if (story.conditions.mode !== 'liveness') return [];
  const violations: Violation[] = [];
  for (const [jobKey, versions] of story.versions) {
    for (const reign of reignsOf(versions)) {
      if (reign.job.status !== 'active' || reign.job.overlap !== 'allow') continue;
      for (const dueAtMs of owedBy(reign, jobKey, story.endMs - LATE_MS)) {
        // A change may take an occurrence back for as long as it may be late.
        if (dueAtMs < story.healedMs + RECOVERED_AFTER_MS || dueAtMs > reign.untilMs - LATE_MS) continue;
        const row = recordOf(rowsOf(story, jobKey), dueAtMs);
        if (row && wasCancelled(row, story)) continue;
        const first = story.calls.find((call) => call.jobKey === jobKey && call.dueAtMs === dueAtMs);
        const lateMs = (first?.t ?? Number.POSITIVE_INFINITY) - dueAtMs;
        if (lateMs > LATE_MS)
          violations.push(broken('late', `${jobKey} due ${clockTime(dueAtMs)}: ${lateMs} ms`));
      }
    }
  }
  return violations;
}

/** Cancelled before it was ever called, whatever its user made of it afterwards. */
const wasCancelled = (row: Execution, { states }: Story): boolean =>
  (states.get(idOf(row)) ?? []).some(
    ({ execution }) => execution.status === 'cancelled' && execution.attempts.length === 0,
  );

/** Where a policy is not `allow`, executions of one job go on, from first call to end, one after another. */
export function checkOverlap(story: Story): Violation[] {
  if (story.conditions.wildClocks) return [];
  const violations: Violation[] = [];
  for (const [jobKey, versions] of story.versions) {
    if (!versions.some(({ job }) => job && job.overlap !== 'allow')) continue;
    const ofJob = [...story.states].filter(([id]) => id.startsWith(`${jobKey}#`));
    violations.push(...checkApart('overlap', ofJob, story));
  }
  return violations;
}

/** No execution of these is called before those that were called earlier have ended. */
export function* checkApart(
  invariant: Invariant,
  executions: readonly [string, readonly ExecutionState[]][],
  story: Story,
): Generator<Violation> {
  const stays = executions
    .flatMap(([id, states]) => staysOf(id, states, story))
    .sort((a, b) => a.fromMs - b.fromMs);
  for (const [index, stay] of stays.entries()) {
    const before = stays.slice(0, index).find(({ untilMs }) => untilMs > stay.fromMs);
    if (!before) continue;
    const when = `${clockTime(stay.fromMs)}, ${before.id} ended ${clockTime(before.untilMs)}`;
    yield broken(invariant, `${stay.id} began ${when}`);
  }
}

/** From the first call to the end, once for each life: a user's retry begins another. */
function staysOf(
  id: string,
  states: readonly ExecutionState[],
  story: Story,
): { id: string; fromMs: number; untilMs: number }[] {
  const calls = story.calls.filter((call) => idOf(call) === id);
  const stays = [];
  let sinceMs = 0;
  const ends = states.filter(({ execution }) => isTerminal(execution.status)).map(({ t }) => t);
  for (const untilMs of [...ends, Number.POSITIVE_INFINITY]) {
    const first = calls.find((call) => call.t >= sinceMs && call.t <= untilMs);
    if (first) stays.push({ id, fromMs: first.t, untilMs });
    sinceMs = untilMs;
  }
  return stays;
}

const isPlannedEver = ({ jobKey, dueAtMs }: Execution, { versions }: Story): boolean =>
  (versions.get(jobKey) ?? []).some(({ job }) => job && isPlanned(job, jobKey, dueAtMs));

/** "Why did it not run?" is answered truly. */
export function checkReasons(story: Story): Violation[] {
  if (story.conditions.wildClocks) return [];
  const violations: Violation[] = [];
  for (const row of story.end.executions) {
    if (row.status !== 'skipped' || isManual(row.execId)) continue;
    const seen = story.states.get(idOf(row)) ?? [];
    const lastDueMs = row.skipped?.toMs ?? row.dueAtMs;
    const writtenMs = seen.at(-1)?.t ?? story.endMs;
    const versions = versionsIn(story, row.jobKey, row.dueAtMs - CHANGED_WITHIN_MS, writtenMs);
    const jobs = versions.flatMap(({ job }) => job ?? []);
    const never = !isPlannedEver(row, story); // an entry that a create or change left which lost its race
    const reasons: Partial<Record<Reason, boolean>> = {
      misfire: writtenMs - lastDueMs >= LEAST_GRACE_MS - story.conditions.skewMs,
      overlap: (story.versions.get(row.jobKey) ?? []).some(({ job }) => job && job.overlap !== 'allow'),
      paused: jobs.some((job) => job.status === 'paused' || job.activeSinceMs > job.createdAtMs),
      deleted: never || versions.some(({ job }) => job === null),
      superseded:
        never || new Set(jobs.map(({ revision }) => revision)).size > 1 || versions.some(({ job }) => !job),
    };
    if (row.reason && reasons[row.reason]) continue;
    violations.push(broken('reason', `${idOf(row)}: ${row.reason} is not why`));
  }
  return violations;
}
