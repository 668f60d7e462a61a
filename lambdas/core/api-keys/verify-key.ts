import { createHash, timingSafeEqual } from 'node:crypto';

import { withTimeout } from '../async/with-timeout';
import type { Clock } from '../clock/clock';
import { instantText } from '../clock/clock';
import type { ApiKey } from '../domain/api-key';
import type { Identity } from '../domain/identity';
import type { ApiKeyStore } from '../store/api-key-store';
import type { Log } from '../telemetry/telemetry';
import { keyIdOf } from './key-format';

/** For every key that is not valid, so that nothing tells an unknown id from a wrong secret. */
const NOT_VALID = 'the API key is not valid: it is unknown, revoked or mistyped';
/** How long a verification waits for the write of a key's last use. */
const USE_WRITE_MS = 250;
const DAY_LENGTH = '2026-12-01'.length;

export interface VerifyKeyDeps {
  apiKeys: Pick<ApiKeyStore, 'get' | 'recordUse'>;
  clock: Clock;
  log: Log;
}

/** SHA-256 of a key, base64url. A key has 256 random bits, so no slower hash is needed. */
export const keyHashOf = (key: string): string => digestOf(key).toString('base64url');

/**
 * Whose key it is, or why it is rejected. Reads the key's row, consistently, unless the text is no key at
 * all. Every text that names an id costs one read, one hash and one comparison, also if there is no such key.
 * Rejects if the store does not answer.
 *
 * The first use of a day is written to the row. An unawaited write would freeze with the process, and might
 * be lost. So the first verification of a day waits up to 250 ms for it. If that fails, the key is valid all
 * the same, and its next verification tries again.
 */
export async function verifyKey(text: string, deps: VerifyKeyDeps): Promise<{ problem: string } | Identity> {
  const keyId = keyIdOf(text);
  if (keyId === undefined) return { problem: NOT_VALID };
  const key = await deps.apiKeys.get(keyId);
  const given = digestOf(text);
  // Without a row, the digest is compared with itself turned over: as much work, and never equal.
  const stored = key ? Buffer.from(key.hash, 'base64url') : given.map((byte) => byte ^ 0xff);
  const isEqual = stored.length === given.length && timingSafeEqual(stored, given);
  if (!key || !isEqual) return { problem: NOT_VALID };
  const nowMs = deps.clock.nowMs();
  if (nowMs >= key.expiresAtMs) return { problem: `the API key expired at ${instantText(key.expiresAtMs)}` };
  await recordUse(key, nowMs, deps);
  return identityOf(key);
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const identityOf = ({
  keyId,
  name: keyName,
  by,
  project,
  role,
  scopes,
  queues,
  expiresAtMs,
}: ApiKey): Identity => ({
  sub: by.sub,
  name: by.name,
  kind: 'key',
  keyId,
  keyName,
  projects: [{ name: project, role }],
  scopes,
  ...(queues && { queues }),
  expiresAt: expiresAtMs,
});

async function recordUse(
  { keyId, lastUsedOn = '' }: ApiKey,
  nowMs: number,
  { apiKeys, clock, log }: VerifyKeyDeps,
): Promise<void> {
  const today = instantText(nowMs).slice(0, DAY_LENGTH);
  if (lastUsedOn >= today) return;
  try {
    await withTimeout(USE_WRITE_MS, (abortSignal) => apiKeys.recordUse(keyId, today, { abortSignal }), clock);
  } catch (error) {
    log.warn('the use of an API key was not recorded; its next use tries again', { keyId, error });
  }
}
