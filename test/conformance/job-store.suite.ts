import { PutCommand } from '../../lambdas/core/store/dynamo/commands';

import { type JobRef, jobKeyOf } from '../../lambdas/core/contracts/tables';
import { aJob } from '../support/factories';
import type { StoreSetup } from './store-setup';

/** What every JobStore must do, and must not. */
export function describeJobStore(setup: () => StoreSetup): void {
  describe('JobStore', () => {
    it('gives a job back as it was created, whatever JSON its user put in', async () => {
      const { freshUser, jobs } = setup();
      const userId = freshUser();
      const job = aJob({
        userId,
        payload: {
          huge: 12345678901234567890,
          tiny: 1e-200,
          negativeZero: 0,
          empty: '',
          none: null,
          deep: Array.from({ length: 40 }).reduce<unknown>((inner) => [inner], 'bottom'),
          constructor: 'mine',
          ['']: 'no name',
          emoji: '🕰️',
        },
        tags: { constructor: 'x', ['__proto__']: 'y' },
        orderingKey: null,
        name: undefined,
      });
      expect(await jobs.create(job)).toEqual({ outcome: 'created' });
      const read = await jobs.get(job);
      expect(read).toEqual(job);
      expect(Object.keys(read!.tags)).toEqual(Object.keys(job.tags));
    });

    it('keeps an absent payload apart from null', async () => {
      const { freshUser, jobs } = setup();
      const userId = freshUser();
      await jobs.create(aJob({ userId, jobId: 'without', payload: undefined }));
      await jobs.create(aJob({ userId, jobId: 'null', payload: null }));
      expect(await jobs.get({ userId, jobId: 'without' })).not.toHaveProperty('payload');
      expect(await jobs.get({ userId, jobId: 'null' })).toHaveProperty('payload', null);
    });

    it('refuses a second create, and shows the job that is there', async () => {
      const { freshUser, jobs } = setup();
      const first = aJob({ userId: freshUser(), etag: 'first' });
      await jobs.create(first);
      const second = await jobs.create({ ...first, etag: 'second', timeout: '9m' });
      expect(second).toEqual({ outcome: 'exists', current: first });
      expect(await jobs.get(first)).toEqual(first);
    });

    it('lets one of many creates win', async () => {
      const { freshUser, jobs } = setup();
      const job = aJob({ userId: freshUser() });
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, index) => jobs.create({ ...job, etag: `etag-${index}` })),
      );
      expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    });

    it('replaces a job only if it has the etag seen', async () => {
      const { freshUser, jobs } = setup();
      const job = aJob({ userId: freshUser(), etag: 'one' });
      await jobs.create(job);
      const changed = { ...job, etag: 'two', payload: undefined };
      expect(await jobs.replace(changed, 'one')).toEqual({ outcome: 'replaced' });
      expect(await jobs.get(job)).toEqual(changed);
      expect(await jobs.replace({ ...job, etag: 'three' }, 'one')).toEqual({
        outcome: 'changed',
        current: changed,
      });
    });

    it('makes no job by replacing one that is gone', async () => {
      const { freshUser, jobs } = setup();
      const job = aJob({ userId: freshUser() });
      expect(await jobs.replace(job, 'etag-1')).toEqual({ outcome: 'changed', current: undefined });
      expect(await jobs.get(job)).toBeUndefined();
    });

    it('deletes: where the etag is as seen, without asking, and what is gone', async () => {
      const { freshUser, jobs } = setup();
      const job = aJob({ userId: freshUser(), etag: 'one' });
      await jobs.create(job);
      expect(await jobs.remove(job, 'other')).toEqual({ outcome: 'changed', current: job });
      expect(await jobs.get(job)).toEqual(job);
      expect(await jobs.remove(job, 'one')).toEqual({ outcome: 'deleted' });
      expect(await jobs.get(job)).toBeUndefined();
      expect(await jobs.remove(job, 'one')).toEqual({ outcome: 'deleted' });
      expect(await jobs.remove(job)).toEqual({ outcome: 'deleted' });
    });

    it('reads many by full id, over batches, and names none that it answered', async () => {
      const { freshUser, jobs } = setup();
      const userId = `${freshUser()}/with#separators`;
      const made = Array.from({ length: 3 }, (_, index) => aJob({ userId, jobId: `job-${index}` }));
      await Promise.all(made.map((job) => jobs.create(job)));
      const keys = Array.from({ length: 120 }, (_, index) => jobKeyOf({ userId, jobId: `job-${index}` }));
      for (const consistent of [true, false]) {
        const { jobs: found, unread } = await jobs.getMany([...keys, keys[0]!], { consistent });
        expect(unread.size).toBe(0);
        expect([...found.keys()].sort()).toEqual(made.map(jobKeyOf).sort());
        expect(found.get(jobKeyOf(made[1]!))).toEqual(made[1]);
      }
      expect(await jobs.getMany([], { consistent: true })).toEqual({
        jobs: new Map(),
        unread: new Set(),
        unreadable: new Set(),
      });
    });

    it('names a row that it cannot read, and never takes it for absent', async () => {
      const { client, freshUser, jobs, tables } = setup();
      const userId = freshUser();
      await jobs.create(aJob({ userId, jobId: 'sound' }));
      const row = { userId, jobId: 'broken', payload: '{' };
      await client.documents.send(new PutCommand({ TableName: tables.jobs, Item: row }));
      const keys = ['sound', 'broken'].map((jobId) => jobKeyOf({ userId, jobId }));
      const { jobs: found, unread, unreadable } = await jobs.getMany(keys, { consistent: true });
      expect([...found.keys()]).toEqual([keys[0]]);
      expect([...unread]).toEqual([]);
      expect([...unreadable]).toEqual([keys[1]]);
      await expect(jobs.get({ userId, jobId: 'broken' })).rejects.toThrow(/"broken".* cannot be read/);
      await jobs.remove({ userId, jobId: 'broken' });
    });

    it('lists one user, in order, page after page, and only jobs', async () => {
      const { client, freshUser, jobs, tables } = setup();
      const userId = freshUser();
      const ids = ['B', 'a-1', 'a-2', 'a.3', 'b'];
      await Promise.all(ids.map((jobId) => jobs.create(aJob({ userId, jobId }))));
      await jobs.create(aJob({ userId: freshUser(), jobId: 'a-0' }));
      const lock = { userId, jobId: '#overlap#a-1', holder: 'x' };
      await client.documents.send(new PutCommand({ TableName: tables.jobs, Item: lock }));

      expect(await idsOf({ limit: 100 })).toEqual(ids);
      expect(await idsOf({ limit: 2 })).toEqual(ids);
      expect(await idsOf({ after: 'a-2x', limit: 5 })).toEqual(['a.3', 'b']);
      expect(await idsOf({ after: '#overlap#a-1', limit: 5 })).toEqual(ids);
      expect(await idsOf({ through: 'a-2', limit: 2 })).toEqual(['B', 'a-1', 'a-2']);
      expect(await idsOf({ after: 'a-1', through: 'az', limit: 1 })).toEqual(['a-2', 'a.3']);

      async function idsOf(page: { after?: string; through?: string; limit: number }): Promise<string[]> {
        const found: string[] = [];
        for (let after = page.after; ;) {
          const { jobs: some, nextAfter } = await jobs.list(userId, { ...page, after });
          found.push(...some.map((job) => job.jobId));
          if (nextAfter === undefined) return found;
          after = nextAfter;
        }
      }
    });

    it('scans every job of every user once, in slices, and names rows that it cannot read', async () => {
      const { client, freshUser, jobs, tables } = setup();
      const users = [freshUser(), freshUser()];
      const made = users.flatMap((userId) => [
        aJob({ userId, jobId: 'one' }),
        aJob({ userId, jobId: 'two' }),
      ]);
      await Promise.all(made.map((job) => jobs.create(job)));
      const broken = { userId: users[0], jobId: 'broken' };
      const lock = { userId: users[0], jobId: '#overlap#one' };
      for (const Item of [broken, lock]) {
        await client.documents.send(new PutCommand({ TableName: tables.jobs, Item }));
      }
      const seen: string[] = [];
      const unreadable: JobRef[] = [];
      let cursor: string | undefined;
      do {
        const slice = await jobs.scan({ cursor, limit: 3 });
        seen.push(...slice.jobs.map(jobKeyOf));
        unreadable.push(...slice.unreadable);
        cursor = slice.nextCursor;
      } while (cursor !== undefined);
      const ours = seen.filter((key) => users.some((userId) => key.startsWith(`${userId}/`)));
      expect(ours.sort()).toEqual(made.map(jobKeyOf).sort());
      expect(unreadable.filter(({ userId }) => userId === users[0])).toEqual([
        {
          ...broken,
          reason: expect.stringContaining('broken') as string,
          jobsBefore: expect.any(Number) as number,
        },
      ]);
      await jobs.remove({ userId: users[0]!, jobId: 'broken' });
    });
  });
}
