import crypto from 'node:crypto';

import { newKey } from '../../../../lambdas/core/api-keys/key-format';
import { verifyKey } from '../../../../lambdas/core/api-keys/verify-key';
import type { ApiKey } from '../../../../lambdas/core/domain/api-key';
import { anApiKey } from '../../../support/api-keys';
import { FakeClock } from '../../../support/fake-clock';
import { FakeRandom } from '../../../support/fake-random';
import { RecordingLog } from '../../../support/recording-log';

const NOT_VALID = { problem: 'the API key is not valid: it is unknown, revoked or mistyped' };

/** One key in a store, and a count of what is asked of the store. */
function world() {
  const clock = new FakeClock();
  const { key, row } = anApiKey({ createdAtMs: clock.nowMs() });
  const rows = new Map<string, ApiKey>([[row.keyId, row]]);
  const asked = { reads: 0, uses: [] as string[] };
  const apiKeys = {
    get: async (keyId: string) => {
      asked.reads++;
      return rows.get(keyId);
    },
    recordUse: async (keyId: string, day: string) => {
      asked.uses.push(day);
      rows.set(keyId, { ...rows.get(keyId)!, lastUsedOn: day });
    },
  };
  const log = new RecordingLog();
  const verify = (text: string) => verifyKey(text, { apiKeys, clock, log });
  return { clock, key, row, rows, asked, apiKeys, log, verify };
}

/** A key of the right form and checksum with the id of another. */
const forgedFor = (keyId: string) => newKey(new FakeRandom(99), keyId).key;

afterEach(() => jest.restoreAllMocks());

describe('verifyKey', () => {
  it('says whose key it is, with the rights that the key has in its project', async () => {
    const { key, row, verify } = world();
    expect(await verify(key)).toEqual({
      sub: 'alice',
      name: 'alice@example.com',
      kind: 'key',
      keyId: row.keyId,
      keyName: 'ci',
      projects: [{ name: 'billing', role: 'editor' }],
      scopes: ['jobs:read', 'jobs:write'],
      expiresAt: row.expiresAtMs,
    });
  });

  it('says which work queues the key is for', async () => {
    const { key, row, rows, verify } = world();
    rows.set(row.keyId, { ...row, queues: ['etl-*'] });
    expect(await verify(key)).toMatchObject({ queues: ['etl-*'] });
  });

  it('rejects an unknown id, a wrong secret and a revoked key in the same words', async () => {
    const { key, row, rows, verify } = world();
    expect(await verify(forgedFor('a'.repeat(16)))).toEqual(NOT_VALID);
    expect(await verify(forgedFor(row.keyId))).toEqual(NOT_VALID);
    rows.clear();
    expect(await verify(key)).toEqual(NOT_VALID);
  });

  it('does as much work for an unknown id as for a wrong secret and the right one', async () => {
    const { key, row, asked, verify } = world();
    const hashes = jest.spyOn(crypto, 'createHash');
    const comparisons = jest.spyOn(crypto, 'timingSafeEqual');
    const work: number[][] = [];
    for (const text of [key, forgedFor(row.keyId), forgedFor('a'.repeat(16))]) {
      const before = [asked.reads, hashes.mock.calls.length, comparisons.mock.calls.length];
      await verify(text);
      const after = [asked.reads, hashes.mock.calls.length, comparisons.mock.calls.length];
      work.push(after.map((count, index) => count - before[index]!));
    }
    expect(work).toEqual([
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
    ]);
  });

  it.each([
    ['a cut key', (key: string) => key.slice(0, -1)],
    ['another checksum', (key: string) => `${key.slice(0, -6)}000000`],
    ['the id of another key under the old checksum', (key: string) => `qj_${'b'.repeat(16)}${key.slice(19)}`],
    ['two keys', (key: string) => `${key},${key}`],
    ['a key in other case', (key: string) => key.toLowerCase()],
  ])('rejects %s without a read', async (_, change) => {
    const { key, asked, verify } = world();
    expect(await verify(change(key))).toEqual(NOT_VALID);
    expect(asked.reads).toBe(0);
  });

  it('rejects a row whose hash is no hash', async () => {
    const { key, row, rows, verify } = world();
    rows.set(row.keyId, { ...row, hash: '' });
    expect(await verify(key)).toEqual(NOT_VALID);
  });

  it('says only to the holder of a key that it has expired', async () => {
    const { key, row, clock, verify } = world();
    await clock.advance(3_600_000);
    expect(await verify(key)).toEqual({ problem: 'the API key expired at 2026-12-01T09:30:00.000Z' });
    expect(await verify(forgedFor(row.keyId))).toEqual(NOT_VALID);
  });

  it('writes the day of its use once a day, and not for a rejected key', async () => {
    const { key, row, rows, asked, clock, verify } = world();
    rows.set(row.keyId, { ...row, expiresAtMs: row.expiresAtMs + 10 * 86_400_000 });
    await verify(forgedFor(row.keyId));
    for (let count = 0; count < 3; count++) await verify(key);
    expect(asked.uses).toEqual(['2026-12-01']);
    await clock.advance(86_400_000);
    await verify(key);
    expect(asked.uses).toEqual(['2026-12-01', '2026-12-02']);
  });

  it('waits 250 ms for that write and then gives it up, and a failure of it rejects no key', async () => {
    const { key, apiKeys, clock, log, verify } = world();
    const aborted: boolean[] = [];
    const neverDone = (_keyId: string, _day: string, options?: { abortSignal: AbortSignal }) =>
      new Promise<void>(() => options?.abortSignal.addEventListener('abort', () => aborted.push(true)));
    apiKeys.recordUse = neverDone;
    const verified = verify(key);
    await clock.advance(249);
    expect(aborted).toEqual([]);
    await clock.advance(1);
    expect(await verified).toMatchObject({ kind: 'key' });
    expect(aborted).toEqual([true]);
    apiKeys.recordUse = () => Promise.reject(new Error('throttled'));
    expect(await verify(key)).toMatchObject({ kind: 'key' });
    expect(log.messages('warn')).toHaveLength(2);
  });

  it('rejects if the store does not answer, since that says nothing about the key', async () => {
    const { key, apiKeys, verify } = world();
    apiKeys.get = () => Promise.reject(new Error('no answer'));
    await expect(verify(key)).rejects.toThrow('no answer');
  });
});
