import {
  execIdOfManualRun,
  execIdOfOccurrence,
  jobKeyOf,
  minuteOf,
} from '../../lambdas/core/contracts/tables';
import type { Execution } from '../../lambdas/core/domain/execution';
import { type ClaimRequest, executionMapKey, type Lease } from '../../lambdas/core/store/execution-store';
import { aJob, anAttempt, anExecution, anOccurrenceEntry, T0_MS } from '../support/factories';
import type { StoreSetup } from './store-setup';

const ending = { status: 'succeeded', finishedAtMs: T0_MS + 900, expiresAtSec: 4_000_000_000 } as const;
const next = { attempt: 2, startAtMs: T0_MS + 10_000, failures: 1, takeovers: 0 };

/**
 * A write that was applied while its answer was lost. The SDK sends it again, and its condition fails because
 * of the first try. That is no lost race. A write that really lost a race must still report it.
 */
export function describeLostAnswers(setup: () => StoreSetup): void {
  const aClaim = (jobKey: string, claimId = 'claim-1', attempt = 1): ClaimRequest => ({
    jobKey,
    execId: execIdOfOccurrence(T0_MS),
    trigger: 'schedule',
    dueAtMs: T0_MS,
    attempt,
    claimId,
    nowMs: T0_MS + 20,
  });

  const running = async (): Promise<{ execution: Execution; lease: Lease }> => {
    const { executions, freshJobKey } = setup();
    const answer = await executions.claim(aClaim(freshJobKey()));
    if (answer.outcome !== 'claimed') throw new Error('the claim was refused');
    const { execution } = answer;
    return { execution, lease: { ...execution, claimId: execution.claimId! } };
  };

  const waiting = async (): Promise<Execution> => {
    const { executions } = setup();
    const { lease } = await running();
    await executions.awaitRetry(lease, next, [anAttempt()]);
    return (await executions.get(lease))!;
  };

  describe('an answer that got lost', () => {
    it('claim: the earlier try counts, and the fence rose once', async () => {
      const { client, executions, freshJobKey } = setup();
      const request = aClaim(freshJobKey());
      client.loseNextAnswer();
      const answer = await executions.claim(request);
      expect(answer).toMatchObject({ outcome: 'claimed', execution: { claimId: 'claim-1', fence: 1 } });
      expect(await executions.get(request)).toMatchObject({ fence: 1, status: 'running' });
    });

    it('claim: another’s claim stays another’s', async () => {
      const { client, executions } = setup();
      const { execution } = await running();
      client.loseNextAnswer();
      const answer = await executions.claim({ ...aClaim(execution.jobKey), claimId: 'claim-2' });
      expect(answer).toEqual({ outcome: 'refused', current: execution });
    });

    it.each([
      ['with a call', anAttempt({ outcome: 'succeeded' })],
      ['without a call', undefined],
    ])('finish %s', async (_, record) => {
      const { client, executions } = setup();
      const { lease } = await running();
      client.loseNextAnswer();
      expect(await executions.finish(lease, ending, record ? [record] : [])).toBe('done');
      expect((await executions.get(lease))!.attempts).toEqual(record ? [record] : []);
    });

    it('finish: an end by a sweeper is not an earlier try', async () => {
      const { client, executions } = setup();
      const { execution, lease } = await running();
      const lost = anAttempt({ outcome: 'lost', finishedAtMs: ending.finishedAtMs });
      await executions.endStale(execution, { ...ending, status: 'failed' }, [lost]);
      client.loseNextAnswer();
      const record = anAttempt({ outcome: 'fatal', finishedAtMs: ending.finishedAtMs });
      expect(await executions.finish(lease, { ...ending, status: 'failed' }, [record])).toBe('lease-lost');
    });

    it('awaitRetry, even where the next attempt is claimed by then', async () => {
      const { client, executions } = setup();
      const { lease } = await running();
      client.loseNextAnswer();
      expect(await executions.awaitRetry(lease, next, [anAttempt()])).toBe('done');
      expect((await executions.get(lease))!.attempts).toHaveLength(1);
      await executions.claim(aClaim(lease.jobKey, 'claim-2', 2));
      expect(await executions.awaitRetry(lease, next, [anAttempt()])).toBe('done');
    });

    it('takeOver and endStale', async () => {
      const { client, executions } = setup();
      const lost = anAttempt({ outcome: 'lost' });
      const first = await running();
      client.loseNextAnswer();
      expect(await executions.takeOver(first.execution, next, [lost])).toBe('done');
      const second = await running();
      client.loseNextAnswer();
      expect(await executions.endStale(second.execution, { ...ending, status: 'failed' }, [lost])).toBe(
        'done',
      );
    });

    it('endWaiting', async () => {
      const { client, executions } = setup();
      const seen = await waiting();
      client.loseNextAnswer();
      expect(await executions.endWaiting(seen, { ...ending, status: 'cancelled' })).toBe('done');
    });

    it('requestCancel', async () => {
      const { client, executions } = setup();
      const { execution } = await running();
      client.loseNextAnswer();
      const asked = { reason: 'cancelled-by-user', atMs: T0_MS } as const;
      expect(await executions.requestCancel(execution, asked)).toBe('done');
    });

    it('putEnded and putQueued', async () => {
      const { client, executions, freshJobKey } = setup();
      const row = anExecution({
        jobKey: freshJobKey(),
        status: 'skipped',
        reason: 'misfire',
        finishedAtMs: T0_MS,
        skipped: { fromMs: T0_MS, toMs: T0_MS + 60_000, count: 2 },
      });
      client.loseNextAnswer();
      expect(await executions.putEnded(row)).toBe('written');
      client.loseNextAnswer();
      expect(await executions.putEnded({ ...row, finishedAtMs: T0_MS + 1 })).toBe('exists');
      const run = anExecution({
        jobKey: freshJobKey(),
        execId: execIdOfManualRun(T0_MS, 'abc'),
        trigger: 'manual',
        status: 'queued',
      });
      client.loseNextAnswer();
      expect(await executions.putQueued(run)).toBe('written');
    });

    it('create, replace and remove of a job: no conflict with an earlier try', async () => {
      const { client, jobs, freshUser } = setup();
      const job = aJob({ userId: freshUser(), etag: 'one' });
      client.loseNextAnswer();
      expect(await jobs.create(job)).toEqual({ outcome: 'created' });
      client.loseNextAnswer();
      expect(await jobs.replace({ ...job, etag: 'two' }, 'one')).toEqual({ outcome: 'replaced' });
      client.loseNextAnswer();
      expect((await jobs.replace({ ...job, etag: 'three' }, 'one')).outcome).toBe('changed');
      client.loseNextAnswer();
      expect(await jobs.remove(job, 'two')).toEqual({ outcome: 'deleted' });
    });

    it('moveCursor, moveCursors, createCursors and raiseShards', async () => {
      const { client, schedule, freshShard } = setup();
      const minute = minuteOf(T0_MS);
      const cursor = {
        kind: 'scan',
        shard: freshShard(),
        minute,
        after: '',
        movedAtMs: T0_MS,
        entriesInLastBucket: 0,
      } as const;
      client.loseNextAnswer();
      await schedule.createCursors([cursor]);
      const to = { minute: minute + 1, after: '', movedAtMs: T0_MS + 1, entriesInLastBucket: 0 };
      client.loseNextAnswer();
      expect(await schedule.moveCursor(cursor, to)).toBe('moved');
      client.loseNextAnswer();
      expect(await schedule.moveCursor(cursor, { ...to, movedAtMs: T0_MS + 2 })).toBe('lost');
      const other = { ...cursor, shard: freshShard() };
      await schedule.createCursors([other]);
      client.loseNextAnswer();
      const next = { minute: minute + 2, after: '', movedAtMs: T0_MS + 3, entriesInLastBucket: 0 };
      const moves = [
        { seen: { ...cursor, ...to }, to: next },
        { seen: other, to: next },
      ];
      expect((await schedule.moveCursors(moves)).moved).toEqual(new Set([cursor.shard, other.shard]));
      const { count } = await schedule.readShards();
      client.loseNextAnswer();
      await schedule.raiseShards(count + 1);
      expect((await schedule.readShards()).history.filter((number) => number === count + 1)).toHaveLength(1);
    });

    it('acquire and release of an overlap lock, and a request key', async () => {
      const { client, overlapLocks, requestKeys, freshJobKey, freshUser } = setup();
      const jobKey = freshJobKey();
      client.loseNextAnswer();
      expect(await overlapLocks.acquire(jobKey, 'exec-1', { nowMs: T0_MS })).toMatchObject({
        outcome: 'acquired',
      });
      client.loseNextAnswer();
      expect((await overlapLocks.release(jobKey, 'exec-1')).holder).toBeUndefined();
      const key = {
        userId: freshUser(),
        keyHash: 'k',
        bodyHash: 'b',
        resultId: 'e',
        expiresAtSec: 4_000_000_000,
      };
      client.loseNextAnswer();
      expect(await requestKeys.putUnlessKnown(key)).toEqual(key);
    });
  });

  describe('other faults of the way', () => {
    it('sends again what never arrived', async () => {
      const { client, executions, freshJobKey } = setup();
      client.loseNextRequest();
      expect(await executions.claim(aClaim(freshJobKey()))).toMatchObject({ outcome: 'claimed' });
    });

    it('does not take a transaction that holds the row for a lost race', async () => {
      const { client, executions, freshJobKey } = setup();
      const jobKey = freshJobKey();
      client.conflictNext();
      expect(await executions.claim(aClaim(jobKey))).toMatchObject({ outcome: 'claimed' });
      client.conflictNext();
      const refused = await executions.claim(aClaim(jobKey, 'claim-2'));
      expect(refused).toMatchObject({ outcome: 'refused', current: { claimId: 'claim-1' } });
    });

    it('reads again what a batch left unprocessed', async () => {
      const { client, jobs, executions, freshUser } = setup();
      const userId = freshUser();
      const made = ['a', 'b', 'c'].map((jobId) => aJob({ userId, jobId }));
      for (const job of made) await jobs.create(job);
      client.leaveNextBatch();
      const answer = await jobs.getMany(made.map(jobKeyOf), { consistent: true });
      expect(answer.jobs.size).toBe(3);
      expect(answer.unread.size).toBe(0);
      const claims = made.map((job) => aClaim(jobKeyOf(job)));
      for (const claim of claims) await executions.claim(claim);
      client.leaveNextBatch();
      const rows = await executions.getMany(claims, { consistent: true });
      expect([...rows.executions.keys()].sort()).toEqual(claims.map(executionMapKey).sort());
    });

    it('writes an entry once more, as the same row', async () => {
      const { client, schedule, freshShard } = setup();
      const entry = anOccurrenceEntry({ shard: freshShard() });
      client.loseNextAnswer();
      await schedule.putEntries([entry]);
      const page = await schedule.readBucket({ minute: minuteOf(T0_MS), shard: entry.shard, limit: 10 });
      expect(page.entries).toEqual([entry]);
    });
  });
}
