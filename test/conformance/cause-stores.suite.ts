import type { EventCause } from '../../lambdas/core/domain/cause';
import { jobKeyOf } from '../../lambdas/core/contracts/tables';
import type { Execution } from '../../lambdas/core/domain/execution';
import { aJob, anExecution, T0_MS } from '../support/factories';
import { claimed, anEnding, leaseOf } from './execution-requests';
import type { StoreSetup } from './store-setup';

const cause: EventCause = { type: 'event', name: 'order.paid', eventId: 'e1', key: 'a' };

/** What the rows of causes must do: marks of awaited jobs, moved runs, and open runs of a key. */
export function describeCauseStores(setup: () => StoreSetup): void {
  describe('JobStore: awaited jobs', () => {
    it('marks a job without changing its etag; a replacement keeps to the mark that it has seen', async () => {
      const { freshUser, jobs } = setup();
      const job = aJob({ userId: freshUser() });
      expect(await jobs.setAwaited(job, 1_000)).toBe('missing');
      expect(await jobs.get(job)).toBeUndefined();
      await jobs.create(job);
      expect(await jobs.setAwaited(job, 1_000)).toBe('done');
      const marked = { ...job, awaitedAtMs: 1_000 };
      expect(await jobs.get(job)).toEqual(marked);
      const unaware = await jobs.replace({ ...job, etag: 'next' }, job.etag);
      expect(unaware).toEqual({ outcome: 'changed', current: marked });
      expect(await jobs.replace({ ...marked, etag: 'next' }, job.etag)).toEqual({ outcome: 'replaced' });
      expect(await jobs.replace({ ...marked, awaitedAtMs: 999, etag: 'x' }, 'next')).toMatchObject({
        outcome: 'changed',
      });
    });

    it('removes the mark that was seen, and no newer one', async () => {
      const { freshUser, jobs } = setup();
      const job = aJob({ userId: freshUser() });
      await jobs.create(job);
      await jobs.setAwaited(job, 2_000);
      await jobs.clearAwaited(job, 1_000);
      expect((await jobs.get(job))?.awaitedAtMs).toBe(2_000);
      await jobs.clearAwaited(job, 2_000);
      expect(await jobs.get(job)).toEqual(job);
    });

    it('keeps the conditions of an event schedule, whatever their names', async () => {
      const { freshUser, jobs } = setup();
      const where = { constructor: 'x', ['__proto__x']: 1, big: 1e300, none: null };
      const schedule = { type: 'event' as const, name: 'order.paid', where };
      const job = aJob({ userId: freshUser(), schedule });
      await jobs.create(job);
      expect(await jobs.get(job)).toEqual(job);
    });
  });

  describe('ExecutionStore: runs of causes', () => {
    const queued = (jobKey: string): Execution => ({
      ...anExecution({ jobKey, status: 'queued', trigger: 'event', attempt: 1, fence: 0 }),
      startAtMs: T0_MS,
      dueAtMs: T0_MS,
      cause,
      payload: { value: 1 },
    });
    const later = { startAtMs: T0_MS + 5_000, cause: { ...cause, eventId: 'e2' }, payload: { value: 2 } };

    it('moves a run that was not claimed, once each time, and not back', async () => {
      const { executions, freshJobKey, client } = setup();
      const run = queued(freshJobKey());
      expect(await executions.moveQueued(run, later)).toBe('lease-lost');
      await executions.putQueued(run);
      client.loseNextAnswer();
      // The try that is repeated counts, too.
      const moved = await executions.moveQueued(run, later);
      expect(moved).toMatchObject({ ...later, dueAtMs: later.startAtMs, timesMoved: 2 });
      expect(moved).toEqual(await executions.get(run));
      expect(await executions.moveQueued(run, { ...later, startAtMs: T0_MS + 1 })).toBe('lease-lost');
      const { payload: _, ...without } = later;
      expect(await executions.moveQueued(run, without)).toMatchObject({ timesMoved: 3 });
      expect(await executions.get(run)).not.toHaveProperty('payload');
    });

    it('does not move what was claimed; the claim waits for the new start', async () => {
      const { executions, freshJobKey } = setup();
      const run = queued(freshJobKey());
      await executions.putQueued(run);
      await executions.moveQueued(run, later);
      const before = { jobKey: run.jobKey, execId: run.execId, trigger: 'event' as const };
      const early = { ...before, timesMoved: 1 };
      await expect(claimed(executions, { ...early, nowMs: T0_MS + 1 })).rejects.toThrow('refused');
      await expect(claimed(executions, { ...before, nowMs: T0_MS + 5_000 })).rejects.toThrow('refused');
      const execution = await claimed(executions, { ...early, nowMs: T0_MS + 5_000 });
      expect(execution).toMatchObject({ cause: later.cause, payload: { value: 2 } });
      expect(await executions.moveQueued(run, { ...later, startAtMs: T0_MS + 9_000 })).toBe('lease-lost');
    });

    it('tells of an end that is awaited in its status, until a user retry', async () => {
      const { executions, freshJobKey } = setup();
      const execution = await claimed(executions, { jobKey: freshJobKey() });
      await executions.finish(leaseOf(execution), anEnding({ status: 'failed', awaited: true }), []);
      const [row] = [...(await executions.getStatuses([execution])).values()];
      expect(row).toMatchObject({ status: 'failed', awaited: true });
      const ended = (await executions.get(execution))!;
      await executions.userRetry(ended, { startAtMs: T0_MS + 9_000 });
      expect(await executions.get(execution)).not.toHaveProperty('awaited');
    });
  });

  describe('BackfillStore', () => {
    it('lists the backfills of a job, newest first, page by page', async () => {
      const { backfills, freshJobKey } = setup();
      const jobKey = freshJobKey();
      const of = (execId: string) => ({ jobKey, execId, alreadySucceeded: 1, writes: 19, firstMs: T0_MS });
      const [first, second, third] = ['20261201-bf1', '20261202-bf2', '20261203-bf3'].map(of) as [
        ReturnType<typeof of>,
        ReturnType<typeof of>,
        ReturnType<typeof of>,
      ];
      expect(await backfills.list(jobKey, { limit: 2 })).toEqual({ backfills: [] });
      expect(await backfills.get(first)).toBeUndefined();
      for (const one of [second, first, third, first]) await backfills.put(one, 2_000_000_000);
      expect(await backfills.get(first)).toEqual(first);
      const page = await backfills.list(jobKey, { limit: 2 });
      expect(page.backfills).toEqual([third, second]);
      const next = await backfills.list(jobKey, { after: page.nextAfter, limit: 2 });
      expect(next).toEqual({ backfills: [first] });
    });

    it('lists those of a project over its jobs, and no other project has them', async () => {
      const { backfills, freshUser } = setup();
      const project = freshUser();
      const of = (job: string, execId: string) => ({
        jobKey: jobKeyOf({ userId: project, jobId: job }),
        execId,
        alreadySucceeded: 0,
        writes: 1,
      });
      // Two jobs have a backfill of one id: neither may hide the other.
      const [first, second, third] = [
        of('b', '20261201-bf1'),
        of('a', '20261202-bf2'),
        of('b', '20261202-bf2'),
      ];
      for (const one of [third, first, second]) await backfills.put(one!, 2_000_000_000);
      const page = await backfills.listOfProject(project, { limit: 2 });
      expect(page).toEqual({ backfills: [third, second], nextAfter: '20261202-bf2#a' });
      const next = await backfills.listOfProject(project, { after: page.nextAfter, limit: 2 });
      expect(next).toEqual({ backfills: [first] });
      expect(await backfills.listOfProject(`${project} too`, { limit: 2 })).toEqual({ backfills: [] });
    });
  });

  describe('DebounceStore', () => {
    it('names one open run a key, in the place of the one seen', async () => {
      const { debounces, freshJobKey, client } = setup();
      const ref = { jobKey: freshJobKey(), key: 'order/42 §' };
      const first = { execId: 'first', expiresAtSec: 4_000_000_000 };
      expect(await debounces.get(ref)).toBeUndefined();
      client.loseNextAnswer();
      expect(await debounces.replace(ref, first, undefined)).toBe('done');
      expect(await debounces.replace(ref, { ...first, execId: 'other' }, undefined)).toBe('lost');
      expect(await debounces.replace(ref, { ...first, execId: 'second' }, 'first')).toBe('done');
      expect(await debounces.replace(ref, { ...first, execId: 'third' }, 'first')).toBe('lost');
      expect(await debounces.get(ref)).toBe('second');
      expect(await debounces.get({ ...ref, key: '' })).toBeUndefined();
    });
  });
}
