import { type ClaimedWork, workOf } from '../../core/attempts/claim-ticket';
import { SECOND_MS } from '../../core/clock/clock';
import type { IdempotencyStamp } from '../../core/domain/job';
import { keyReused } from '../http/problem';
import { claimIdsOf } from './claim-ids';
import type { WorkDeps } from './work-deps';

/**
 * What an earlier claim with the same key has got and still holds: the same fences and tokens. Undefined if
 * the key is new, or its record has expired. Throws `ProblemError` 422 if the body differs.
 */
export async function repeatedClaim(
  userId: string,
  stamp: IdempotencyStamp,
  queue: string,
  deps: WorkDeps,
): Promise<ClaimedWork[] | undefined> {
  const record = await deps.work.getClaim(userId, stamp.keyHash);
  if (!record || record.expiresAtSec * SECOND_MS <= deps.clock.nowMs()) return undefined;
  if (record.bodyHash !== stamp.bodyHash) throw keyReused();
  const claimIdOf = await claimIdsOf(stamp, userId, deps);
  const held: ClaimedWork[] = [];
  for (const [index, ref] of record.work.entries()) {
    const row = await deps.executions.get(ref);
    if (row?.status !== 'running' || row.claimId !== claimIdOf(index)) continue;
    const work = await workOf(row, queue, deps);
    if (work) held.push(work);
  }
  return held;
}
