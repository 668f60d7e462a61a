import { newKey } from '../../lambdas/core/api-keys/key-format';
import { keyHashOf } from '../../lambdas/core/api-keys/verify-key';
import type { ApiKey } from '../../lambdas/core/domain/api-key';
import { FakeRandom } from './fake-random';

/** A key and its row, with what a test says about it. */
export function anApiKey(
  row: Partial<ApiKey> & Pick<ApiKey, 'createdAtMs'>,
  seed = 1,
): { key: string; row: ApiKey } {
  const { keyId, key } = newKey(new FakeRandom(seed), row.keyId);
  return {
    key,
    row: {
      keyId,
      project: 'billing',
      name: 'ci',
      role: 'editor',
      scopes: ['jobs:read', 'jobs:write'],
      hash: keyHashOf(key),
      by: { sub: 'alice', name: 'alice@example.com', via: 'token' },
      expiresAtMs: row.createdAtMs + 3_600_000,
      ...row,
    },
  };
}
