import { PutCommand } from '../../lambdas/core/store/dynamo/commands';

import { execIdOfManualRun } from '../../lambdas/core/contracts/tables';
import { anAttempt, anExecution, T0_MS } from '../support/factories';
import { aClaim, anEnding, claimed, leaseOf, theNext } from './execution-requests';
import type { StoreSetup } from './store-setup';

/** What an attempt does: claim, heartbeat, end. */
export function describeExecutionLeases(setup: () => StoreSetup): void {
  describe('ExecutionStore: claim', () => {
    it('makes the row of a new occurrence, running, with the first fence', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const execution = await claimed(executions, { jobKey });
      expect(execution).toEqual({
        jobKey,
        execId: '20261201T083000.000Z',
        trigger: 'schedule',
        dueAtMs: T0_MS,
        status: 'running',
        attempt: 1,
        failures: 0,
        takeovers: 0,
        fence: 1,
        claimId: 'claim-1',
        claimedAtMs: T0_MS + 20,
        heartbeatAtMs: T0_MS + 20,
        startedAtMs: T0_MS + 20,
        latenessMs: 20,
        attempts: [],
      });
      expect(await executions.get(execution)).toEqual(execution);
    });

    it('lets one of many claims win', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          executions.claim(aClaim({ jobKey, claimId: `claim-${index}` })),
        ),
      );
      const winners = answers.filter((answer) => answer.outcome === 'claimed');
      expect(winners).toHaveLength(1);
      const row = await executions.get(aClaim({ jobKey }));
      expect(row).toEqual(winners[0]!.execution);
      expect(row!.fence).toBe(1);
    });

    it('is written when it may leave, and never if it may not', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const claimBy = (claimId: string, heldUntil: Promise<void>) =>
        executions.claim(aClaim({ jobKey, claimId }), { heldUntil });
      let leave = (): void => undefined;
      const kept = claimBy('kept', new Promise<void>((resolve) => (leave = resolve)));
      await expect(claimBy('dropped', Promise.reject(new Error('too late')))).rejects.toThrow('too late');
      expect(await executions.get(aClaim({ jobKey }))).toBeUndefined();
      leave();
      expect(await kept).toMatchObject({ outcome: 'claimed', execution: { claimId: 'kept', fence: 1 } });
    });

    it.each([
      ['a second attempt', { attempt: 2 }],
      ['a manual run', { trigger: 'manual' as const }],
    ])('does not make a row for %s', async (_, overrides) => {
      const { executions, freshJobKey } = setup();
      const request = aClaim({ jobKey: freshJobKey(), ...overrides });
      expect(await executions.claim(request)).toEqual({ outcome: 'refused', current: undefined });
      expect(await executions.get(request)).toBeUndefined();
    });

    it('takes what waits for exactly this attempt, with the next fence, and keeps the first start', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const first = await claimed(executions, { jobKey });
      await executions.awaitRetry(leaseOf(first), theNext(), [anAttempt()]);
      for (const attempt of [1, 3]) {
        const answer = await executions.claim(aClaim({ jobKey, attempt, claimId: 'stale' }));
        expect(answer.outcome).toBe('refused');
      }
      const second = await claimed(executions, {
        jobKey,
        attempt: 2,
        claimId: 'claim-2',
        nowMs: T0_MS + 10_005,
      });
      expect(second).toMatchObject({
        status: 'running',
        attempt: 2,
        fence: 2,
        claimId: 'claim-2',
        claimedAtMs: T0_MS + 10_005,
        heartbeatAtMs: T0_MS + 10_005,
        startedAtMs: T0_MS + 20,
        latenessMs: 20,
        failures: 1,
        attempts: [anAttempt()],
      });
      expect(second).not.toHaveProperty('startAtMs');
    });

    it('refuses an attempt before its start, even if an earlier attempt had the same number', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const first = await claimed(executions, { jobKey });
      const { startAtMs } = theNext();
      await executions.awaitRetry(leaseOf(first), theNext(), [anAttempt()]);
      const early = aClaim({ jobKey, attempt: 2, claimId: 'claim-2', nowMs: startAtMs - 1 });
      expect((await executions.claim(early)).outcome).toBe('refused');
      expect((await executions.claim({ ...early, nowMs: startAtMs })).outcome).toBe('claimed');
    });

    it('refuses what runs and what has ended', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const first = await claimed(executions, { jobKey });
      expect((await executions.claim(aClaim({ jobKey, claimId: 'other' }))).outcome).toBe('refused');
      await executions.finish(leaseOf(first), anEnding(), []);
      expect((await executions.claim(aClaim({ jobKey, claimId: 'other' }))).outcome).toBe('refused');
    });

    it('takes a manual run that waits, with its payload', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const execId = execIdOfManualRun(T0_MS, 'abc');
      const queued = anExecution({
        jobKey,
        execId,
        trigger: 'manual',
        status: 'queued',
        attempt: 1,
        failures: 0,
        fence: 0,
        startAtMs: T0_MS,
        startedAtMs: undefined,
        latenessMs: undefined,
        attempts: [],
        payload: { value: { constructor: 9007199254740993 } },
      });
      expect(await executions.putQueued(queued)).toBe('written');
      expect(await executions.putQueued(queued)).toBe('exists');
      expect(await executions.get(queued)).toEqual(queued);
      const running = await claimed(executions, { jobKey, execId, trigger: 'manual' });
      expect(running).toMatchObject({ status: 'running', fence: 1, payload: queued.payload, latenessMs: 20 });
    });
  });

  describe('ExecutionStore: under a lease', () => {
    it('heartbeats while running, and never after the end', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey() });
      const lease = leaseOf(execution);
      expect(await executions.heartbeat(lease, T0_MS + 8_020)).toBe('done');
      expect((await executions.get(lease))!.heartbeatAtMs).toBe(T0_MS + 8_020);
      await executions.finish(lease, anEnding(), []);
      expect(await executions.heartbeat(lease, T0_MS + 16_020)).toBe('lease-lost');
      expect(await executions.get(lease)).toMatchObject({
        status: 'succeeded',
        heartbeatAtMs: T0_MS + 8_020,
      });
    });

    it('keeps the newer of two heartbeats, whichever is written first', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey() });
      const lease = leaseOf(execution);
      expect(await executions.heartbeat(lease, T0_MS + 8_000)).toBe('done');
      expect(await executions.heartbeat(lease, T0_MS + 7_000)).toBe('done');
      expect((await executions.get(lease))!.heartbeatAtMs).toBe(T0_MS + 8_000);
      const to = { heartbeatWithinMs: 30_000, endsAtMs: T0_MS + 300_000 };
      expect(await executions.delegateLease(lease, to, T0_MS + 6_000, [])).toBe('done');
      expect(await executions.get(lease)).toMatchObject({ delegatedTo: to, heartbeatAtMs: T0_MS + 8_000 });
    });

    it('keeps the progress that its holder or an observer says, until the next claim', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey() });
      const lease = leaseOf(execution);
      const first = { value: 0.25, text: 'page 1 of 4', atMs: T0_MS + 8_020 };
      expect(await executions.heartbeat(lease, T0_MS + 8_020, first)).toBe('done');
      expect(await executions.heartbeat(lease, T0_MS + 9_000)).toBe('done');
      expect(await executions.get(lease)).toMatchObject({ progress: first, heartbeatAtMs: T0_MS + 9_000 });
      const second = { value: 0.5, atMs: T0_MS + 10_000 };
      const seen = await executions.keepProgress(lease, second);
      expect(seen).toMatchObject({ progress: second, heartbeatAtMs: T0_MS + 9_000 });
      expect(await executions.get(lease)).toEqual(seen);
      await executions.awaitRetry(lease, theNext(), [anAttempt()]);
      const late = { value: 0.75, atMs: T0_MS + 11_000 };
      expect(await executions.keepProgress(lease, late)).toMatchObject({
        status: 'retrying',
        progress: second,
      });
      expect(await executions.heartbeat(lease, T0_MS + 11_000, late)).toBe('lease-lost');
      const { jobKey } = execution;
      const { attempt, startAtMs: nowMs } = theNext();
      const again = await claimed(executions, { jobKey, attempt, claimId: 'claim-2', nowMs });
      expect(again).not.toHaveProperty('progress');
      expect(await executions.keepProgress(lease, late)).toEqual(again);
      const unknown = { ...lease, execId: '20261201T083100.000Z' };
      expect(await executions.keepProgress(unknown, late)).toBeUndefined();
    });

    it('finishes once: with result, history and retention, and without the claim', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey() });
      const ending = anEnding({ result: { statusCode: 200, body: 'ok' } });
      const record = anAttempt({ outcome: 'succeeded', statusCode: 200 });
      expect(await executions.finish(leaseOf(execution), ending, [record])).toBe('done');
      const row = await executions.get(execution);
      expect(row).toMatchObject({ ...ending, attempt: 1, fence: 1, attempts: [record] });
      expect(row).not.toHaveProperty('claimId');
      const late = anEnding({ status: 'failed', reason: 'fatal', finishedAtMs: T0_MS + 2_000 });
      expect(await executions.finish(leaseOf(execution), late, [anAttempt({ outcome: 'fatal' })])).toBe(
        'lease-lost',
      );
      expect(await executions.get(execution)).toEqual(row);
    });

    it('finishes without a call: no attempt in the history, the reason said', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey() });
      const ending = anEnding({ status: 'skipped', reason: 'paused' });
      expect(await executions.finish(leaseOf(execution), ending, [])).toBe('done');
      expect(await executions.get(execution)).toMatchObject({
        status: 'skipped',
        reason: 'paused',
        attempts: [],
      });
    });

    it('waits for a retry, without retention and lease', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey() });
      expect(await executions.awaitRetry(leaseOf(execution), theNext(), [anAttempt()])).toBe('done');
      const row = (await executions.get(execution))!;
      expect(row).toMatchObject({ ...theNext(), status: 'retrying', fence: 1, attempts: [anAttempt()] });
      for (const gone of ['claimId', 'claimedAtMs', 'heartbeatAtMs', 'expiresAtSec']) {
        expect(row).not.toHaveProperty(gone);
      }
      expect(await executions.heartbeat(leaseOf(execution), T0_MS + 9_000)).toBe('lease-lost');
    });

    it('takes a retention off that does not belong to what waits', async () => {
      const { client, executions, freshJobKey, tables } = setup();
      const { jobKey, ...execution } = await claimed(executions, { jobKey: freshJobKey() });
      const Item = { ...execution, jobId: jobKey, expiresAtSec: 1_800_000_000 };
      await client.documents.send(new PutCommand({ TableName: tables.executions, Item }));
      const lease = leaseOf({ ...execution, jobKey });
      expect(await executions.awaitRetry(lease, theNext(), [anAttempt()])).toBe('done');
      expect(await executions.get(lease)).not.toHaveProperty('expiresAtSec');
    });

    it('tells the holder at its next heartbeat that a cancel is requested', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey() });
      const lease = leaseOf(execution);
      const asked = { reason: 'cancelled-by-user', atMs: T0_MS + 500 } as const;
      expect(await executions.requestCancel({ ...execution, fence: 7 }, asked)).toBe('lease-lost');
      expect(await executions.requestCancel(execution, asked)).toBe('done');
      expect(await executions.heartbeat(lease, T0_MS + 8_020)).toBe('cancel-requested');
      expect(await executions.awaitRetry(lease, theNext(), [anAttempt()])).toBe('cancel-requested');
      const ending = anEnding({ status: 'cancelled', reason: 'cancelled-by-user' });
      expect(await executions.finish(lease, ending, [anAttempt({ outcome: 'cancelled' })])).toBe('done');
      expect(await executions.get(lease)).not.toHaveProperty('cancelRequested');
      expect(await executions.requestCancel(execution, asked)).toBe('lease-lost');
    });
  });
}
