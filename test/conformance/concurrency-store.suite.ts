import type { LimitedMessage } from '../../lambdas/core/contracts/messages';
import { execIdOfOccurrence, jobKeyOf } from '../../lambdas/core/contracts/tables';
import type { SlotHolder } from '../../lambdas/core/store/concurrency-store';
import { aMessage, T0_MS } from '../support/factories';
import type { StoreSetup } from './store-setup';

const EXPIRES_AT_SEC = 1_900_000_000;
const concurrencyKey = 'crm';

/** What the rows of a concurrency key must do: its definition, its slots and its tickets. */
export function describeConcurrencyStore(setup: () => StoreSetup): void {
  describe('ConcurrencyStore', () => {
    const messageAt = (userId: string, jobId: string, afterMs: number): LimitedMessage => ({
      ...aMessage({
        jobKey: jobKeyOf({ userId, jobId }),
        execId: execIdOfOccurrence(T0_MS + afterMs),
        dueAtMs: T0_MS + afterMs,
      }),
      concurrencyKey,
    });
    const holderOf = (userId: string, slot: number, takeId: string): SlotHolder => ({
      slot,
      jobKey: jobKeyOf({ userId, jobId: 'a' }),
      execId: execIdOfOccurrence(T0_MS),
      dueAtMs: T0_MS,
      takeId,
      takenAtMs: T0_MS,
    });
    const take = (holder: SlotHolder, insteadOf?: SlotHolder) => {
      const ref = { userId: decodeURIComponent(holder.jobKey.split('/')[0]!), concurrencyKey };
      return setup().concurrency.take(ref, holder, { expiresAtSec: EXPIRES_AT_SEC, insteadOf });
    };

    it('keeps definitions by project and name', async () => {
      const { concurrency, freshUser } = setup();
      const [userId, other] = [freshUser(), freshUser()];
      const by = { sub: 'alice', name: null, via: 'token' } as const;
      const rate = { limit: 10, per: '1m' };
      const key = (name: string, limit: number) => ({ userId, name, limit, rate, updatedAtMs: T0_MS, by });
      await concurrency.putKey(key('b', 1));
      await concurrency.putKey(key('a', 2));
      await concurrency.putKey(key('b', 3));
      expect(await concurrency.listKeys(userId)).toEqual([key('a', 2), key('b', 3)]);
      expect(await concurrency.listKeys(other)).toEqual([]);
      expect(await concurrency.getKey({ userId, concurrencyKey: 'b' })).toEqual(key('b', 3));
      await concurrency.removeKey({ userId, concurrencyKey: 'b' });
      expect(await concurrency.getKey({ userId, concurrencyKey: 'b' })).toBeUndefined();
    });

    it('gives a slot to one holder at a time', async () => {
      const { concurrency, freshUser } = setup();
      const userId = freshUser();
      const [one, two] = [holderOf(userId, 0, 'one'), holderOf(userId, 0, 'two')];
      expect(await take(one)).toBe('taken');
      expect(await take(one)).toBe('taken');
      expect(await take(two)).toBe('occupied');
      expect(await take(two, { ...one, takeId: 'other' })).toBe('occupied');
      expect(await take(two, one)).toBe('taken');
      await concurrency.free({ userId, concurrencyKey }, one);
      expect((await concurrency.peek({ userId, concurrencyKey }, 1)).holders).toEqual([two]);
      await concurrency.free({ userId, concurrencyKey }, two);
      await concurrency.free({ userId, concurrencyKey }, two);
      expect((await concurrency.peek({ userId, concurrencyKey }, 1)).holders).toEqual([]);
    });

    it('writes the log of starts for the process that has read the present one', async () => {
      const { concurrency, freshUser } = setup();
      const ref = { userId: freshUser(), concurrencyKey };
      const options = { expiresAtSec: EXPIRES_AT_SEC };
      const first = { logId: 'one', starts: [{ atMs: T0_MS, count: 1, startId: 'a' }] };
      const second = { logId: 'two', starts: [...first.starts, { atMs: T0_MS + 1, count: 30 }] };
      expect(await concurrency.logStart(ref, first, options)).toBe('logged');
      expect(await concurrency.logStart(ref, first, options)).toBe('logged');
      expect(await concurrency.logStart(ref, second, options)).toBe('changed');
      expect(await concurrency.logStart(ref, second, { ...options, insteadOf: second })).toBe('changed');
      expect((await concurrency.peek(ref, 1)).startLog).toEqual(first);
      expect(await concurrency.logStart(ref, second, { ...options, insteadOf: first })).toBe('logged');
      expect(await concurrency.peek(ref, 1)).toEqual({
        holders: [],
        tickets: [],
        more: false,
        startLog: second,
      });
    });

    it('shows all slots and the first tickets by due time', async () => {
      const { concurrency, freshUser } = setup();
      const userId = freshUser();
      const ref = { userId, concurrencyKey };
      for (const slot of [99, 7, 0]) expect(await take(holderOf(userId, slot, `${slot}`))).toBe('taken');
      const messages = [2_000, 0, 1_000].map((afterMs) => messageAt(userId, 'b', afterMs));
      for (const message of messages) await concurrency.enqueue(message, EXPIRES_AT_SEC);
      const { holders, tickets, more } = await concurrency.peek(ref, 2);
      expect(holders.map(({ slot }) => slot)).toEqual([0, 7, 99]);
      expect([tickets.map(({ message }) => message), more]).toEqual([[messages[1], messages[2]], true]);
      expect(await concurrency.hasTicket(messages[0]!)).toBe(true);
      for (const message of messages) await concurrency.dequeue(message);
      expect(await concurrency.hasTicket(messages[0]!)).toBe(false);
      expect(await concurrency.peek(ref, 2)).toMatchObject({ tickets: [], more: false });
    });
  });
}
