import type { Execution, ExecutionStatus } from '../../client';

/** Statuses that are kept; a job that fires every second makes as many in an hour and a half. */
const MAX_KNOWN = 5_000;

/** The executions whose status is not the one seen last, oldest first; notes what it has seen. */
export function changesSince(
  seen: Map<string, ExecutionStatus>,
  newestFirst: readonly Execution[],
): Execution[] {
  const changed = newestFirst.filter(({ execId, status }) => seen.get(execId) !== status).toReversed();
  for (const { execId, status } of changed) {
    seen.delete(execId);
    seen.set(execId, status);
  }
  for (const execId of [...seen.keys()].slice(0, Math.max(0, seen.size - MAX_KNOWN))) seen.delete(execId);
  return changed;
}
