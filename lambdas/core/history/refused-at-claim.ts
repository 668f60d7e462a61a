import type { StageDeps } from '../deps';
import { hasCalled, refusalBy } from '../domain/eligibility';
import { type Execution, isAskedFor } from '../domain/execution';
import type { Reason } from '../domain/reason';
import type { Job } from '../domain/job';
import type { JobState } from '../domain/job-state';
import { CLOCK_SKEW_MS } from '../domain/timing';
import { begunMs, isDeleted, jobThen, statesOf } from './job-then';

/**
 * Why a takeover must not call, although the job as it is now allows it. When it was claimed first, the job
 * refused it, or was deleted: so that claim called nothing. A later change hides that, because a row
 * shows only its last change of each kind. The kept states show all of them.
 *
 * The last state counts that had begun by the first claim, by any clock. One that is not known any more does
 * not refuse. A job that was deleted before the claim does not count: it may have come back since, and so may
 * another one with its id.
 */
export async function refusedAtClaim(
  execution: Execution,
  job: Job,
  deps: Pick<StageDeps, 'calendars' | 'changes'>,
): Promise<Reason | undefined> {
  const { jobKey, fence, revision, startedAtMs } = execution;
  if (fence <= 1 || hasCalled(execution) || job.revision === revision) return undefined;
  const claimedByMs = (startedAtMs ?? Number.POSITIVE_INFINITY) + CLOCK_SKEW_MS;
  /** When the jobs were created that were deleted before the claim. */
  const gone = new Set<number>();
  /** By the same: the next state of each job. */
  const next = new Map<number, JobState>();
  for await (const state of statesOf(jobKey, job, deps)) {
    const { createdAtMs } = state;
    if (isDeleted(state, next.get(createdAtMs), job) && state.removed!.atMs <= claimedByMs)
      gone.add(createdAtMs);
    next.set(createdAtMs, state);
    if (gone.has(createdAtMs) || begunMs(state) > claimedByMs) continue;
    if (!obeysSchedule(execution)) return undefined;
    // A calendar has changed since, and the job is not replanned yet. How it was planned then is not known.
    if ((state.replannedAtMs ?? 0) > claimedByMs) return undefined;
    const then = await jobThen(jobKey, state, deps);
    return then && refusalBy(then, execution);
  }
  return gone.size > 0 ? 'deleted' : undefined;
}

/** All others need the job to exist, and nothing else of it. */
const obeysSchedule = (execution: Execution): boolean =>
  !isAskedFor(execution) && execution.trigger !== 'task' && execution.delayedOf === undefined;
