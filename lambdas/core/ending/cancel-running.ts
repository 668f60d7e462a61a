import type { StageDeps } from '../deps';
import type { Execution } from '../domain/execution';
import { isAlive } from '../domain/workflow/task-eligibility';
import { recheckEntryNow } from '../queue/attempt-entries';
import type { CancelRequest } from '../store/execution-store';

/**
 * Requests the end of an execution that runs. The process that holds its lease sees the request at its next
 * heartbeat. A run has none: it stops at once. Order of writes: the entry of a recheck → the request → the
 * stop. The request is durable: whatever goes on with a run obeys it, and a crash leaves the rest to the
 * recheck.
 *
 * @returns the execution after that; undefined if it has ended, or has changed meanwhile
 */
export async function cancelRunning(
  seen: Execution,
  asked: Omit<CancelRequest, 'atMs'>,
  deps: StageDeps,
): Promise<Execution | undefined> {
  await deps.schedule.putEntries([await recheckEntryNow(seen, deps)]);
  const request = { ...asked, atMs: deps.clock.nowMs() };
  if ((await deps.executions.requestCancel(seen, request)) !== 'done') return undefined;
  const run = await deps.executions.get(seen);
  if (!isAlive(run)) return run;
  try {
    await deps.workflows.goOn(run, {}, deps);
  } catch (error) {
    const { jobKey, execId } = seen;
    deps.log.error('a cancelled run is left to its recheck', error, { job: jobKey, execId });
  }
  return (await deps.executions.get(seen)) ?? run;
}
