import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../lambdas/core/clock/clock';
import {
  entryAfter,
  firstEntry,
  runsThroughEntry,
  scheduleOf,
} from '../../../../lambdas/core/domain/entry-planning';
import type { Job } from '../../../../lambdas/core/domain/job';
import { aJob, anOccurrenceEntry, T0_MS } from '../../../support/factories';

const anchor = new Date(T0_MS).toISOString();
/** Fires from T0 on. */
const every = (interval: string, maxRuns?: number): Job =>
  aJob({ scheduleChangedAtMs: T0_MS - 1, schedule: { type: 'interval', every: interval, anchor, maxRuns } });
const sec = (ms: number) => (ms - T0_MS) / SECOND_MS;

describe('the entry after an instant', () => {
  type At = { after: number; runsBefore?: number; now?: number };
  test.each<[what: string, job: Job, at: At, due: number[] | undefined, filedAt: number | undefined]>([
    ['one due time in its bucket', every('1m'), { after: 0 }, [60], 60],
    ['a due time at `after` is not later', every('1h'), { after: 0 }, [3_600], 3_600],
    ['one just before `after` + 1 ms', every('1h'), { after: -0.001 }, [0], 0],
    ['several in one bucket: filed at the last', every('20s'), { after: -1 }, [0, 20, 40], 40],
    ['the rest of a bucket', every('20s'), { after: 0 }, [20, 40], 40],
    ['the last of a bucket', every('20s'), { after: 20 }, [40], 40],
    ['the first of the next bucket', every('20s'), { after: 40 }, [60, 80, 100], 100],
    ['a bucket that the due times cross', every('40s'), { after: -1 }, [0, 40], 40],
    ['late by less than the last: filed at the last', every('20s'), { after: -1, now: 39 }, [0, 20, 40], 40],
    ['late by more than the last: filed at now', every('20s'), { after: -1, now: 41 }, [0, 20, 40], 41],
    ['one run left: the rest of the bucket is not planned', every('20s', 1), { after: -1 }, [0], 0],
    ['two runs left', every('20s', 5), { after: -1, runsBefore: 3 }, [0, 20], 20],
    ['more runs left than the bucket has', every('20s', 4), { after: -1 }, [0, 20, 40], 40],
    ['no run left', every('20s', 3), { after: 40, runsBefore: 3 }, undefined, undefined],
    [
      'maxRuns lowered below the runs so far',
      every('20s', 3),
      { after: 60, runsBefore: 4 },
      undefined,
      undefined,
    ],
    [
      'a schedule that has ended',
      aJob({ schedule: { type: 'at', at: anchor } }),
      { after: 0 },
      undefined,
      undefined,
    ],
  ])('%s', (_, job, { after, runsBefore = 0, now = -1 }, due, filedAt) => {
    const entry = entryAfter(job, scheduleOf(job), {
      afterMs: T0_MS + after * SECOND_MS,
      runsBefore,
      shard: 0,
      nowMs: T0_MS + now * SECOND_MS,
    });
    const offsetsMs = due?.slice(1).map((dueSec) => (dueSec - due[0]!) * SECOND_MS);
    const expected =
      due &&
      anOccurrenceEntry({
        dueAtMs: T0_MS + due[0]! * SECOND_MS,
        throughMs: T0_MS + due.at(-1)! * SECOND_MS,
        checkAtMs: T0_MS + filedAt! * SECOND_MS,
        runsBefore,
        ...(offsetsMs!.length > 0 && { offsetsMs }),
      });
    expect(entry).toEqual(expected);
  });

  test('carries shard, generation and revision', () => {
    const job = aJob({ generation: 4, revision: 'revision-4' });
    const at = { afterMs: T0_MS, runsBefore: 0, shard: 7, nowMs: T0_MS };
    expect(entryAfter(job, scheduleOf(job), at)).toMatchObject({
      shard: 7,
      generation: 4,
      revision: 'revision-4',
    });
  });
});

test.each<[what: string, job: Job, nowMs: number, due: number | undefined, runsBefore: number]>([
  ['created before its first occurrence', every('1m', 3), T0_MS - 1, 0, 0],
  ['resumed when the first was due', every('1m', 3), T0_MS, 60, 1],
  ['resumed when two were due', every('1m', 3), T0_MS + 61_000, 120, 2],
  ['resumed when all were due', every('1m', 3), T0_MS + HOUR_MS, undefined, 0],
  ['without maxRuns nothing is counted', every('1m'), T0_MS + 61_000, 120, 0],
])('the first entry of a job that was %s', (_, job, nowMs, due, runsBefore) => {
  const entry = firstEntry(job, scheduleOf(job), 0, nowMs);
  expect(entry && sec(entry.dueAtMs)).toBe(due);
  expect(entry?.runsBefore ?? 0).toBe(runsBefore);
});

test.each<[what: string, maxRuns: number | undefined, throughMs: number, runs: number]>([
  ['through its first due time', 100, T0_MS, 11],
  ['through its bucket', 100, T0_MS + 40 * SECOND_MS, 13],
  ['through a minute later', 100, T0_MS + MINUTE_MS, 14],
  ['without maxRuns nothing is counted', undefined, T0_MS + MINUTE_MS, 0],
])('runs %s, by an entry that 10 runs came before', (_, maxRuns, throughMs, runs) => {
  const entry = anOccurrenceEntry({ runsBefore: 10 });
  expect(runsThroughEntry(entry, scheduleOf(every('20s', maxRuns)), throughMs)).toBe(runs);
});

test('an interval without anchor counts from the change of the schedule', () => {
  const job = aJob({ schedule: { type: 'interval', every: '7s' }, scheduleChangedAtMs: T0_MS + 3 });
  expect(scheduleOf(job).next(T0_MS)).toBe(T0_MS + 7_003);
});
