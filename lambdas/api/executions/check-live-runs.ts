import { SECOND_MS } from '../../core/clock/clock';
import type { Job } from '../../core/domain/job';
import { quotaExceeded } from '../http/problem';
import type { ApiDeps } from '../request';

const RETRY_AFTER_MS = 30 * SECOND_MS;

/**
 * Throws `ProblemError` 429 if these jobs would start more runs of workflows than the project may have under
 * way. Reads nothing if none of them has a workflow. Nothing is reserved: a run counts once it has started.
 */
export const checkLiveRuns = (
  project: string,
  jobs: readonly Pick<Job, 'workflow'>[],
  deps: Pick<ApiDeps, 'liveRuns' | 'deployment'>,
): Promise<void> =>
  checkRoomForRuns(project, jobs.filter(({ workflow }) => workflow !== undefined).length, deps);

/** Throws `ProblemError` 429 if so many runs more are too many. A backfill is one, whatever its job. */
export async function checkRoomForRuns(
  project: string,
  runs: number,
  { liveRuns, deployment: { quotas } }: Pick<ApiDeps, 'liveRuns' | 'deployment'>,
): Promise<void> {
  if (runs === 0) return;
  const room = await liveRuns.room(project);
  if (room >= runs) return;
  throw quotaExceeded(
    `the quota liveRuns is ${quotas.liveRuns}: there is room for ${room} more runs of workflows, this would start ` +
      `${runs}; wait until some have ended, cancel some, or ask this deployment's operator for a higher quota`,
    RETRY_AFTER_MS,
  );
}
