import { PutCommand } from '@aws-sdk/lib-dynamodb';

import { execIdOfManualRun, execIdOfOccurrence } from '../../lambdas/core/contracts/tables';
import type { Execution } from '../../lambdas/core/domain/execution';
import {
  type ClaimRequest,
  type Ending,
  executionMapKey,
  type Lease,
  type NextAttempt,
} from '../../lambdas/core/store/execution-store';
import { anAttempt, anExecution, T0_MS } from '../support/factories';
import type { StoreSetup } from './store-setup';

const aClaim = (overrides: Partial<ClaimRequest>): ClaimRequest => ({
  jobKey: 'user/job',
  execId: execIdOfOccurrence(T0_MS),
  trigger: 'schedule',
  dueAtMs: T0_MS,
  attempt: 1,
  claimId: 'claim-1',
  nowMs: T0_MS + 20,
  ...overrides,
});

const anEnding = (overrides: Partial<Ending> = {}): Ending => ({
  status: 'succeeded',
  finishedAtMs: T0_MS + 900,
  expiresAtSec: T0_MS / 1_000 + 86_400,
  ...overrides,
});

const theNext = (overrides: Partial<NextAttempt> = {}): NextAttempt => ({
  attempt: 2,
  startAtMs: T0_MS + 10_000,
  failures: 1,
  takeovers: 0,
  ...overrides,
});

const leaseOf = ({ jobKey, execId, claimId, fence, attempt }: Execution): Lease => ({
  jobKey,
  execId,
  claimId: claimId!,
  fence,
  attempt,
});

