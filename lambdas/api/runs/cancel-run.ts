import type { Execution, Run, UserRequest } from '../../core/domain/execution';
import { isAlive } from '../../core/domain/workflow/task-eligibility';
import { goOnWithRun } from '../../core/ending/runs/run-follow-ups';
import { fileRecheckOfRepeat, fileRecheckOfStop } from '../executions/file-recheck';
import type { ApiDeps } from '../request';

/**
 * Cancels a running run. Order of writes: the entry of its recheck → the request to cancel → the stop. The
 * request is durable: whatever goes on with the run obeys it, and a crash leaves the rest to the recheck.
 *
 * @param asked.force its finally tasks end too
 * @returns the run after that; undefined if it has ended, or has changed meanwhile
 */
export async function cancelRun(
  run: Run,
  { userRequest, force }: { userRequest: UserRequest; force: boolean },
  deps: ApiDeps,
): Promise<Execution | undefined> {
  const { cancelRequested } = run;
  if (cancelRequested && (cancelRequested.force || !force)) {
    await fileRecheckOfRepeat(run, cancelRequested.atMs, deps);
    return run;
  }
  await fileRecheckOfStop(run, deps);
  const outcome = await deps.executions.requestCancel(run, {
    reason: 'cancelled-by-user',
    atMs: deps.clock.nowMs(),
    ...(force && { force }),
    userRequest,
  });
  if (outcome !== 'done') return undefined;
  const asked = await deps.executions.get(run);
  if (!isAlive(asked)) return asked;
  try {
    await goOnWithRun(asked, { fresh: new Set(), by: 'other' }, deps);
  } catch (error) {
    deps.log.error('a cancelled run is left to its recheck', error, { job: run.jobKey, execId: run.execId });
  }
  return (await deps.executions.get(run)) ?? asked;
}
