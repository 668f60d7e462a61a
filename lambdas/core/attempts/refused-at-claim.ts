import type { StageDeps } from '../deps';
import { hasCalled, refusalBy } from '../domain/eligibility';
import { type Execution, isAskedFor, type Reason } from '../domain/execution';
import type { Job } from '../domain/job';
import type { JobState } from '../domain/job-state';
import { CLOCK_SKEW_MS } from '../domain/timing';
import { jobThen, statesOf } from '../history/job-then';

/**
 * Why a takeover must not call, although the job as it is now allows it: the job refused it when it was
 * claimed first. So that claim called nothing. A later change hides that, because a row shows only its last
 * change of each kind. The kept states show all of them.
 *
 * The last state counts that had begun by the first claim, by any clock. One that is not known any more does
 * not refuse. A job with that id that was deleted before the claim does not count.
 */
export async function refusedAtClaim(
  execution: Execution,
  job: Job,
  deps: Pick<StageDeps, 'calendars' | 'changes'>,
): Promise<Reason | undefined> {
  const { jobKey, fence, trigger, revision, startedAtMs } = execution;
  if (fence <= 1 || isAskedFor(trigger) || hasCalled(execution) || job.revision === revision)
    return undefined;
  const claimedByMs = (startedAtMs ?? Number.POSITIVE_INFINITY) + CLOCK_SKEW_MS;
  /** When the jobs were created that were deleted before the claim. */
  const gone = new Set<number>();
  for await (const state of statesOf(jobKey, job, deps)) {
    if (state.removed && state.createdAtMs !== job.createdAtMs && state.removed.atMs <= claimedByMs)
      gone.add(state.createdAtMs);
    if (gone.has(state.createdAtMs) || begunMs(state) > claimedByMs) continue;
    // A calendar has changed since, and the job is not replanned yet. How it was planned then is not known.
    if ((state.replannedAtMs ?? 0) > claimedByMs) return undefined;
    const then = await jobThen(jobKey, state, deps);
    return then && refusalBy(then, execution);
  }
  return gone.size > 0 ? 'deleted' : undefined;
}

/** Executors obey a changed calendar at once, before the job is replanned. */
const begunMs = ({ lastChange, replannedAtMs, atMs }: JobState): number =>
  lastChange?.what === 'replanned' ? (replannedAtMs ?? atMs) : atMs;
