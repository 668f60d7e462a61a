import type { OrderedMessage } from '../../lambdas/core/contracts/messages';
import { execIdOfOccurrence, jobKeyOf } from '../../lambdas/core/contracts/tables';
import { aMessage, T0_MS } from '../support/factories';
import type { StoreSetup } from './store-setup';

const EXPIRES_AT_SEC = 1_900_000_000;

/** What the rows of an ordering key must do: its tickets and its holder. */
export function describeOrderingStore(setup: () => StoreSetup): void {
  describe('OrderingStore', () => {
    const orderingKey = 'customer/4#2 é';
    const ticketAt = (userId: string, jobId: string, afterMs: number): OrderedMessage => ({
      ...aMessage({
        jobKey: jobKeyOf({ userId, jobId }),
        execId: execIdOfOccurrence(T0_MS + afterMs),
        dueAtMs: T0_MS + afterMs,
      }),
      orderingKey,
    });
    const enqueue = (...messages: OrderedMessage[]) =>
      setup().ordering.enqueue(messages.map((message) => ({ message, expiresAtSec: EXPIRES_AT_SEC })));
    const queued = async (userId: string, limit = 10) => {
      const { tickets } = await setup().ordering.peek({ userId, orderingKey }, limit);
      return tickets.map(({ message }) => `${message.jobKey.split('/')[1]}@${message.dueAtMs - T0_MS}`);
    };
    const acquisition = (acquisitionId: string) => ({
      acquisitionId,
      nowMs: T0_MS,
      expiresAtSec: EXPIRES_AT_SEC,
    });

    it('lists tickets by due time, then by job, and each of them once', async () => {
      const { freshUser, ordering } = setup();
      const user = freshUser();
      expect(await ordering.peek({ userId: user, orderingKey }, 10)).toEqual({
        holder: undefined,
        tickets: [],
        more: false,
      });
      await enqueue(ticketAt(user, 'b', 0), ticketAt(user, 'a', 1_000), ticketAt(user, 'a', 0));
      await enqueue(ticketAt(user, 'b', 0));
      await enqueue();
      expect(await queued(user)).toEqual(['a@0', 'b@0', 'a@1000']);
      expect(await queued(user, 1)).toEqual(['a@0', 'b@0']);
      const { tickets } = await ordering.peek({ userId: user, orderingKey }, 10);
      expect(tickets[0]!.message).toEqual(ticketAt(user, 'a', 0));
    });

    it('takes more tickets than one batch of DynamoDB', async () => {
      const { freshUser } = setup();
      const user = freshUser();
      await enqueue(...Array.from({ length: 30 }, (_, index) => ticketAt(user, 'a', index * 1_000)));
      expect(await queued(user, 40)).toHaveLength(30);
    });

    it('keeps keys apart, and users who have the same key', async () => {
      const { freshUser, ordering } = setup();
      const [user, other] = [freshUser(), freshUser()];
      await enqueue(ticketAt(user, 'a', 0), ticketAt(`${user}/x`, 'a', 0));
      expect(await queued(user)).toEqual(['a@0']);
      expect(await queued(other)).toEqual([]);
      expect((await ordering.peek({ userId: user, orderingKey: `x/${orderingKey}` }, 10)).tickets).toEqual(
        [],
      );
    });

    it('removes a ticket, and lets it be removed twice', async () => {
      const { freshUser, ordering } = setup();
      const user = freshUser();
      await enqueue(ticketAt(user, 'a', 0), ticketAt(user, 'b', 0));
      expect(await ordering.hasTicket(ticketAt(user, 'a', 0))).toBe(true);
      await ordering.dequeue(ticketAt(user, 'a', 0));
      await ordering.dequeue(ticketAt(user, 'a', 0));
      expect(await ordering.hasTicket(ticketAt(user, 'a', 0))).toBe(false);
      expect(await queued(user)).toEqual(['b@0']);
    });

    it('gives a key to one of many executions', async () => {
      const { freshUser, ordering } = setup();
      const user = freshUser();
      const jobIds = ['a', 'b', 'c', 'd'];
      const answers = await Promise.all(
        jobIds.map((jobId) => ordering.acquire(ticketAt(user, jobId, 0), acquisition(jobId))),
      );
      expect(answers.filter((answer) => answer === 'acquired')).toHaveLength(1);
      const { holder } = await ordering.peek({ userId: user, orderingKey }, 10);
      const winner = jobIds[answers.indexOf('acquired')]!;
      expect(holder).toEqual({
        jobKey: jobKeyOf({ userId: user, jobId: winner }),
        execId: execIdOfOccurrence(T0_MS),
        dueAtMs: T0_MS,
        acquisitionId: winner,
        acquiredAtMs: T0_MS,
      });
    });

    it('is acquired again by its holder, and by another only while the holder is as it was seen', async () => {
      const { client, freshUser, ordering } = setup();
      const user = freshUser();
      const seen = async () => (await ordering.peek({ userId: user, orderingKey }, 10)).holder!;
      client.loseNextAnswer();
      expect(await ordering.acquire(ticketAt(user, 'a', 0), acquisition('first'))).toBe('acquired');
      const before = await seen();
      expect(await ordering.acquire(ticketAt(user, 'b', 0), acquisition('b'))).toBe('held');
      expect(await ordering.acquire(ticketAt(user, 'a', 0), acquisition('again'))).toBe('acquired');
      expect(await ordering.acquire(ticketAt(user, 'b', 0), { ...acquisition('b'), insteadOf: before })).toBe(
        'held',
      );
      expect(
        await ordering.acquire(ticketAt(user, 'b', 0), { ...acquisition('b'), insteadOf: await seen() }),
      ).toBe('acquired');
      expect((await seen()).acquisitionId).toBe('b');
    });

    it('gives one caller in a while a message to send again, and none where the ticket is gone', async () => {
      const { freshUser, ordering } = setup();
      const user = freshUser();
      const ticket = ticketAt(user, 'a', 0);
      const at = (nowMs: number) => ({ nowMs, everyMs: 60_000 });
      expect(await ordering.claimResend(ticket, at(T0_MS))).toBeUndefined();
      expect(await queued(user)).toEqual([]);
      await enqueue(ticket);
      const answers = await Promise.all([
        ordering.claimResend(ticket, at(T0_MS)),
        ordering.claimResend(ticket, at(T0_MS)),
      ]);
      expect(answers.filter((answer) => answer !== undefined)).toEqual([ticket]);
      expect(await ordering.claimResend(ticket, at(T0_MS + 60_000))).toBeUndefined();
      expect(await ordering.claimResend(ticket, at(T0_MS + 60_001))).toEqual(ticket);
      expect(await queued(user)).toEqual(['a@0']);
    });
  });

  describe('an ordering key on an execution', () => {
    const ending = { status: 'failed', finishedAtMs: T0_MS + 900, expiresAtSec: EXPIRES_AT_SEC } as const;

    it('stays with it from its claim, and blocks from a failure until it is unblocked or retried by its user', async () => {
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
      const nowMs = T0_MS + 1_000;
      await executions.userRetry(failed, { startAtMs: nowMs, orderingKey: 'k' });
      const again = { ...request, claimId: 'claim-2', nowMs, userRetries: 1, orderingKey: undefined };
      expect(await executions.claim(again)).toMatchObject({
        outcome: 'claimed',
        execution: { orderingKey: 'k' },
      });
    });

    it('is freed by a user retry of the execution that blocks it', async () => {
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
      const retried = (await executions.get(row))!;
      expect(retried).toMatchObject({ status: 'retrying', userRetries: 1 });
      expect(retried.blocksKey).toBeUndefined();
      expect(retried.orderingKey).toBeUndefined();
    });
  });
}