/** What every ExecutionStore must do, and must not. */
export function describeExecutionStore(setup: () => StoreSetup): void {
  const claimed = async (overrides: Partial<ClaimRequest>): Promise<Execution> => {
    const answer = await setup().executions.claim(aClaim(overrides));
    if (answer.outcome !== 'claimed') throw new Error('the claim was refused');
    return answer.execution;
  };

  describe('ExecutionStore: claim', () => {
    it('makes the row of a new occurrence, running, with the first fence', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const execution = await claimed({ jobKey });
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
      const first = await claimed({ jobKey });
      await executions.awaitRetry(leaseOf(first), theNext(), anAttempt());
      for (const attempt of [1, 3]) {
        const answer = await executions.claim(aClaim({ jobKey, attempt, claimId: 'stale' }));
        expect(answer.outcome).toBe('refused');
      }
      const second = await claimed({ jobKey, attempt: 2, claimId: 'claim-2', nowMs: T0_MS + 10_005 });
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

    it('refuses what runs and what has ended', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const first = await claimed({ jobKey });
      expect((await executions.claim(aClaim({ jobKey, claimId: 'other' }))).outcome).toBe('refused');
      await executions.finish(leaseOf(first), anEnding());
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
      const running = await claimed({ jobKey, execId, trigger: 'manual' });
      expect(running).toMatchObject({ status: 'running', fence: 1, payload: queued.payload, latenessMs: 20 });
    });
  });

  describe('ExecutionStore: under a lease', () => {
    it('beats while running, and never after the end', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed({ jobKey: freshJobKey() });
      const lease = leaseOf(execution);
      expect(await executions.beat(lease, T0_MS + 8_020)).toBe('done');
      expect((await executions.get(lease))!.heartbeatAtMs).toBe(T0_MS + 8_020);
      await executions.finish(lease, anEnding());
      expect(await executions.beat(lease, T0_MS + 16_020)).toBe('lease-lost');
      expect(await executions.get(lease)).toMatchObject({
        status: 'succeeded',
        heartbeatAtMs: T0_MS + 8_020,
      });
    });

    it('finishes once: with result, history and retention, and without the claim', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed({ jobKey: freshJobKey() });
      const ending = anEnding({ result: { statusCode: 200, body: 'ok' } });
      const record = anAttempt({ outcome: 'succeeded', statusCode: 200 });
      expect(await executions.finish(leaseOf(execution), ending, record)).toBe('done');
      const row = await executions.get(execution);
      expect(row).toMatchObject({ ...ending, attempt: 1, fence: 1, attempts: [record] });
      expect(row).not.toHaveProperty('claimId');
      const late = anEnding({ status: 'failed', reason: 'fatal', finishedAtMs: T0_MS + 2_000 });
      expect(await executions.finish(leaseOf(execution), late, anAttempt({ outcome: 'fatal' }))).toBe(
        'lease-lost',
      );
      expect(await executions.get(execution)).toEqual(row);
    });

    it('finishes without a call: no attempt in the history, the reason said', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed({ jobKey: freshJobKey() });
      const ending = anEnding({ status: 'skipped', reason: 'paused' });
      expect(await executions.finish(leaseOf(execution), ending)).toBe('done');
      expect(await executions.get(execution)).toMatchObject({
        status: 'skipped',
        reason: 'paused',
        attempts: [],
      });
    });

    it('waits for a retry, without retention and lease', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed({ jobKey: freshJobKey() });
      expect(await executions.awaitRetry(leaseOf(execution), theNext(), anAttempt())).toBe('done');
      const row = (await executions.get(execution))!;
      expect(row).toMatchObject({ ...theNext(), status: 'retrying', fence: 1, attempts: [anAttempt()] });
      for (const gone of ['claimId', 'claimedAtMs', 'heartbeatAtMs', 'expiresAtSec']) {
        expect(row).not.toHaveProperty(gone);
      }
      expect(await executions.beat(leaseOf(execution), T0_MS + 9_000)).toBe('lease-lost');
    });

    it('tells the holder at its next beat that somebody wants it to end', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed({ jobKey: freshJobKey() });
      const lease = leaseOf(execution);
      const asked = { reason: 'cancelled-by-user', atMs: T0_MS + 500 } as const;
      expect(await executions.askCancel({ ...execution, fence: 7 }, asked)).toBe('lease-lost');
      expect(await executions.askCancel(execution, asked)).toBe('done');
      expect(await executions.beat(lease, T0_MS + 8_020)).toBe('cancel-asked');
      expect(await executions.awaitRetry(lease, theNext(), anAttempt())).toBe('cancel-asked');
      const ending = anEnding({ status: 'cancelled', reason: 'cancelled-by-user' });
      expect(await executions.finish(lease, ending, anAttempt({ outcome: 'cancelled' }))).toBe('done');
      expect(await executions.get(lease)).not.toHaveProperty('cancelAsked');
      expect(await executions.askCancel(execution, asked)).toBe('lease-lost');
    });
  });

  describe('ExecutionStore: takeover', () => {
    const lost = anAttempt({ outcome: 'lost', finishedAtMs: T0_MS + 41_000 });
    const taken = theNext({ failures: 0, takeovers: 1, startAtMs: T0_MS + 41_000 });

    it('takes a stale lease, and refuses whatever its holder writes after', async () => {
      const { executions, freshJobKey } = setup();
      const seen = await claimed({ jobKey: freshJobKey() });
      expect(await executions.takeOver(seen, taken, lost)).toBe('done');
      const row = await executions.get(seen);
      expect(row).toMatchObject({ ...taken, status: 'retrying', attempts: [lost] });
      const lease = leaseOf(seen);
      expect(await executions.beat(lease, T0_MS + 42_000)).toBe('lease-lost');
      expect(await executions.finish(lease, anEnding(), anAttempt({ outcome: 'succeeded' }))).toBe(
        'lease-lost',
      );
      expect(await executions.awaitRetry(lease, theNext(), anAttempt())).toBe('lease-lost');
      expect(await executions.get(seen)).toEqual(row);
    });

    it('refuses the stale holder while the next attempt runs, and fences rise', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const seen = await claimed({ jobKey });
      await executions.takeOver(seen, taken, lost);
      const second = await claimed({ jobKey, attempt: 2, claimId: 'claim-2', nowMs: T0_MS + 41_100 });
      expect(second.fence).toBe(2);
      expect(await executions.finish(leaseOf(seen), anEnding())).toBe('lease-lost');
      expect(await executions.finish({ ...leaseOf(seen), fence: 2 }, anEnding())).toBe('lease-lost');
      expect(await executions.finish({ ...leaseOf(second), fence: 1 }, anEnding())).toBe('lease-lost');
      expect(await executions.get(seen)).toEqual(second);
    });

    it('gives way to one beat in between', async () => {
      const { executions, freshJobKey } = setup();
      const seen = await claimed({ jobKey: freshJobKey() });
      await executions.beat(leaseOf(seen), T0_MS + 8_020);
      expect(await executions.takeOver(seen, taken, lost)).toBe('lease-lost');
      expect(await executions.endStale(seen, anEnding({ status: 'failed' }), lost)).toBe('lease-lost');
      expect(await executions.get(seen)).toMatchObject({ status: 'running', attempts: [] });
    });

    it('gives way to a wish to cancel that came in between, and ends what it saw asked', async () => {
      const { executions, freshJobKey } = setup();
      const seen = await claimed({ jobKey: freshJobKey() });
      await executions.askCancel(seen, { reason: 'cancelled-by-user', atMs: T0_MS + 500 });
      expect(await executions.takeOver(seen, taken, lost)).toBe('lease-lost');
      const seenAgain = (await executions.get(seen))!;
      const ending = anEnding({ status: 'cancelled', reason: 'cancelled-by-user' });
      expect(await executions.endStale(seenAgain, ending, lost)).toBe('done');
    });

    it('lets one of several sweepers win, even at the same instant', async () => {
      const { executions, freshJobKey } = setup();
      const seen = await claimed({ jobKey: freshJobKey() });
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => executions.takeOver(seen, taken, lost)),
      );
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
      expect((await executions.get(seen))!.attempts).toEqual([lost]);
    });

    it('lets the holder or the sweeper win, never both', async () => {
      const { executions, freshJobKey } = setup();
      for (let round = 0; round < 5; round++) {
        const seen = await claimed({ jobKey: freshJobKey() });
        const outcomes = await Promise.all([
          executions.finish(leaseOf(seen), anEnding(), anAttempt({ outcome: 'succeeded' })),
          executions.takeOver(seen, taken, lost),
        ]);
        expect([...outcomes].sort()).toEqual(['done', 'lease-lost']);
        const { status, attempts } = (await executions.get(seen))!;
        expect(attempts).toHaveLength(1);
        expect(status).toBe(outcomes[0] === 'done' ? 'succeeded' : 'retrying');
      }
    });

    it('ends a stale execution for good', async () => {
      const { executions, freshJobKey } = setup();
      const seen = await claimed({ jobKey: freshJobKey() });
      const ending = anEnding({ status: 'failed', reason: 'crashed' });
      expect(await executions.endStale(seen, ending, lost)).toBe('done');
      expect(await executions.get(seen)).toMatchObject({ ...ending, attempts: [lost] });
      expect(await executions.endStale(seen, ending, lost)).toBe('lease-lost');
    });

    it('has no lease to take from what does not run', async () => {
      const { executions } = setup();
      await expect(executions.takeOver(anExecution(), taken, lost)).rejects.toThrow(/was not running/);
    });
  });

  describe('ExecutionStore: ending what waits', () => {
    it('ends a waiting attempt as seen, once', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed({ jobKey: freshJobKey() });
      await executions.awaitRetry(leaseOf(execution), theNext(), anAttempt());
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
      const execution = await claimed({ jobKey });
      await executions.awaitRetry(leaseOf(execution), theNext(), anAttempt());
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

  describe('ExecutionStore: what never ran', () => {
    const aSkip = (jobKey: string, overrides: Partial<Execution> = {}): Execution => ({
      jobKey,
      execId: execIdOfOccurrence(T0_MS),
      trigger: 'schedule',
      dueAtMs: T0_MS,
      status: 'skipped',
      reason: 'misfire',
      attempt: 1,
      failures: 0,
      takeovers: 0,
      fence: 0,
      finishedAtMs: T0_MS + 90_000,
      attempts: [],
      skipped: { fromMs: T0_MS, toMs: T0_MS + 60_000, count: 2 },
      expiresAtSec: T0_MS / 1_000 + 86_400,
      ...overrides,
    });

    it('writes a finished row once', async () => {
      const { executions, freshJobKey } = setup();
      const row = aSkip(freshJobKey());
      expect(await executions.putSkipped(row)).toBe('written');
      expect(await executions.get(row)).toEqual(row);
      expect(await executions.putSkipped(row)).toBe('exists');
    });

    it('lengthens a stretch of the same reason, and never shortens it', async () => {
      const { executions, freshJobKey } = setup();
      const row = aSkip(freshJobKey(), { skipped: undefined });
      await executions.putSkipped(row);
      const longer = { ...row, skipped: { fromMs: T0_MS, toMs: T0_MS + 120_000, count: 3 } };
      expect(await executions.putSkipped(longer)).toBe('written');
      expect(await executions.get(row)).toEqual(longer);
      const shorter = { ...row, skipped: { fromMs: T0_MS, toMs: T0_MS + 60_000, count: 2 } };
      expect(await executions.putSkipped(shorter)).toBe('exists');
      const other = {
        ...longer,
        reason: 'paused',
        skipped: { ...longer.skipped, toMs: T0_MS + 180_000 },
      } as const;
      expect(await executions.putSkipped(other)).toBe('exists');
      expect(await executions.get(row)).toEqual(longer);
    });

    it('leaves fence and history to a stretch that begins with a claimed occurrence', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const execution = await claimed({ jobKey });
      await executions.finish(leaseOf(execution), anEnding({ status: 'skipped', reason: 'paused' }));
      expect(await executions.putSkipped(aSkip(jobKey, { reason: 'paused' }))).toBe('written');
      expect(await executions.get(execution)).toMatchObject({ fence: 1, skipped: { count: 2 } });
    });

    it('does not touch what runs or ran', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const execution = await claimed({ jobKey });
      expect(await executions.putSkipped(aSkip(jobKey))).toBe('exists');
      await executions.finish(leaseOf(execution), anEnding());
      expect(await executions.putSkipped(aSkip(jobKey))).toBe('exists');
      expect(await executions.get(execution)).toMatchObject({ status: 'succeeded' });
    });

    it('refuses a status that nothing scheduled can take', async () => {
      const { executions } = setup();
      const row = aSkip('user/job', { status: 'succeeded' });
      await expect(executions.putSkipped(row)).rejects.toThrow(/from scheduled to succeeded/);
    });
  });

  describe('ExecutionStore: reading', () => {
    it('reads many, over batches, each key once', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const refs = Array.from({ length: 110 }, (_, index) => ({
        jobKey,
        execId: execIdOfOccurrence(T0_MS + index * 60_000),
      }));
      const made = await Promise.all(
        refs.slice(0, 3).map((ref, index) => claimed({ ...ref, dueAtMs: T0_MS + index * 60_000 })),
      );
      const answer = await executions.getMany([...refs, refs[0]!], { consistent: true });
      expect(answer.unread.size).toBe(0);
      expect(answer.executions).toEqual(new Map(made.map((one) => [executionMapKey(one), one])));
    });

    it('takes a row that it cannot read for unread, never for absent', async () => {
      const { client, executions, freshJobKey, tables } = setup();
      const ref = { jobKey: freshJobKey(), execId: execIdOfOccurrence(T0_MS) };
      const Item = { jobId: ref.jobKey, execId: ref.execId, status: 'dreaming' };
      await client.documents.send(new PutCommand({ TableName: tables.executions, Item }));
      const answer = await executions.getMany([ref], { consistent: true });
      expect([...answer.unread]).toEqual([executionMapKey(ref)]);
      await expect(executions.get(ref)).rejects.toThrow(/cannot be read/);
    });

    it('lists one job in either order, page after page, within inclusive bounds', async () => {
      const { executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      await claimed({ jobKey: freshJobKey() });
      const ids = [0, 1, 2, 3].map((minute) => execIdOfOccurrence(T0_MS + minute * 60_000));
      ids.splice(2, 0, execIdOfManualRun(T0_MS + 60_000, 'abc'));
      for (const execId of ids) {
        if (execId.includes('-')) {
          await executions.putQueued(anExecution({ jobKey, execId, status: 'queued', trigger: 'manual' }));
        } else {
          await claimed({ jobKey, execId });
        }
      }
      const reversed = [...ids].reverse();
      for (const limit of [1, 2, 100]) {
        expect(await idsOf({ order: 'asc', limit })).toEqual(ids);
        expect(await idsOf({ order: 'desc', limit })).toEqual(reversed);
        const range = { fromExecId: ids[1]!, toExecId: ids[3]! };
        expect(await idsOf({ order: 'asc', limit, ...range })).toEqual(ids.slice(1, 4));
        expect(await idsOf({ order: 'desc', limit, ...range })).toEqual(reversed.slice(1, 4));
      }
      const from = { fromExecId: ids[2]! };
      expect(await idsOf({ order: 'asc', limit: 9, ...from, after: ids[0]! })).toEqual(ids.slice(2));
      expect(await idsOf({ order: 'asc', limit: 9, ...from, after: ids[3]! })).toEqual(ids.slice(4));
      expect(await idsOf({ order: 'asc', limit: 9, toExecId: ids[1]!, after: ids[3]! })).toEqual([]);
      expect(await idsOf({ order: 'desc', limit: 9, ...from, after: ids[1]! })).toEqual([]);
      expect(await idsOf({ order: 'asc', limit: 9, fromExecId: ids[3]!, toExecId: ids[1]! })).toEqual([]);

      async function idsOf(page: Parameters<typeof executions.list>[1]): Promise<string[]> {
        const found: string[] = [];
        for (let after = page.after; ;) {
          const { executions: some, nextAfter } = await executions.list(jobKey, { ...page, after });
          found.push(...some.map(({ execId }) => execId));
          if (nextAfter === undefined) return found;
          after = nextAfter;
        }
      }
    });
  });
}
