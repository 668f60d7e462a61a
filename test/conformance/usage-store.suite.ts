import { aJob } from '../support/factories';
import type { StoreSetup } from './store-setup';

/** What the row that quotas are checked against must do. */
export function describeUsageStore(setup: () => StoreSetup): void {
  describe('UsageStore', () => {
    const some = { jobs: 2, firesPerHour: 120, payloadBytes: 700, liveRuns: 3 };

    it('adds up, gives back, and is never less than nothing', async () => {
      const { freshUser, usage } = setup();
      const user = freshUser();
      expect(await usage.get(user)).toEqual({ jobs: 0, firesPerHour: 0, payloadBytes: 0, liveRuns: 0 });
      expect(await usage.add(user, some)).toEqual(some);
      await Promise.all([usage.add(user, some), usage.add(user, some)]);
      expect(await usage.get(user, { consistent: true })).toEqual({
        jobs: 6,
        firesPerHour: 360,
        payloadBytes: 2_100,
        liveRuns: 9,
      });
      const less = { jobs: -7, firesPerHour: -60, payloadBytes: 0, liveRuns: -9 };
      const left = { jobs: 0, firesPerHour: 300, payloadBytes: 2_100, liveRuns: 0 };
      expect(await usage.add(user, less)).toEqual(left);
    });

    it('adds up what was done in the latest minute, beside the usage', async () => {
      const { freshUser, usage } = setup();
      const user = freshUser();
      await usage.add(user, some);
      const rates = { requests: 3, changes: 2, runs: 1, reports: 5 };
      expect(await usage.addRates(user, 100, rates)).toEqual(rates);
      await Promise.all([usage.addRates(user, 100, rates), usage.addRates(user, 100, rates)]);
      expect(await usage.addRates(user, 100, rates)).toEqual({
        requests: 12,
        changes: 8,
        runs: 4,
        reports: 20,
      });
      expect(await usage.addRates(user, 101, rates)).toEqual(rates);
      expect(await usage.addRates(user, 100, rates)).toEqual(rates);
      expect(await usage.addRates(user, 101, rates)).toEqual({
        requests: 6,
        changes: 4,
        runs: 2,
        reports: 10,
      });
      expect(await usage.get(user, { consistent: true })).toEqual(some);
      const nothing = { requests: 0, changes: 0, runs: 0, reports: 0 };
      expect(await usage.getWithRates(user, 101)).toEqual({
        counted: some,
        rates: { requests: 6, changes: 4, runs: 2, reports: 10 },
        writtenBytes: 0,
      });
      expect((await usage.getWithRates(user, 102)).rates).toEqual(nothing);
      expect((await usage.getWithRates(freshUser(), 101)).rates).toEqual(nothing);
    });

    it('adds up what requests wrote on the latest day', async () => {
      const { freshUser, usage } = setup();
      const user = freshUser();
      await usage.add(user, some);
      expect(await usage.writtenOn(user, '20261201')).toBe(0);
      const together = await Promise.all([1, 2, 3].map(() => usage.addWritten(user, '20261201', 500)));
      expect(Math.max(...together)).toBe(1_500);
      expect(await usage.addWritten(user, '20261201', 1)).toBe(1_501);
      expect(await usage.writtenOn(user, '20261201')).toBe(1_501);
      expect(await usage.writtenOn(user, '20261202')).toBe(0);
      expect(await usage.addWritten(user, '20261202', 70)).toBe(70);
      // A process whose clock is late learns nothing of the day that is over, and changes nothing.
      expect(await usage.addWritten(user, '20261201', 5)).toBe(5);
      expect(await usage.writtenOn(user, '20261202')).toBe(70);
      const minute = Date.UTC(2026, 11, 2, 23, 59) / 60_000;
      expect(await usage.getWithRates(user, minute)).toMatchObject({ counted: some, writtenBytes: 70 });
      expect((await usage.getWithRates(user, minute + 1)).writtenBytes).toBe(0);
    });

    it('counts the email addresses of the latest day, up to a limit', async () => {
      const { freshUser, usage } = setup();
      const user = freshUser();
      await usage.add(user, some);
      const add = (day: string) => usage.addEmailAddress(user, day, 3);
      const together = await Promise.all(Array.from({ length: 5 }, () => add('20261201')));
      expect(together.toSorted()).toEqual(['added', 'added', 'added', 'full', 'full']);
      expect(await add('20261202')).toBe('added');
      // A process whose clock is late counts on the day that has begun.
      expect([await add('20261201'), await add('20261201')]).toEqual(['added', 'added']);
      expect([await add('20261201'), await add('20261202')]).toEqual(['full', 'full']);
      expect(await usage.get(user, { consistent: true })).toEqual(some);
    });

    it('is met by a scan before the jobs of its user, and is no job', async () => {
      const { freshUser, jobs, usage } = setup();
      const user = freshUser();
      for (const jobId of ['1', 'a']) await jobs.create(aJob({ userId: user, jobId }));
      await usage.add(user, some);
      const met: unknown[] = [];
      let cursor: string | undefined;
      do {
        const slice = await jobs.scan({ cursor, limit: 2 });
        for (let index = 0; index <= slice.jobs.length; index++) {
          for (const found of slice.usages)
            if (found.jobsBefore === index && found.userId === user) met.push(found.usage);
          const job = slice.jobs[index];
          if (job?.userId === user) met.push(job.jobId);
        }
        cursor = slice.nextCursor;
      } while (cursor !== undefined);
      expect(met).toEqual([some, '1', 'a']);
      expect((await jobs.list(user, { limit: 10 })).jobs.map(({ jobId }) => jobId)).toEqual(['1', 'a']);
    });
  });
}
