import type { StageDeps } from '../deps';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import type { EndedBy } from '../domain/ended';
import type { EndRequest } from './end-request';
import { endWithoutFollowUps, endUnstartedWithoutFollowUps } from './end-without-follow-ups';

/**
 * Makes an execution terminal: the only way to do so. Writes the end, publishes it, runs its follow-ups and
 * counts it. An end with follow-ups that no recheck would find gets an entry first. So a crash between the
 * end and its follow-ups is repaired.
 *
 * @returns the execution as it ended; undefined if another process was faster
 */
export async function endExecution(request: EndRequest, deps: StageDeps): Promise<Execution | undefined> {
  const ended = await endWithoutFollowUps(request, deps);
  if (ended) await deps.followUps.afterOne(ended, request, deps);
  return ended;
}

/**
 * Ends an occurrence that never ran: writes a row that is terminal from the start. Its follow-ups derive from
 * the gates that it waited at, if its message named any.
 *
 * @returns false if the execution already has a row
 */
export async function endUnstarted(row: Execution, by: EndedBy, deps: StageDeps): Promise<boolean> {
  if (!(await endUnstartedWithoutFollowUps(row, by, deps))) return false;
  await deps.followUps.afterOne(row, { by }, deps);
  return true;
}

/**
 * Publishes an end again and runs its follow-ups again. For an end whose writer may have crashed before it
 * did either.
 */
export async function repeatEnd(
  ended: Execution,
  at: { job?: Job; by: EndedBy },
  deps: StageDeps,
): Promise<void> {
  deps.publishEnd(ended);
  await deps.followUps.afterOne(ended, at, deps);
}
