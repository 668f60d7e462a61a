import { MESSAGE_VERSION, type WorkMessage } from '../../lambdas/core/contracts/messages';
import type { Priority } from '../../lambdas/core/contracts/pools';
import { execIdOfOccurrence, jobKeyOf } from '../../lambdas/core/contracts/tables';
import type { WorkTicket } from '../../lambdas/core/store/work-store';
import { aMessage, T0_MS } from '../support/factories';
import type { StoreSetup } from './store-setup';

const EXPIRES_AT_SEC = 1_900_000_000;
const QUEUE = 'etl.Nightly_2-b';

/** What the rows of work queues must do: tickets, workers, repeated claims and claims that wait. */
export function describeWorkStore(setup: () => StoreSetup): void {
  describe('WorkStore', () => {
    const messageOf = (
      userId: string,
      afterMs: number,
      change: Partial<WorkMessage> & { jobId?: string } = {},
    ): WorkMessage => {
      const { jobId = 'load é', ...rest } = change;
      return {
        ...aMessage({
          jobKey: jobKeyOf({ userId, jobId }),
          execId: execIdOfOccurrence(T0_MS + afterMs),
          dueAtMs: T0_MS + afterMs,
        }),
        v: MESSAGE_VERSION,
        workQueue: QUEUE,
        startWithinMs: 60_000,
        ...rest,
      };
    };
    const offer = (message: WorkMessage, offerId: string, nowMs = T0_MS) =>
      setup().work.offer(message, { offerId, nowMs, expiresAtSec: EXPIRES_AT_SEC });
    const peek = (userId: string, options: { limit?: number; priority?: Priority } = {}) =>
      setup().work.peek({ userId, queue: QUEUE }, { limit: 10, consistent: true, ...options });
    const dueOf = (tickets: readonly WorkTicket[]) =>
      tickets.map(({ message }) => `${message.priority}@${message.dueAtMs - T0_MS}`);

    it('keeps the id and the time of the first offer, and what the last one says', async () => {
      const { freshUser, work } = setup();
      const user = freshUser();
      await offer(messageOf(user, 0), 'first', T0_MS);
      await offer(messageOf(user, 0, { startWithinMs: 5_000 }), 'second', T0_MS + 9_000);
      const [ticket, ...others] = await peek(user);
      expect(others).toEqual([]);
      expect(ticket).toEqual({
        message: messageOf(user, 0, { startWithinMs: 5_000 }),
        offerId: 'first',
        offeredAtMs: T0_MS,
      });
      expect(await work.get(messageOf(user, 0))).toEqual(ticket);
      expect(await work.get(messageOf(user, 1))).toBeUndefined();
    });

    it('lists by priority, then by due time, and those of one priority alone', async () => {
      const { freshUser } = setup();
      const user = freshUser();
      await offer(messageOf(user, 2_000, { priority: 'low' }), 'a');
      await offer(messageOf(user, 1_000, { priority: 'high' }), 'b');
      await offer(messageOf(user, 0, { priority: 'lowest' }), 'c');
      await offer(messageOf(user, 0, { priority: 'high' }), 'd');
      expect(dueOf(await peek(user))).toEqual(['high@0', 'high@1000', 'low@2000', 'lowest@0']);
      expect(dueOf(await peek(user, { limit: 2 }))).toEqual(['high@0', 'high@1000']);
      expect(dueOf(await peek(user, { priority: 'low' }))).toEqual(['low@2000']);
      expect(await peek(user, { priority: 'medium' })).toEqual([]);
    });

    it('keeps queues, users, attempts and lives apart', async () => {
      const { freshUser, work } = setup();
      const [user, other] = [freshUser(), freshUser()];
      await offer(messageOf(user, 0), 'a');
      await offer(messageOf(user, 0, { attempt: 2 }), 'b');
      await offer(messageOf(user, 0, { userRetries: 1 }), 'c');
      await offer(messageOf(user, 0, { workQueue: `${QUEUE}x` }), 'd');
      await offer(messageOf(`${user}/x`, 0), 'e');
      expect((await peek(user)).map(({ offerId }) => offerId).toSorted()).toEqual(['a', 'b', 'c']);
      expect(await peek(other)).toEqual([]);
      expect(await work.get(messageOf(user, 0, { attempt: 2 }))).toMatchObject({ offerId: 'b' });
    });

    it('removes one very offer, and no other that has come', async () => {
      const { freshUser, work } = setup();
      const user = freshUser();
      await offer(messageOf(user, 0), 'first');
      const [ticket] = await peek(user);
      await work.remove({ ...ticket!, offerId: 'another' });
      expect(await peek(user)).toHaveLength(1);
      await work.remove(ticket!);
      expect(await peek(user)).toEqual([]);
      await work.remove(ticket!);
      await offer(messageOf(user, 0), 'again', T0_MS + 1_000);
      await work.remove(ticket!);
      expect(await peek(user)).toMatchObject([{ offerId: 'again', offeredAtMs: T0_MS + 1_000 }]);
    });

    it('counts up to a limit, and knows the oldest offer among them', async () => {
      const { freshUser, work } = setup();
      const user = freshUser();
      const ref = { userId: user, queue: QUEUE };
      expect(await work.count(ref, 10)).toEqual({ waiting: 0, isAtLeast: false });
      for (const index of [0, 1, 2])
        await offer(messageOf(user, index), `o${index}`, T0_MS + 100 * (3 - index));
      expect(await work.count(ref, 10)).toEqual({
        waiting: 3,
        isAtLeast: false,
        oldestOfferedAtMs: T0_MS + 100,
      });
      expect(await work.count(ref, 2)).toMatchObject({ waiting: 2, isAtLeast: true });
    });

    it('notes a worker once in a while, and lists those since a time by name', async () => {
      const { freshUser, work } = setup();
      const ref = { userId: freshUser(), queue: QUEUE };
      const saw = (worker: string, nowMs: number) =>
        work.saw(ref, worker, { nowMs, unlessSinceMs: nowMs - 1_000, expiresAtSec: EXPIRES_AT_SEC });
      await saw('host-2/1', T0_MS);
      await saw('host-1/ü', T0_MS + 500);
      await saw('host-2/1', T0_MS + 900); // noted a moment ago
      expect(await work.workersSince(ref, T0_MS, 10)).toEqual([
        { worker: 'host-1/ü', seenAtMs: T0_MS + 500 },
        { worker: 'host-2/1', seenAtMs: T0_MS },
      ]);
      await saw('host-2/1', T0_MS + 5_000);
      expect(await work.workersSince(ref, T0_MS + 1_000, 10)).toEqual([
        { worker: 'host-2/1', seenAtMs: T0_MS + 5_000 },
      ]);
    });

    it('keeps what a claim with a key has claimed', async () => {
      const { freshUser, work } = setup();
      const userId = freshUser();
      const record = {
        userId,
        keyHash: 'key',
        bodyHash: 'body',
        work: [{ jobKey: `${userId}/load`, execId: execIdOfOccurrence(T0_MS) }],
        expiresAtSec: EXPIRES_AT_SEC,
      };
      expect(await work.getClaim(userId, 'key')).toBeUndefined();
      await work.putClaim({ ...record, work: [] });
      await work.putClaim(record);
      expect(await work.getClaim(userId, 'key')).toEqual(record);
      expect(await work.getClaim(freshUser(), 'key')).toBeUndefined();
    });

    it('has so many seats for claims that wait, each free again after its time', async () => {
      const { freshUser, work } = setup();
      const user = freshUser();
      const take = (nowMs: number) => work.takeWait(user, { nowMs, untilMs: nowMs + 20_000, seats: 2 });
      const [first, second] = [await take(T0_MS), await take(T0_MS)];
      expect(new Set([first!.seat, second!.seat]).size).toBe(2);
      expect(await take(T0_MS)).toBeUndefined();
      await work.leaveWait(user, first!);
      const third = await take(T0_MS + 1_000);
      expect(third).toBeDefined();
      await work.leaveWait(user, first!); // its seat is another claim's by now
      expect(await take(T0_MS + 1_000)).toBeUndefined();
      expect(await take(T0_MS + 60_000)).toBeDefined();
    });
  });
}
