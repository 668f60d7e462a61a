import type { StageDeps } from '../deps';
import { refusalBy } from '../domain/eligibility';
import type { Execution } from '../domain/execution';
import type { Reason } from '../domain/reason';
import type { Job } from '../domain/job';
import { begunMs, isDeleted, jobThen, type JobStateThen, statesOf } from './job-then';

type Unclaimed = Pick<Execution, 'jobKey' | 'dueAtMs' | 'trigger' | 'revision'>;

/** Why an occurrence did not run, and the state of its job that refused it, or in which that was deleted. */
export interface FirstRefusal {
  reason: Reason;
  state: JobStateThen;
}

/**
 * Why a job did not run an occurrence that fell due before the job was resumed, paused or created as it is
 * now. A job's row shows the last of these alone. An earlier change may be why: a pause, a deletion that
 * was taken back, another schedule. The first state counts that refuses the occurrence, from its due time on.
 *
 * @param occurrence its `revision` is that of its message or entry. No attempt of it has called
 * @returns undefined: the job's row tells, or the states are not kept
 */
export async function firstRefusal(
  { jobKey, ...occurrence }: Unclaimed,
  job: Job | undefined,
  deps: Pick<StageDeps, 'calendars' | 'changes'>,
): Promise<FirstRefusal | undefined> {
  const { dueAtMs } = occurrence;
  if (!job || dueAtMs >= statusSinceMs(job)) return undefined;
  const states: JobStateThen[] = [];
  for await (const state of statesOf(jobKey, job, deps)) {
    states.unshift(state);
    if (begunMs(state) < dueAtMs) break;
  }
  for (const [index, state] of states.entries()) {
    const next = states.slice(index + 1).find(({ createdAtMs }) => createdAtMs === state.createdAtMs);
    const deletedAtMs = isDeleted(state, next, job) ? state.removed!.atMs : Number.POSITIVE_INFINITY;
    const then = deletedAtMs < dueAtMs ? undefined : await jobThen(jobKey, state, deps);
    const reason = then && refusalBy(then, { ...occurrence, fence: 1, userRetries: undefined });
    if (reason) return { reason, state };
    if (deletedAtMs < Number.POSITIVE_INFINITY) return { reason: 'deleted', state };
  }
  return undefined;
}

/** Since when the job is active, or paused. */
const statusSinceMs = ({ status, pausedAtMs, activeSinceMs }: Job): number =>
  status === 'paused' ? (pausedAtMs ?? activeSinceMs) : activeSinceMs;
