import { T0_MS } from '../support/factories';
import type { StoreSetup } from './store-setup';

/** What the small rows beside the jobs must do: holds and run keys. */
export function describeHoldStore(setup: () => StoreSetup): void {
  describe('HoldStore', () => {
    it('gives a job to one of many', async () => {
      const { holds, freshJobKey } = setup();
      const jobKey = freshJobKey();
      expect(await holds.get(jobKey)).toEqual({});
      const answers = await Promise.all(
        ['a', 'b', 'c', 'd'].map((execId) => holds.take(jobKey, execId, { nowMs: T0_MS })),
      );
      expect(answers.filter(({ outcome }) => outcome === 'taken')).toHaveLength(1);
      const { holder } = await holds.get(jobKey);
      expect(answers.every(({ hold }) => hold.holder === holder)).toBe(true);
    });

    it('is taken again by its holder, and by another only instead of the holder it saw', async () => {
      const { holds, freshJobKey } = setup();
      const jobKey = freshJobKey();
      await holds.take(jobKey, 'a', { nowMs: T0_MS });
      expect((await holds.take(jobKey, 'a', { nowMs: T0_MS + 1 })).outcome).toBe('taken');
      expect((await holds.take(jobKey, 'b', { nowMs: T0_MS })).outcome).toBe('held');
      expect(
        (await holds.take(jobKey, 'b', { nowMs: T0_MS, insteadOf: { holder: 'c', sinceMs: T0_MS } })).outcome,
      ).toBe('held');
      expect(
        (await holds.take(jobKey, 'b', { nowMs: T0_MS, insteadOf: { holder: 'a', sinceMs: T0_MS } })).outcome,
      ).toBe('held');
      expect(
        (await holds.take(jobKey, 'b', { nowMs: T0_MS, insteadOf: { holder: 'a', sinceMs: T0_MS + 1 } }))
          .outcome,
      ).toBe('taken');
      expect((await holds.get(jobKey)).holder).toBe('b');
    });

    it('is freed by its holder alone', async () => {
      const { holds, freshJobKey } = setup();
      const jobKey = freshJobKey();
      await holds.take(jobKey, 'a', { nowMs: T0_MS });
      expect((await holds.free(jobKey, 'b')).holder).toBe('a');
      await holds.wait(jobKey, 'b');
      expect(await holds.free(jobKey, 'a')).toEqual({ waiter: 'b' });
    });

    it('has one waiting place', async () => {
      const { holds, freshJobKey } = setup();
      const jobKey = freshJobKey();
      expect(await holds.wait(jobKey, 'a')).toEqual({ outcome: 'waiting' });
      expect(await holds.wait(jobKey, 'a')).toEqual({ outcome: 'waiting' });
      expect(await holds.wait(jobKey, 'b')).toEqual({ outcome: 'held', hold: { waiter: 'a' } });
      expect(await holds.wait(jobKey, 'b', 'a')).toEqual({ outcome: 'waiting' });
      await holds.stopWaiting(jobKey, 'a');
      expect((await holds.get(jobKey)).waiter).toBe('b');
      await holds.stopWaiting(jobKey, 'b');
      expect((await holds.get(jobKey)).waiter).toBeUndefined();
    });
  });

  describe('RunKeyStore', () => {
    it('keeps the first row under a key of a user', async () => {
      const { runKeys, freshUser } = setup();
      const first = {
        userId: freshUser(),
        keyHash: 'k',
        bodyHash: 'b',
        execId: 'e1',
        expiresAtSec: 1_800_000_000,
      };
      expect(await runKeys.putUnlessKnown(first)).toEqual(first);
      expect(await runKeys.putUnlessKnown({ ...first, bodyHash: 'other', execId: 'e2' })).toEqual(first);
      const another = { ...first, userId: freshUser(), execId: 'e3' };
      expect(await runKeys.putUnlessKnown(another)).toEqual(another);
    });
  });
}
