import type { Execution } from '../../lambdas/core/domain/execution';
import type { ToErrand } from '../../lambdas/core/store/execution-store';
import { anAttempt, T0_MS } from '../support/factories';
import { MACHINE } from '../support/fake-errands';
import { aClaim, anEnding, claimed, leaseOf, theNext } from './execution-requests';
import type { StoreSetup } from './store-setup';

const NOW_MS = T0_MS + 60_000;
const endsAs = { status: 'cancelled', reason: 'cancelled-by-user' } as const;
const errand = {
  type: 'stepfunctions',
  name: 'qj-1',
  resource: MACHINE,
  firstStartAtMs: T0_MS,
  unresolved: true,
  endsAs,
} as const;
const delegatedTo: ToErrand['delegatedTo'] = { heartbeatWithinMs: 1, endsAtMs: NOW_MS, errand };

const toWatcher = (overrides: Partial<ToErrand> = {}): ToErrand => ({
  claimId: 'watcher',
  delegatedTo,
  nowMs: NOW_MS,
  records: [],
  isStale: false,
  ...overrides,
});

/** An execution whose end has to wait for an errand. */
export function describeLeavingToErrand(setup: () => StoreSetup): void {
  const running = () =>
    claimed(setup().executions, { jobKey: setup().freshJobKey(), openErrand: 'qj', worker: 'vm-1' });

  const waiting = async (): Promise<Execution> => {
    const { executions } = setup();
    const seen = await running();
    await executions.takeOver(seen, theNext(), [anAttempt({ outcome: 'lost' })]);
    return (await executions.get(seen))!;
  };

  describe('ExecutionStore: leaveToErrand', () => {
    it('takes the lease from its holder, in one write, and keeps the open errand', async () => {
      const { client, executions } = setup();
      const { worker: _, ...seen } = await running();
      const before = client.requests;
      expect(await executions.leaveToErrand(seen, toWatcher())).toBe('done');
      expect(client.requests - before).toBe(1);
      const watchers = { claimId: 'watcher', fence: 2, claimedAtMs: NOW_MS, heartbeatAtMs: NOW_MS };
      expect(await executions.get(seen)).toEqual({ ...seen, ...watchers, delegatedTo });
      expect(await executions.heartbeat(leaseOf(seen), NOW_MS + 1)).toBe('lease-lost');
      expect(await executions.finish(leaseOf(seen), anEnding(), [])).toBe('lease-lost');
    });

    it('lets what waits run again, so no attempt of it can be claimed', async () => {
      const { executions } = setup();
      const { startAtMs: _, ...seen } = await waiting();
      expect(await executions.leaveToErrand(seen, toWatcher())).toBe('done');
      const watchers = { status: 'running', claimId: 'watcher', claimedAtMs: NOW_MS, heartbeatAtMs: NOW_MS };
      expect(await executions.get(seen)).toEqual({ ...seen, ...watchers, fence: 2, delegatedTo });
      const claim = aClaim({ ...seen, attempt: 2, claimId: 'claim-2', nowMs: NOW_MS });
      expect((await executions.claim(claim)).outcome).toBe('refused');
    });

    it('puts the attempt before on record, and is the next one then', async () => {
      const { executions } = setup();
      const seen = await running();
      const record = anAttempt({ outcome: 'lost' });
      const detail = { heldBy: 'other' };
      const userRequest = { by: { sub: 'alice', name: null, via: 'token' as const } };
      await executions.leaveToErrand(seen, toWatcher({ records: [record], detail, userRequest }));
      const left = { attempt: 2, attempts: [record], detail, userRequest };
      expect(await executions.get(seen)).toMatchObject(left);
    });

    it('of a stale lease asks for the heartbeat that was seen, else it does not', async () => {
      const { executions } = setup();
      const seen = await running();
      await executions.heartbeat(leaseOf(seen), T0_MS + 8_000);
      expect(await executions.leaveToErrand(seen, toWatcher({ isStale: true }))).toBe('lease-lost');
      expect(await executions.get(seen)).toMatchObject({ fence: 1, claimId: 'claim-1' });
      expect(await executions.leaveToErrand(seen, toWatcher())).toBe('done');
      const stale = await running();
      expect(await executions.leaveToErrand(stale, toWatcher({ isStale: true }))).toBe('done');
    });

    it.each([
      ['ended', (seen: Execution) => setup().executions.finish(leaseOf(seen), anEnding(), [anAttempt()])],
      [
        'put back',
        (seen: Execution) => setup().executions.awaitRetry(leaseOf(seen), theNext(), [anAttempt()]),
      ],
      ['left', (seen: Execution) => setup().executions.leaveToErrand(seen, toWatcher({ claimId: 'first' }))],
    ])('of what was %s meanwhile is refused', async (_, change) => {
      const { executions } = setup();
      const seen = await running();
      expect(await change(seen)).toBe('done');
      const row = await executions.get(seen);
      expect(await executions.leaveToErrand(seen, toWatcher())).toBe('lease-lost');
      expect(await executions.get(seen)).toEqual(row);
    });

    it('of an attempt that was claimed meanwhile is refused', async () => {
      const { executions } = setup();
      const seen = await waiting();
      const { jobKey } = seen;
      const claim = { jobKey, attempt: 2, claimId: 'claim-2', nowMs: seen.startAtMs!, openErrand: 'qj' };
      const row = await claimed(executions, claim);
      expect(await executions.leaveToErrand(seen, toWatcher())).toBe('lease-lost');
      expect(await executions.get(seen)).toEqual(row);
    });

    it('makes no row', async () => {
      const { executions, freshJobKey } = setup();
      const seen = { ...(await running()), jobKey: freshJobKey() };
      expect(await executions.leaveToErrand(seen, toWatcher())).toBe('lease-lost');
      expect(await executions.get(seen)).toBeUndefined();
    });

    it('lets one of many win', async () => {
      const { another, executions } = setup();
      const seen = await running();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          another().executions.leaveToErrand(seen, toWatcher({ claimId: `watcher-${index}` })),
        ),
      );
      expect(answers.filter((answer) => answer === 'done')).toHaveLength(1);
      const claimId = `watcher-${answers.indexOf('done')}`;
      expect(await executions.get(seen)).toMatchObject({ fence: 2, claimId });
    });

    it('whose answer is lost is recognised, and another’s is not', async () => {
      const { client, executions } = setup();
      const seen = await running();
      client.loseNextAnswer();
      expect(await executions.leaveToErrand(seen, toWatcher({ records: [anAttempt()] }))).toBe('done');
      expect((await executions.get(seen))!.attempts).toHaveLength(1);
      client.loseNextAnswer();
      expect(await executions.leaveToErrand(seen, toWatcher({ claimId: 'other' }))).toBe('lease-lost');
    });
  });

  describe('ExecutionStore: an open errand', () => {
    const seenToEnd = { errands: 1 };

    it('is closed by an end, or a wait, that counts it, and by no other', async () => {
      const { executions } = setup();
      const rowAfter = async (end: (seen: Execution) => Promise<unknown>) => {
        const seen = await running();
        expect(await end(seen)).toBe('done');
        const { openErrand, errands } = (await executions.get(seen))!;
        return { openErrand, errands };
      };
      const [lease, records] = [leaseOf, [anAttempt()]];
      const counted = { openErrand: undefined, errands: 1 };
      const open = { openErrand: 'qj', errands: undefined };
      expect(await rowAfter((seen) => executions.finish(lease(seen), anEnding(seenToEnd), records))).toEqual(
        counted,
      );
      expect(
        await rowAfter((seen) => executions.awaitRetry(lease(seen), theNext(seenToEnd), records)),
      ).toEqual(counted);
      expect(await rowAfter((seen) => executions.finish(lease(seen), anEnding(), records))).toEqual(open);
      expect(await rowAfter((seen) => executions.takeOver(seen, theNext(), records))).toEqual(open);
    });
  });
}
