import type { Execution, Run, UserRequest } from '../../core/domain/execution';
import { cancelRunning } from '../../core/ending/cancel-running';
import { fileRecheckOfRepeat } from '../executions/file-recheck';
import type { ApiDeps } from '../request';

/**
 * Cancels a running run. A repeat may only add `force`.
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
  const request = {
    reason: 'cancelled-by-user' as const,
    ...(force && { force }),
    userRequest,
  };
  return cancelRunning(run, request, deps);
}
