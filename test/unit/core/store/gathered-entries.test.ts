import type { OccurrenceEntry } from '../../../../lambdas/core/domain/entry';
import { WriteTimeoutError } from '../../../../lambdas/core/errors';
import { withGatheredEntries } from '../../../../lambdas/core/store/gathered-entries';
import type { ScheduleStore } from '../../../../lambdas/core/store/schedule-store';
import { anOccurrenceEntry } from '../../../support/factories';
import { FakeClock } from '../../../support/fake-clock';

const entryOf = (jobId: string): OccurrenceEntry => anOccurrenceEntry({ jobKey: `alice/${jobId}` });

/** A store whose writes take four seconds. `written`: the jobs and the time limit of each write. */
function gathering() {
  const clock = new FakeClock();
  const written: { jobs: string[]; withinMs: number | undefined }[] = [];
  const failing = new Set<string>();
  const store = {
    async putEntries(entries: readonly OccurrenceEntry[], withinMs?: number) {
      const jobs = entries.map(({ jobKey }) => jobKey.split('/')[1]!);
      written.push({ jobs, withinMs });
      await clock.sleep(4_000);
      if (jobs.some((one) => failing.has(one))) throw new Error('throttled');
    },
  };
  const { putEntries } = withGatheredEntries(store as unknown as ScheduleStore, clock);
  const put = (jobId: string, withinMs?: number) => putEntries([entryOf(jobId)], withinMs);
  return { clock, written, failing, put };
}

test('entries that come while one is written are one write, within the shortest limit', async () => {
  const { clock, written, put } = gathering();
  await clock.settle(Promise.all([put('a'), put('b'), put('c', 9_000), put('d')]));
  expect(written).toEqual([
    { jobs: ['a'], withinMs: 10_000 },
    { jobs: ['b', 'c', 'd'], withinMs: 5_000 },
  ]);
});

test('a put whose time is up while it waits fails alone', async () => {
  const { clock, written, put } = gathering();
  const puts = clock.settle(Promise.allSettled([put('a'), put('b', 3_000), put('c')]));
  expect((await puts).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await puts).toContainEqual({ status: 'rejected', reason: expect.any(WriteTimeoutError) });
  expect(written.map(({ jobs }) => jobs)).toEqual([['a'], ['c']]);
});

test('a write that fails is the failure of each of its puts, and of no other', async () => {
  const { clock, failing, put } = gathering();
  failing.add('b');
  const puts = clock.settle(Promise.allSettled([put('a'), put('b'), put('c')]));
  expect((await puts).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
});
