import type { OrderedMessage } from '../../lambdas/core/contracts/messages';
import { execIdOfOccurrence, jobKeyOf } from '../../lambdas/core/contracts/tables';
import { aMessage, T0_MS } from '../support/factories';
import type { StoreSetup } from './store-setup';

const EXPIRES_AT_SEC = 1_900_000_000;

/** What the rows of an ordering key must do: places, and the one who holds the key. */
export function describeLineStore(setup: () => StoreSetup): void {
  describe('OrderingStore', () => {
    const orderingKey = 'customer/4#2 é';
    const placeAt = (userId: string, jobId: string, afterMs: number): OrderedMessage => ({
      ...aMessage({
        jobKey: jobKeyOf({ userId, jobId }),
        execId: execIdOfOccurrence(T0_MS + afterMs),
        dueAtMs: T0_MS + afterMs,
      }),
      orderingKey,
    });
    const join = (...messages: OrderedMessage[]) =>
      setup().lines.enqueue(messages.map((message) => ({ message, expiresAtSec: EXPIRES_AT_SEC })));
    const names = async (userId: string, limit = 10) => {
      const { tickets: places } = await setup().lines.peek({ userId, orderingKey }, limit);
      return places.map(({ message }) => `${message.jobKey.split('/')[1]}@${message.dueAtMs - T0_MS}`);
    };
    const hold = (takeId: string) => ({ takeId, nowMs: T0_MS, expiresAtSec: EXPIRES_AT_SEC });

    it('lists places by due time, then by job, and each of them once', async () => {
      const { freshUser, lines } = setup();
      const user = freshUser();
      expect(await lines.peek({ userId: user, orderingKey }, 10)).toEqual({
        holder: undefined,
        tickets: [],
        more: false,
      });
      await join(placeAt(user, 'b', 0), placeAt(user, 'a', 1_000), placeAt(user, 'a', 0));
      await join(placeAt(user, 'b', 0));
      await join();
      expect(await names(user)).toEqual(['a@0', 'b@0', 'a@1000']);
      expect(await names(user, 1)).toEqual(['a@0', 'b@0']);
      const { tickets: places } = await lines.peek({ userId: user, orderingKey }, 10);
      expect(places[0]!.message).toEqual(placeAt(user, 'a', 0));
    });

    it('takes more places than a batch of DynamoDB holds', async () => {
      const { freshUser } = setup();
      const user = freshUser();
      await join(...Array.from({ length: 30 }, (_, index) => placeAt(user, 'a', index * 1_000)));
      expect(await names(user, 40)).toHaveLength(30);
    });

    it('keeps keys apart, and users who have the same key', async () => {
      const { freshUser, lines } = setup();
      const [user, other] = [freshUser(), freshUser()];
      await join(placeAt(user, 'a', 0), placeAt(`${user}/x`, 'a', 0));
      expect(await names(user)).toEqual(['a@0']);
      expect(await names(other)).toEqual([]);
      expect((await lines.peek({ userId: user, orderingKey: `x/${orderingKey}` }, 10)).tickets).toEqual([]);
    });

    it('forgets a place that is left, and lets it be left twice', async () => {
      const { freshUser, lines } = setup();
      const user = freshUser();
      await join(placeAt(user, 'a', 0), placeAt(user, 'b', 0));
      expect(await lines.hasTicket(placeAt(user, 'a', 0))).toBe(true);
      await lines.dequeue(placeAt(user, 'a', 0));
      await lines.dequeue(placeAt(user, 'a', 0));
      expect(await lines.hasTicket(placeAt(user, 'a', 0))).toBe(false);
      expect(await names(user)).toEqual(['b@0']);
    });

    it('gives a key to one of many', async () => {
      const { freshUser, lines } = setup();
      const user = freshUser();
      const jobIds = ['a', 'b', 'c', 'd'];
      const answers = await Promise.all(
        jobIds.map((jobId) => lines.acquire(placeAt(user, jobId, 0), hold(jobId))),
      );
      expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
      const { holder } = await lines.peek({ userId: user, orderingKey }, 10);
      const winner = jobIds[answers.indexOf('taken')]!;
      expect(holder).toEqual({
        jobKey: jobKeyOf({ userId: user, jobId: winner }),
        execId: execIdOfOccurrence(T0_MS),
        dueAtMs: T0_MS,
        takeId: winner,
        takenAtMs: T0_MS,
      });
    });

    it('is taken again by its holder, and by another only instead of a holder that has not taken it anew', async () => {
      const { client, freshUser, lines } = setup();
      const user = freshUser();
      const seen = async () => (await lines.peek({ userId: user, orderingKey }, 10)).holder!;
      client.loseNextAnswer();
      expect(await lines.acquire(placeAt(user, 'a', 0), hold('first'))).toBe('taken');
      const before = await seen();
      expect(await lines.acquire(placeAt(user, 'b', 0), hold('b'))).toBe('held');
      expect(await lines.acquire(placeAt(user, 'a', 0), hold('again'))).toBe('taken');
      expect(await lines.acquire(placeAt(user, 'b', 0), { ...hold('b'), insteadOf: before })).toBe('held');
      expect(await lines.acquire(placeAt(user, 'b', 0), { ...hold('b'), insteadOf: await seen() })).toBe(
        'taken',
      );
      expect((await seen()).takeId).toBe('b');
    });

    it('lets one caller nudge a place within a while, and nobody one that is gone', async () => {
      const { freshUser, lines } = setup();
      const user = freshUser();
      const place = placeAt(user, 'a', 0);
      const at = (nowMs: number) => ({ nowMs, everyMs: 60_000 });
      expect(await lines.claimResend(place, at(T0_MS))).toBeUndefined();
      expect(await names(user)).toEqual([]);
      await join(place);
      const answers = await Promise.all([
        lines.claimResend(place, at(T0_MS)),
        lines.claimResend(place, at(T0_MS)),
      ]);
      expect(answers.filter((answer) => answer !== undefined)).toEqual([place]);
      expect(await lines.claimResend(place, at(T0_MS + 60_000))).toBeUndefined();
      expect(await lines.claimResend(place, at(T0_MS + 60_001))).toEqual(place);
      expect(await names(user)).toEqual(['a@0']);
    });
  });

  describe('an ordering key on an execution', () => {
    const ending = { status: 'failed', finishedAtMs: T0_MS + 900, expiresAtSec: EXPIRES_AT_SEC } as const;

    it('stays with it from its claim, and blocks from a failure until it is unblocked or userRetried', async () => {
      const { executions, freshJobKey } = setup();
      const request = {
        jobKey: freshJobKey(),
        execId: execIdOfOccurrence(T0_MS),
        trigger: 'schedule' as const,
        dueAtMs: T0_MS,
        attempt: 1,
        claimId: 'claim-1',
        nowMs: T0_MS,
        orderingKey: 'k',
      };
      const claimed = await executions.claim(request);
      if (claimed.outcome !== 'claimed') throw new Error('the claim was refused');
      expect(claimed.execution.orderingKey).toBe('k');
      expect(await executions.unblock(request)).toBe('lease-lost');
      const lease = { ...claimed.execution, claimId: 'claim-1' };
      await executions.finish(lease, { ...ending, blocksKey: true }, []);
      const failed = (await executions.get(request))!;
      expect(failed).toMatchObject({ status: 'failed', blocksKey: true, orderingKey: 'k' });
      expect(await executions.unblock(request)).toBe('done');
      expect(await executions.unblock(request)).toBe('lease-lost');
      expect((await executions.get(request))!.blocksKey).toBeUndefined();
      await executions.userRetry(failed, { startAtMs: T0_MS + 1_000 });
      const again = await executions.claim({ ...request, claimId: 'claim-2', orderingKey: undefined });
      expect(again).toMatchObject({ outcome: 'claimed', execution: { orderingKey: 'k' } });
    });

    it('is freed by the revival of what blocks it', async () => {
      const { executions, freshJobKey } = setup();
      const row = { jobKey: freshJobKey(), execId: execIdOfOccurrence(T0_MS), attempt: 1 };
      const claimed = await executions.claim({
        ...row,
        trigger: 'schedule',
        dueAtMs: T0_MS,
        claimId: 'claim-1',
        nowMs: T0_MS,
        orderingKey: 'k',
      });
      if (claimed.outcome !== 'claimed') throw new Error('the claim was refused');
      const lease = { ...claimed.execution, claimId: 'claim-1' };
      await executions.finish(lease, { ...ending, blocksKey: true }, []);
      await executions.userRetry((await executions.get(row))!, { startAtMs: T0_MS + 1_000 });
      const userRetried = (await executions.get(row))!;
      expect(userRetried).toMatchObject({ status: 'retrying', orderingKey: 'k' });
      expect(userRetried.blocksKey).toBeUndefined();
    });
  });
}
