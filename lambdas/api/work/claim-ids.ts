import { createHmac } from 'node:crypto';

import type { IdempotencyStamp } from '../../core/domain/job';
import type { ApiDeps } from '../request';

/** With an `Idempotency-Key`, the ids of claims follow from it: a repeated claim knows its own. */
export async function claimIdsOf(
  stamp: IdempotencyStamp | undefined,
  userId: string,
  { secret, random }: Pick<ApiDeps, 'secret' | 'random'>,
): Promise<(index: number) => string> {
  if (!stamp) return () => random.id();
  const key = await secret.get();
  return (index) =>
    createHmac('sha256', key).update(`work-claim\n${userId}\n${stamp.keyHash}\n${index}`).digest('base64url');
}
