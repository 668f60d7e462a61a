import { MINUTE_MS } from '../../../../lambdas/core/clock/clock';
import { ensureNextEntry, planForLate } from '../../../../lambdas/core/dispatch/next-entry';
import type { OccurrenceEntry } from '../../../../lambdas/core/domain/entry';
import type { Job } from '../../../../lambdas/core/domain/job';
import { planEntryAndNext, planEntryOnly } from '../../../../lambdas/core/domain/plan-entry';
import { shardOf } from '../../../../lambdas/core/domain/shard';
import { aJob, anOccurrenceEntry, T0_MS } from '../../../support/factories';
import { PipelineWorld } from '../../../support/pipeline-world';

const ENTRY_SHARD = 0;
const SHARDS = 16;
const PRESENT_SHARD = shardOf('alice/nightly-report', SHARDS);
const OTHER_SHARD = 7;

/** A job that fires each minute, and its entry of minute 0; all times in minutes since T0. */
const minutely = (maxRuns?: number): Job =>
  aJob({
    scheduleChangedAtMs: T0_MS - 1,
    schedule: { type: 'cron', expression: '* * * * *', maxRuns },
  });
const entry = anOccurrenceEntry({ shard: ENTRY_SHARD });
const entryAt = (minute: number, overrides: Partial<OccurrenceEntry> = {}): OccurrenceEntry =>
  anOccurrenceEntry({ dueAtMs: T0_MS + minute * MINUTE_MS, shard: ENTRY_SHARD, ...overrides });

async function worldWith(minute: number, written: readonly OccurrenceEntry[]) {
  const world = await PipelineWorld.started(SHARDS);
  await world.deps.schedule.putEntries(written);
  await world.clock.advance(minute * MINUTE_MS);
  return { ...world.deps, world };
}

const ENTRY_AND_NEXT = planEntryAndNext.name;
const ENTRY_ONLY = planEntryOnly.name;
const catchUp = { catchUp: true } as const;

describe('how to plan an entry found late', () => {
  type Row = [what: string, minute: number, written: OccurrenceEntry[], plan: string];
  test.each<Row>([
    ['the next entry is not written', 1, [], ENTRY_AND_NEXT],
    ['the next entry is written', 1, [entryAt(1)], ENTRY_ONLY],
    ['it is written under the present shard', 1, [entryAt(1, { shard: PRESENT_SHARD })], ENTRY_ONLY],
    ['it is written under another shard', 1, [entryAt(1, { shard: OTHER_SHARD })], ENTRY_AND_NEXT],
    ['it is written, and 5 min have passed', 5, [entryAt(1)], ENTRY_ONLY],
    ['a later one is written: found late, decided, 5 min late', 5, [entryAt(6)], ENTRY_ONLY],
    ['the same under the present shard', 5, [entryAt(6, { shard: PRESENT_SHARD })], ENTRY_ONLY],
    ['the same under another shard', 5, [entryAt(6, { shard: OTHER_SHARD })], ENTRY_AND_NEXT],
    ['the next one is due just now, and a later one is written', 1, [entryAt(2)], ENTRY_ONLY],
    ['only one between the next and now is written', 5, [entryAt(3)], ENTRY_AND_NEXT],
    ['only one after the next and not yet due', 0.5, [entryAt(2)], ENTRY_AND_NEXT],
    ['only a catch-up of the next occurrence', 1, [entryAt(1, catchUp)], ENTRY_AND_NEXT],
    ['the next entry, of another revision', 1, [entryAt(1, { revision: 'old' })], ENTRY_AND_NEXT],
  ])('%s', async (_, minute, written, plan) => {
    const deps = await worldWith(minute, written);
    expect((await planForLate(entry, minutely(), deps)).name).toBe(plan);
  });

  test.each<[what: string, job: Job, of: OccurrenceEntry]>([
    ['the last of its series has no next entry', minutely(1), entry],
    ['a catch-up entry has no next entry', minutely(), { ...entry, ...catchUp }],
  ])('%s, so none is missing', async (_, job, of) => {
    expect((await planForLate(of, job, await worldWith(5, []))).name).toBe(ENTRY_ONLY);
  });

  test('runs are counted: after 5 min, maxRuns of 6 leaves none that a late decision goes on with', async () => {
    const deps = await worldWith(5, [entryAt(6)]);
    expect((await planForLate(entry, minutely(7), deps)).name).toBe(ENTRY_ONLY);
    expect((await planForLate(entry, minutely(6), deps)).name).toBe(ENTRY_AND_NEXT);
  });
});

describe('making sure of the next entry', () => {
  const dues = async (deps: Awaited<ReturnType<typeof worldWith>>) =>
    deps.world.tables
      .rows('schedule')
      .flatMap(({ entry: key }) => /#o#.*T(\d\d:?\d\d)/.exec(String(key))?.[1] ?? []);

  test('writes it and dispatches ahead, up to what no scanner can have passed', async () => {
    const deps = await worldWith(0.5, []);
    await ensureNextEntry(entry, minutely(), deps);
    expect(await dues(deps)).toEqual(['0831', '0832', '0833', '0834', '0835', '0836']);
    expect(deps.world.queue.messages.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS)).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });

  test('does nothing if it is written, or if none is left', async () => {
    const deps = await worldWith(0.5, [entryAt(1)]);
    await ensureNextEntry(entry, minutely(), deps);
    await ensureNextEntry(entry, minutely(1), deps);
    expect(await dues(deps)).toEqual(['0831']);
    expect(deps.world.queue.messages).toEqual([]);
  });

  test('files one that is overdue at now, so that it is not behind the sweep', async () => {
    const deps = await worldWith(5, []);
    await ensureNextEntry(entry, minutely(2), deps);
    const keys = deps.world.tables.rows('schedule').map((row) => String(row.entry));
    expect(keys).toContain('20261201T083500.000Z#alice/nightly-report#o#revision-1#20261201T083100.000Z');
  });
});
