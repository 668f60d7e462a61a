import type { DelegatedLease } from '../../lambdas/core/domain/execution';
import { anAttempt, T0_MS } from '../support/factories';
import { anEnding, claimed, leaseOf, theNext } from './execution-requests';
import type { StoreSetup } from './store-setup';

const to: DelegatedLease = { heartbeatWithinMs: 600_000, endsAtMs: T0_MS + 3_600_000 };
const NOW_MS = T0_MS + 900;

/** A lease that is delegated to a target, and late results. */
export function describeDelegation(setup: () => StoreSetup): void {
  describe('ExecutionStore: delegation', () => {
    it('leaves the lease as it is, to any caller that knows the claim, and counts as a heartbeat', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey() });
      const lease = leaseOf(execution);
      expect(await executions.delegateLease(lease, to, NOW_MS, [])).toBe('done');
      const row = await executions.get(lease);
      expect(row).toEqual({ ...execution, delegatedTo: to, heartbeatAtMs: NOW_MS });
      expect(await executions.heartbeat(lease, NOW_MS + 60_000)).toBe('done');
      expect(await executions.delegateLease({ ...lease, claimId: 'other' }, to, NOW_MS, [])).toBe(
        'lease-lost',
      );
      expect(await executions.delegateLease({ ...lease, fence: 2 }, to, NOW_MS, [])).toBe('lease-lost');
      expect(await executions.get(lease)).toMatchObject({ heartbeatAtMs: NOW_MS + 60_000 });
    });

    it('goes with the attempt: an end, a retry and a takeover leave nothing of it', async () => {
      const { executions, freshJobKey } = setup();
      const ends = [
        (lease: ReturnType<typeof leaseOf>) => executions.finish(lease, anEnding(), [anAttempt()]),
        (lease: ReturnType<typeof leaseOf>) => executions.awaitRetry(lease, theNext(), [anAttempt()]),
        async (lease: ReturnType<typeof leaseOf>) =>
          executions.takeOver((await executions.get(lease))!, theNext(), [anAttempt({ outcome: 'lost' })]),
      ];
      for (const end of ends) {
        const lease = leaseOf(await claimed(executions, { jobKey: freshJobKey() }));
        await executions.delegateLease(lease, to, NOW_MS, []);
        expect(await end(lease)).toBe('done');
        expect(await executions.get(lease)).not.toHaveProperty('delegatedTo');
      }
    });

    it('a takeover that saw the lease before its delegation is refused', async () => {
      const { executions, freshJobKey } = setup();
      const seen = await claimed(executions, { jobKey: freshJobKey() });
      await executions.delegateLease(leaseOf(seen), to, NOW_MS, []);
      const lost = anAttempt({ outcome: 'lost' });
      expect(await executions.takeOver(seen, theNext(), [lost])).toBe('lease-lost');
      expect(await executions.get(seen)).toMatchObject({ status: 'running', delegatedTo: to });
    });

    it.each([
      ['completed', 'succeeded', 'reported'],
      ['given up', 'retriable', 'reported'],
      ['taken over', 'lost', 'lease-lost'],
    ] as const)('of an attempt that was %s meanwhile', async (_, outcome, expected) => {
      const { executions, freshJobKey } = setup();
      const seen = await claimed(executions, { jobKey: freshJobKey() });
      const lease = leaseOf(seen);
      const record = anAttempt({ outcome });
      if (outcome === 'succeeded') await executions.finish(lease, anEnding(), [record]);
      else if (outcome === 'lost') await executions.takeOver(seen, theNext(), [record]);
      else await executions.awaitRetry(lease, theNext(), [record]);
      const row = await executions.get(lease);
      expect(await executions.delegateLease(lease, to, NOW_MS, [])).toBe(expected);
      expect(await executions.get(lease)).toEqual(row);
    });

    it('whose answer is lost is recognised', async () => {
      const { client, executions, freshJobKey } = setup();
      const lease = leaseOf(await claimed(executions, { jobKey: freshJobKey() }));
      client.loseNextAnswer();
      expect(await executions.delegateLease(lease, to, NOW_MS, [])).toBe('done');
    });
  });

  describe('ExecutionStore: late results', () => {
    it('are appended in any status, up to the given room', async () => {
      const { executions, freshJobKey } = setup();
      const seen = await claimed(executions, { jobKey: freshJobKey() });
      await executions.finish(leaseOf(seen), anEnding(), [anAttempt()]);
      const row = await executions.get(seen);
      const late = [1, 2, 3].map((fence) => anAttempt({ fence, outcome: 'succeeded' }));
      const outcomes = [];
      for (const result of late) outcomes.push(await executions.appendLateResult(seen, result, 2));
      expect(outcomes).toEqual(['kept', 'kept', 'no-room']);
      expect(await executions.get(seen)).toEqual({ ...row, lateResults: late.slice(0, 2) });
    });

    it('make no row', async () => {
      const { executions, freshJobKey } = setup();
      const ref = { jobKey: freshJobKey(), execId: '20261201T083000.000Z' };
      expect(await executions.appendLateResult(ref, anAttempt(), 10)).toBe('no-room');
      expect(await executions.get(ref)).toBeUndefined();
    });

    it('two ends of one attempt at one instant, by executor and target, are told apart', async () => {
      const { executions, freshJobKey } = setup();
      const lease = leaseOf(await claimed(executions, { jobKey: freshJobKey() }));
      const record = anAttempt({ outcome: 'succeeded' });
      const ending = (body: string) => anEnding({ result: { body } });
      expect(await executions.finish(lease, ending('one'), [record])).toBe('done');
      expect(await executions.finish(lease, ending('one'), [record])).toBe('done');
      expect(await executions.finish(lease, ending('two'), [record])).toBe('lease-lost');
    });
  });
}
