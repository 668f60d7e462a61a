import { expiresAtSecAfter } from '../../core/domain/timing';
import type { IdempotencyStamp } from '../../core/domain/job';
import { keyReused } from '../http/problem';
import type { ApiDeps } from '../request';

/**
 * A new id, or the id that an earlier request with the same key got. Throws `ProblemError` 422 for another
 * body.
 */
export async function keyedExecId(
  userId: string,
  stamp: IdempotencyStamp | undefined,
  newId: (nowMs: number, id: string) => string,
  { clock, random, requestKeys, retentionDays }: ApiDeps,
): Promise<{ execId: string; known: boolean }> {
  const nowMs = clock.nowMs();
  const execId = newId(nowMs, random.id());
  if (!stamp) return { execId, known: false };
  const expiresAtSec = expiresAtSecAfter(nowMs, retentionDays);
  const key = await requestKeys.putUnlessKnown({ userId, ...stamp, resultId: execId, expiresAtSec });
  if (key.bodyHash !== stamp.bodyHash) throw keyReused();
  return { execId: key.resultId, known: key.resultId !== execId };
}
