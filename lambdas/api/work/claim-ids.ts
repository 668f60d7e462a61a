import { createHmac } from 'node:crypto';

import type { IdempotencyStamp } from '../../core/domain/job';
import type { ApiDeps } from '../request';

/**
 * With an `Idempotency-Key`, the ids of claims follow from it and from the body: a repeated claim knows its
 * own. Another body may come with the same key before the key has a record. It must not get that work too.
 */
export async function claimIdsOf(
  stamp: IdempotencyStamp | undefined,
  userId: string,
  { secret, random }: Pick<ApiDeps, 'secret' | 'random'>,
): Promise<(index: number) => string> {
  if (!stamp) return () => random.id();
  const key = await secret.get();
  const claim = ['work-claim', userId, stamp.keyHash, stamp.bodyHash].join('\n');
  return (index) => createHmac('sha256', key).update(`${claim}\n${index}`).digest('base64url');
}
