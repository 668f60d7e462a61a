import { repeatEnd } from '../../core/ending/end-execution';
import type { ExecutionRef } from '../../core/store/execution-store';
import { fileRecheck } from '../executions/file-recheck';
import type { ApiDeps } from '../request';

/**
 * Lets the next execution of an ordering key go on past one that failed and blocks it. The failed one stays
 * failed. The entry of its recheck comes first, so that a crash in between is repaired.
 *
 * @returns false where it blocks nothing
 */
export async function unblockKey(ref: ExecutionRef, deps: ApiDeps): Promise<boolean> {
  const row = await deps.executions.get(ref);
  if (!row?.blocksKey) return false;
  await fileRecheck(row, deps);
  if ((await deps.executions.unblock(row)) !== 'done') return false;
  await repeatEnd({ ...row, blocksKey: undefined }, { by: 'other' }, deps);
  return true;
}
