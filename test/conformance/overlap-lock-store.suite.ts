import { NEVER_ROTATED } from '../../lambdas/core/domain/secret-versions';
import type { OverlapLock } from '../../lambdas/core/store/overlap-lock-store';
import { T0_MS } from '../support/factories';
import type { StoreSetup } from './store-setup';

/** What the small rows beside the jobs must do: overlap locks and request keys. */
export function describeOverlapLockStore(setup: () => StoreSetup): void {
  describe('OverlapLockStore', () => {
    it('gives a job to one of many', async () => {
      const { overlapLocks, freshJobKey } = setup();
      const jobKey = freshJobKey();
      expect(await overlapLocks.get(jobKey)).toEqual({});
      const answers = await Promise.all(
        ['a', 'b', 'c', 'd'].map((execId) => overlapLocks.acquire(jobKey, execId, { nowMs: T0_MS })),
      );
      expect(answers.filter(({ outcome }) => outcome === 'acquired')).toHaveLength(1);
      const { holder } = await overlapLocks.get(jobKey);
      expect(answers.every(({ lock }) => lock.holder === holder)).toBe(true);
    });

    it('is taken again by its holder, and by another only instead of the holder it saw', async () => {
      const { overlapLocks, freshJobKey } = setup();
      const jobKey = freshJobKey();
      await overlapLocks.acquire(jobKey, 'a', { nowMs: T0_MS });
      expect((await overlapLocks.acquire(jobKey, 'a', { nowMs: T0_MS + 1 })).outcome).toBe('acquired');
      expect((await overlapLocks.acquire(jobKey, 'b', { nowMs: T0_MS })).outcome).toBe('held');
      expect(
        (
          await overlapLocks.acquire(jobKey, 'b', {
            nowMs: T0_MS,
            insteadOf: { holder: 'c', sinceMs: T0_MS },
          })
        ).outcome,
      ).toBe('held');
      expect(
        (
          await overlapLocks.acquire(jobKey, 'b', {
            nowMs: T0_MS,
            insteadOf: { holder: 'a', sinceMs: T0_MS },
          })
        ).outcome,
      ).toBe('held');
      expect(
        (
          await overlapLocks.acquire(jobKey, 'b', {
            nowMs: T0_MS,
            insteadOf: { holder: 'a', sinceMs: T0_MS + 1 },
          })
        ).outcome,
      ).toBe('acquired');
      expect((await overlapLocks.get(jobKey)).holder).toBe('b');
    });

    it('is taken again by a later life of its holder, never by an earlier one', async () => {
      const { overlapLocks, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const acquire = async (userRetries?: number) =>
        (await overlapLocks.acquire(jobKey, 'a', { nowMs: T0_MS, userRetries })).outcome;
      expect(await acquire(1)).toBe('acquired');
      expect(await acquire()).toBe('held');
      expect(await acquire(3)).toBe('acquired');
      expect(await acquire(2)).toBe('held');
      expect(await acquire(3)).toBe('acquired');
      expect(await overlapLocks.get(jobKey)).toMatchObject({ holder: 'a', holderRetries: 3 });
    });

    it('is taken only from the life that was seen, though a later one acquired it in the same millisecond', async () => {
      const { overlapLocks, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const acquire = (execId: string, options: { userRetries?: number; insteadOf?: OverlapLock }) =>
        overlapLocks.acquire(jobKey, execId, { nowMs: T0_MS, ...options });
      const first = await acquire('a', {});
      const second = await acquire('a', { userRetries: 1 });
      expect(await acquire('b', { insteadOf: first.lock })).toEqual({ outcome: 'held', lock: second.lock });
      const third = await acquire('a', { userRetries: 2 });
      expect(await acquire('b', { insteadOf: second.lock })).toEqual({ outcome: 'held', lock: third.lock });
      expect((await acquire('b', { insteadOf: third.lock })).outcome).toBe('acquired');
    });

    it('is freed by its holder alone', async () => {
      const { overlapLocks, freshJobKey } = setup();
      const jobKey = freshJobKey();
      await overlapLocks.acquire(jobKey, 'a', { nowMs: T0_MS });
      expect((await overlapLocks.release(jobKey, 'b')).holder).toBe('a');
      await overlapLocks.acquire(jobKey, 'a', { nowMs: T0_MS, userRetries: 1 });
      expect((await overlapLocks.release(jobKey, 'a')).holder).toBe('a');
      expect((await overlapLocks.release(jobKey, 'a', 1)).holder).toBeUndefined();
      await overlapLocks.acquire(jobKey, 'a', { nowMs: T0_MS });
      await overlapLocks.putWaiter(jobKey, 'b');
      expect(await overlapLocks.release(jobKey, 'a')).toEqual({ waiter: 'b' });
    });

    it('has one waiting place', async () => {
      const { overlapLocks, freshJobKey } = setup();
      const jobKey = freshJobKey();
      expect(await overlapLocks.putWaiter(jobKey, 'a')).toEqual({ outcome: 'waiting' });
      expect(await overlapLocks.putWaiter(jobKey, 'a')).toEqual({ outcome: 'waiting' });
      expect(await overlapLocks.putWaiter(jobKey, 'b')).toEqual({ outcome: 'held', lock: { waiter: 'a' } });
      expect(await overlapLocks.putWaiter(jobKey, 'b', 'a')).toEqual({ outcome: 'waiting' });
      await overlapLocks.clearWaiter(jobKey, 'a');
      expect((await overlapLocks.get(jobKey)).waiter).toBe('b');
      await overlapLocks.clearWaiter(jobKey, 'b');
      expect((await overlapLocks.get(jobKey)).waiter).toBeUndefined();
    });
  });

  describe('UserStore', () => {
    it('rotates a secret once from what was seen', async () => {
      const { users, freshUser, client } = setup();
      const user = freshUser();
      expect(await users.secretVersions(user)).toEqual(NEVER_ROTATED);
      const second = { version: 2, rotatedAtMs: [1_000] };
      expect(await users.putSecretVersions(user, second, NEVER_ROTATED)).toBe('put');
      expect(await users.putSecretVersions(user, second, NEVER_ROTATED)).toBe('changed');
      const third = { version: 3, rotatedAtMs: [1_000, 2_000], keyHash: 'k' };
      client.loseNextAnswer();
      expect(await users.putSecretVersions(user, third, second)).toBe('put');
      expect(await users.secretVersions(user)).toEqual(third);
      client.loseNextAnswer();
      const other = { version: 3, rotatedAtMs: [1_000, 2_500] };
      expect(await users.putSecretVersions(user, other, second)).toBe('changed');
    });

    it('rotates the secret of each host alone, and counts the hosts', async () => {
      const { users, freshUser } = setup();
      const user = freshUser();
      const second = { version: 2, rotatedAtMs: [1_000] };
      for (const host of ['example.com', '[::1]:9000'])
        expect(await users.putSecretVersions(user, second, NEVER_ROTATED, host)).toBe('put');
      expect(await users.putSecretVersions(user, second, NEVER_ROTATED, 'example.com')).toBe('changed');
      expect(await users.secretVersions(user, '[::1]:9000')).toEqual(second);
      expect(await users.secretVersions(user, 'other.example.com')).toEqual(NEVER_ROTATED);
      expect(await users.secretVersions(user)).toEqual(NEVER_ROTATED);
      expect(await users.countRotatedHosts(user)).toBe(2);
      expect(await users.countRotatedHosts(freshUser())).toBe(0);
    });
  });

  describe('RequestKeyStore', () => {
    it('keeps the first row under a key of a user', async () => {
      const { requestKeys, freshUser } = setup();
      const first = {
        userId: freshUser(),
        keyHash: 'k',
        bodyHash: 'b',
        resultId: 'e1',
        expiresAtSec: 4_000_000_000,
      };
      expect(await requestKeys.putUnlessKnown(first)).toEqual(first);
      expect(await requestKeys.putUnlessKnown({ ...first, bodyHash: 'other', resultId: 'e2' })).toEqual(
        first,
      );
      const another = { ...first, userId: freshUser(), resultId: 'e3' };
      expect(await requestKeys.putUnlessKnown(another)).toEqual(another);
    });

    it('is read, and removed', async () => {
      const { requestKeys, freshUser } = setup();
      const key = { userId: freshUser(), keyHash: 'k', bodyHash: 'b', resultId: 'job' };
      expect(await requestKeys.get(key.userId, 'k')).toBeUndefined();
      await requestKeys.putUnlessKnown(key);
      expect(await requestKeys.get(key.userId, 'k')).toEqual(key);
      await requestKeys.remove(key.userId, 'k');
      expect(await requestKeys.get(key.userId, 'k')).toBeUndefined();
    });

    it('counts no row whose time is over, whether DynamoDB has removed it or not', async () => {
      const { requestKeys, freshUser } = setup();
      const over = {
        userId: freshUser(),
        keyHash: 'k',
        bodyHash: 'b',
        resultId: 'e1',
        expiresAtSec: 1_000_000,
      };
      await requestKeys.putUnlessKnown(over);
      expect(await requestKeys.get(over.userId, 'k')).toBeUndefined();
      const next = { ...over, resultId: 'e2', expiresAtSec: 4_000_000_000 };
      expect(await requestKeys.putUnlessKnown(next)).toEqual(next);
    });
  });
}
