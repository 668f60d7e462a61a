import type { StageDeps } from '../deps';
import { recheckEntryNow } from '../queue/attempt-entries';
import type { ExecutionRef } from '../store/execution-store';
import { repeatEnd } from './end-execution';

/**
 * Lets the next execution of an ordering key go on past one that failed and blocks it. The failed one stays
 * failed. The entry of its recheck comes first, so that a crash in between is repaired.
 *
 * @returns false where it blocks nothing
 */
export async function unblockKey(ref: ExecutionRef, deps: StageDeps): Promise<boolean> {
  const row = await deps.executions.get(ref);
  if (!row?.blocksKey) return false;
  await deps.schedule.putEntries([await recheckEntryNow(row, deps)]);
  if ((await deps.executions.unblock(row)) !== 'done') return false;
  await repeatEnd({ ...row, blocksKey: undefined }, { by: 'other' }, deps);
  return true;
}
