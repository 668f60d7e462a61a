import { afterUserRetry } from '../../lambdas/core/domain/user-retry';
import { anAttempt, anExecution, T0_MS } from '../support/factories';
import { aClaim, anEnding, claimed, leaseOf, theNext } from './execution-requests';
import type { StoreSetup } from './store-setup';

/** Takeover of a running execution, the end of a waiting one, and user retry. */
export function describeExecutionRecovery(setup: () => StoreSetup): void {
  describe('ExecutionStore: takeover', () => {
    const lost = anAttempt({ outcome: 'lost', finishedAtMs: T0_MS + 41_000 });
    const taken = theNext({ failures: 0, takeovers: 1, startAtMs: T0_MS + 41_000 });

    it('takes a stale lease, and refuses whatever its holder writes after', async () => {
      const { executions, freshJobKey } = setup();
      const seen = await claimed(executions, { jobKey: freshJobKey() });
      expect(await executions.takeOver(seen, taken, [lost])).toBe('done');
      const row = await executions.get(seen);
      expect(row).toMatchObject({ ...taken, status: 'retrying', attempts: [lost] });
      const lease = leaseOf(seen);
      expect(await executions.heartbeat(lease, T0_MS + 42_000)).toBe('lease-lost');
      expect(await executions.finish(lease, anEnding(), [anAttempt({ outcome: 'succeeded' })])).toBe(
        'lease-lost',
      );
      expect(await executions.awaitRetry(lease, theNext(), [anAttempt()])).toBe('lease-lost');
      expect(await executions.get(seen)).toEqual(row);
    });

    it('refuses the stale holder while the next attempt runs, and fences rise', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const seen = await claimed(executions, { jobKey });
      await executions.takeOver(seen, taken, [lost]);
      const second = await claimed(executions, {
        jobKey,
        attempt: 2,
        claimId: 'claim-2',
        nowMs: T0_MS + 41_100,
      });
      expect(second.fence).toBe(2);
      expect(await executions.finish(leaseOf(seen), anEnding(), [])).toBe('lease-lost');
      expect(await executions.finish({ ...leaseOf(seen), fence: 2 }, anEnding(), [])).toBe('lease-lost');
      expect(await executions.finish({ ...leaseOf(second), fence: 1 }, anEnding(), [])).toBe('lease-lost');
      expect(await executions.get(seen)).toEqual(second);
    });

    it('gives way to one heartbeat in between', async () => {
      const { executions, freshJobKey } = setup();
      const seen = await claimed(executions, { jobKey: freshJobKey() });
      await executions.heartbeat(leaseOf(seen), T0_MS + 8_020);
      expect(await executions.takeOver(seen, taken, [lost])).toBe('lease-lost');
      expect(await executions.endStale(seen, anEnding({ status: 'failed' }), [lost])).toBe('lease-lost');
      expect(await executions.get(seen)).toMatchObject({ status: 'running', attempts: [] });
    });

    it('gives way to a wish to cancel that came in between, and ends what it saw asked', async () => {
      const { executions, freshJobKey } = setup();
      const seen = await claimed(executions, { jobKey: freshJobKey() });
      await executions.requestCancel(seen, { reason: 'cancelled-by-user', atMs: T0_MS + 500 });
      expect(await executions.takeOver(seen, taken, [lost])).toBe('lease-lost');
      const seenAgain = (await executions.get(seen))!;
      const ending = anEnding({ status: 'cancelled', reason: 'cancelled-by-user' });
      expect(await executions.endStale(seenAgain, ending, [lost])).toBe('done');
    });

    it('lets one of several sweepers win, even at the same instant', async () => {
      const { executions, freshJobKey } = setup();
      const seen = await claimed(executions, { jobKey: freshJobKey() });
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => executions.takeOver(seen, taken, [lost])),
      );
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
      expect((await executions.get(seen))!.attempts).toEqual([lost]);
    });

    it('lets the holder or the sweeper win, never both', async () => {
      const { executions, freshJobKey } = setup();
      for (let round = 0; round < 5; round++) {
        const seen = await claimed(executions, { jobKey: freshJobKey() });
        const outcomes = await Promise.all([
          executions.finish(leaseOf(seen), anEnding(), [anAttempt({ outcome: 'succeeded' })]),
          executions.takeOver(seen, taken, [lost]),
        ]);
        expect([...outcomes].sort()).toEqual(['done', 'lease-lost']);
        const { status, attempts } = (await executions.get(seen))!;
        expect(attempts).toHaveLength(1);
        expect(status).toBe(outcomes[0] === 'done' ? 'succeeded' : 'retrying');
      }
    });

    it('ends a stale execution for good', async () => {
      const { executions, freshJobKey } = setup();
      const seen = await claimed(executions, { jobKey: freshJobKey() });
      const ending = anEnding({ status: 'failed', reason: 'crashed' });
      expect(await executions.endStale(seen, ending, [lost])).toBe('done');
      expect(await executions.get(seen)).toMatchObject({ ...ending, attempts: [lost] });
      expect(await executions.endStale(seen, ending, [lost])).toBe('lease-lost');
    });

    it('has no lease to take from what does not run', async () => {
      const { executions } = setup();
      await expect(executions.takeOver(anExecution(), taken, [lost])).rejects.toThrow(/was not running/);
    });
  });

  describe('ExecutionStore: user retry', () => {
    it('leaves nothing of the end, and keeps what was before it', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey(), orderingKey: 'customer-1' });
      await executions.requestCancel(execution, { reason: 'cancelled-by-user', atMs: T0_MS + 500 });
      const ending = anEnding({
        status: 'failed',
        reason: 'fatal',
        result: { statusCode: 404, body: 'gone' },
        blocksKey: true,
      });
      await executions.finish(leaseOf(execution), ending, [anAttempt()]);
      const seen = (await executions.get(execution))!;
      expect(seen).toMatchObject(ending);
      expect(await executions.userRetry(seen, { startAtMs: T0_MS + 60_000 })).toBe('done');
      expect(await executions.get(execution)).toEqual(afterUserRetry(seen, { startAtMs: T0_MS + 60_000 }));
      expect(await executions.userRetry(seen, { startAtMs: T0_MS + 61_000 })).toBe('lease-lost');
    });

    it('is claimed by a message of its own life alone', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey() });
      const ending = anEnding({ status: 'failed', reason: 'fatal' });
      await executions.finish(leaseOf(execution), ending, [anAttempt()]);
      const nowMs = T0_MS + 60_000;
      await executions.userRetry((await executions.get(execution))!, { startAtMs: nowMs });
      const claim = { ...execution, attempt: 1, claimId: 'claim-2', nowMs };
      expect((await executions.claim({ ...claim, userRetries: undefined })).outcome).toBe('refused');
      expect((await executions.claim({ ...claim, userRetries: 2 })).outcome).toBe('refused');
      const { outcome } = await executions.claim({ ...claim, userRetries: 1 });
      expect(outcome).toBe('claimed');
      expect(await executions.get(execution)).toMatchObject({ fence: 2, userRetries: 1 });
    });

    it('keeps the revision of the first claim of all', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey(), revision: 'first' });
      expect(await executions.get(execution)).toMatchObject({ revision: 'first' });
      await executions.finish(leaseOf(execution), anEnding({ status: 'failed', reason: 'fatal' }), []);
      const nowMs = T0_MS + 60_000;
      await executions.userRetry((await executions.get(execution))!, { startAtMs: nowMs });
      const claim = { ...execution, attempt: 1, claimId: 'claim-2', nowMs, userRetries: 1 };
      expect((await executions.claim({ ...claim, revision: 'second' })).outcome).toBe('claimed');
      expect(await executions.get(execution)).toMatchObject({ fence: 2, revision: 'first' });
    });

    it('keeps the payload, unless it brings another', async () => {
      const { executions, freshJobKey } = setup();
      const row = {
        ...anExecution({ jobKey: freshJobKey(), status: 'skipped', reason: 'overlap' }),
        payload: { value: 1 },
      };
      await executions.putEnded({ ...row, finishedAtMs: T0_MS, expiresAtSec: T0_MS / 1_000 + 86_400 });
      const seen = (await executions.get(row))!;
      expect(seen.payload).toEqual({ value: 1 });
      const retry = { startAtMs: T0_MS + 60_000, payload: { value: { invoice: [43, null] } } };
      expect(await executions.userRetry(seen, retry)).toBe('done');
      expect(await executions.get(row)).toEqual(afterUserRetry(seen, retry));
    });

    it('of a skipped execution leaves no trace of the range', async () => {
      const { executions, freshJobKey } = setup();
      const skipped = { fromMs: T0_MS, toMs: T0_MS, count: 1 };
      const row = anExecution({ jobKey: freshJobKey(), status: 'skipped', reason: 'overlap', skipped });
      await executions.putEnded({ ...row, finishedAtMs: T0_MS, expiresAtSec: T0_MS / 1_000 + 86_400 });
      const seen = (await executions.get(row))!;
      expect(await executions.userRetry(seen, { startAtMs: T0_MS + 60_000 })).toBe('done');
      expect(await executions.get(row)).toEqual(afterUserRetry(seen, { startAtMs: T0_MS + 60_000 }));
    });
  });

  describe('ExecutionStore: ending what waits', () => {
    it('ends a waiting attempt as seen, once', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey() });
      await executions.awaitRetry(leaseOf(execution), theNext(), [anAttempt()]);
      const seen = (await executions.get(execution))!;
      const ending = anEnding({ status: 'cancelled', reason: 'paused' });
      expect(await executions.endWaiting({ ...seen, attempt: 3 }, ending)).toBe('lease-lost');
      expect(await executions.endWaiting({ ...seen, fence: 0 }, ending)).toBe('lease-lost');
      expect(await executions.endWaiting(seen, ending)).toBe('done');
      expect(await executions.get(execution)).toMatchObject({ ...ending, attempts: [anAttempt()] });
      expect(await executions.get(execution)).not.toHaveProperty('startAtMs');
      expect(await executions.endWaiting(seen, { ...ending, finishedAtMs: T0_MS + 999 })).toBe('lease-lost');
    });

    it('or lets it be claimed, never both', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const execution = await claimed(executions, { jobKey });
      await executions.awaitRetry(leaseOf(execution), theNext(), [anAttempt()]);
      const seen = (await executions.get(execution))!;
      const [claim, end] = await Promise.all([
        executions.claim(aClaim({ jobKey, attempt: 2, claimId: 'claim-2' })),
        executions.endWaiting(seen, anEnding({ status: 'cancelled', reason: 'paused' })),
      ]);
      expect([claim.outcome, end]).toEqual(
        claim.outcome === 'claimed' ? ['claimed', 'lease-lost'] : ['refused', 'done'],
      );
    });

    it('knows no way from waiting to success', async () => {
      const { executions } = setup();
      await expect(executions.endWaiting(anExecution(), anEnding())).rejects.toThrow(
        /no transition leads from retrying to succeeded/,
      );
    });
  });
}
