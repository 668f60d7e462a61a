import { HELD_START_MS } from '../../lambdas/core/domain/eligibility';
import type { Execution } from '../../lambdas/core/domain/execution';
import { anExecution, T0_MS } from '../support/factories';
import { claimed, anEnding, leaseOf } from './execution-requests';
import type { StoreSetup } from './store-setup';

/** What the rows of delayed runs and of their keys must do. */
export function describeDelayedRuns(setup: () => StoreSetup): void {
  const waiting = (jobKey: string): Execution => ({
    ...anExecution({ jobKey, status: 'queued', trigger: 'manual', attempt: 1, fence: 0 }),
    failures: 0,
    attempts: [],
    startAtMs: T0_MS,
    dueAtMs: T0_MS,
    delayedOf: 1,
    key: 'k',
    keyTtlMs: 1_000,
    payload: { value: 1 },
  });
  const later = { startAtMs: T0_MS + 5_000, delayedOf: 1, payload: { value: 2 }, tags: { team: 'a' } };
  async function written() {
    const { executions, freshJobKey } = setup();
    const run = waiting(freshJobKey());
    await executions.putQueued(run);
    return run;
  }
  const claimOf = ({ jobKey, execId }: Execution, nowMs: number, timesMoved?: number) => ({
    jobKey,
    execId,
    trigger: 'manual' as const,
    nowMs,
    timesMoved,
  });

  describe('ExecutionStore: delayed runs', () => {
    it('replaces what was seen, once, and removes what is not asked for any more', async () => {
      const { executions, client } = setup();
      const run = await written();
      client.loseNextAnswer();
      expect(await executions.replaceDelayed(run, later)).toBe('done');
      const moved = (await executions.get(run))!;
      expect(moved).toMatchObject({ ...later, dueAtMs: later.startAtMs, timesMoved: 1, key: 'k' });
      expect(moved).not.toHaveProperty('keyTtlMs');
      expect(await executions.replaceDelayed(run, later)).toBe('lease-lost');
      const { payload: _, tags: __, ...bare } = later;
      expect(await executions.replaceDelayed(moved, { ...bare, startAtMs: T0_MS - 5_000 })).toBe('done');
      expect(await executions.get(run)).toMatchObject({ dueAtMs: T0_MS - 5_000, timesMoved: 2 });
      expect(await executions.get(run)).not.toHaveProperty('payload');
    });

    it('replaces nothing that was claimed, and a message from before claims nothing', async () => {
      const { executions } = setup();
      const run = await written();
      await executions.replaceDelayed(run, { ...later, startAtMs: T0_MS });
      await expect(claimed(executions, claimOf(run, T0_MS))).rejects.toThrow('refused');
      await expect(claimed(executions, claimOf(run, T0_MS, 2))).rejects.toThrow('refused');
      const moved = (await executions.get(run))!;
      await claimed(executions, claimOf(run, T0_MS, 1));
      expect(await executions.replaceDelayed(moved, later)).toBe('lease-lost');
    });

    it('holds what waits, and releases it', async () => {
      const { executions, client } = setup();
      const run = await written();
      client.loseNextAnswer();
      expect(await executions.suspend(run, T0_MS)).toBe('done');
      expect(await executions.suspend(run, T0_MS)).toBe('lease-lost');
      const held = (await executions.get(run))!;
      expect(held).toMatchObject({ heldAtMs: T0_MS, startAtMs: HELD_START_MS, dueAtMs: T0_MS });
      await expect(claimed(executions, claimOf(run, T0_MS + 1, 1))).rejects.toThrow('refused');
      expect(await executions.releaseHeld(held, T0_MS + 9_000)).toBe('done');
      expect(await executions.get(run)).not.toHaveProperty('heldAtMs');
      await claimed(executions, claimOf(run, T0_MS + 9_000, 2));
    });

    it('gives a claim back as held: its next claim is its first', async () => {
      const { executions } = setup();
      const run = await written();
      const execution = await claimed(executions, claimOf(run, T0_MS));
      const held = { heldAtMs: T0_MS, startAtMs: HELD_START_MS, timesMoved: 1 };
      const next = { attempt: 1, failures: 0, takeovers: 0, ...held };
      expect(await executions.awaitRetry(leaseOf(execution), next, [])).toBe('done');
      const row = (await executions.get(run))!;
      expect(row).toMatchObject({ ...held, status: 'retrying', attempt: 1 });
      expect(row).not.toHaveProperty('startedAtMs');
      expect(await executions.replaceDelayed(row, later)).toBe('done');
    });

    it('frees the key of a run that has ended as seen: no user retries it then', async () => {
      const { executions } = setup();
      const run = await written();
      const execution = await claimed(executions, claimOf(run, T0_MS));
      await executions.finish(leaseOf(execution), anEnding({ status: 'failed' }), []);
      const ended = (await executions.get(run))!;
      expect(await executions.freeKey({ ...ended, fence: 7 })).toBe('lease-lost');
      expect(await executions.freeKey(ended)).toBe('done');
      expect(await executions.userRetry(ended, { startAtMs: T0_MS })).toBe('lease-lost');
    });

    it('tells two requests that write one row apart, also if an answer was lost', async () => {
      const { executions, client } = setup();
      const run = await written();
      client.loseNextAnswer();
      expect(await executions.putQueued({ ...run, payload: { value: 2 } })).toBe('exists');
      client.loseNextAnswer();
      expect(await executions.putQueued(run)).toBe('written');
    });
  });

  describe('RunKeyStore', () => {
    it('names one run a key, in the place of what was seen', async () => {
      const { runKeys, freshJobKey, client } = setup();
      const ref = { jobKey: freshJobKey(), key: 'order/42 §' };
      const first = { execId: 'first', namedAtMs: 1 };
      const expiresAtSec = 4_000_000_000;
      expect(await runKeys.get(ref)).toBeUndefined();
      client.loseNextAnswer();
      expect(await runKeys.put(ref, { ...first, expiresAtSec }, undefined)).toBe('done');
      expect(await runKeys.get(ref)).toEqual(first);
      const second = { execId: 'second', namedAtMs: 2, expiresAtSec };
      expect(await runKeys.put(ref, second, undefined)).toBe('lost');
      expect(await runKeys.put(ref, second, { ...first, namedAtMs: 2 })).toBe('lost');
      expect(await runKeys.put(ref, second, first)).toBe('done');
      expect(await runKeys.get({ ...ref, key: 'other' })).toBeUndefined();
      expect(await runKeys.get({ ...ref, jobKey: freshJobKey() })).toBeUndefined();
    });
  });
}
