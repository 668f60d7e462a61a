import { scheduleOf } from '../../../../lambdas/core/domain/entry-planning';
import {
  isPlannedAt,
  nextPlanned,
  runsLeftAfter,
  runsThrough,
} from '../../../../lambdas/core/domain/planned-times';
import { aJob, T0_MS } from '../../../support/factories';

/** Fires each minute; the schedule was changed at T0, when it was due too. */
const minutely = (maxRuns?: number) =>
  aJob({ scheduleChangedAtMs: T0_MS, schedule: { type: 'cron', expression: '* * * * *', maxRuns } });
const at = (minutes: number) => T0_MS + minutes * 60_000;

const NONE = undefined;
const ANY = Number.POSITIVE_INFINITY;

describe('at an instant, in minutes since the schedule changed', () => {
  type Row = [
    maxRuns: number | undefined,
    minutes: number,
    run: number,
    left: number,
    next: number | undefined,
  ];
  test.each<Row>([
    [undefined, 0, 0, ANY, 1],
    [undefined, 1_000, 0, ANY, 1_001],
    [3, 0, 0, 3, 1],
    [3, 0.5, 0, 3, 1],
    [3, 1, 1, 2, 2],
    [3, 2, 2, 1, 3],
    [3, 2.5, 2, 1, 3],
    [3, 3, 3, 0, NONE],
    [3, 4, 3, 0, NONE],
    [1, 0, 0, 1, 1],
    [1, 1, 1, 0, NONE],
  ])('maxRuns %p, minute %p: %p run, %p left, the next is minute %p', (maxRuns, minutes, run, left, next) => {
    const job = minutely(maxRuns);
    const schedule = scheduleOf(job);
    expect(runsThrough(job, schedule, at(minutes))).toBe(run);
    expect(runsLeftAfter(job, schedule, at(minutes))).toBe(left);
    expect(nextPlanned(job, schedule, at(minutes))).toBe(next === NONE ? NONE : at(next));
  });
});

test('a schedule that has ended plans nothing, with runs left or without maxRuns', () => {
  const endAt = new Date(at(2)).toISOString();
  for (const maxRuns of [undefined, 100]) {
    const job = aJob({ schedule: { type: 'cron', expression: '* * * * *', endAt, maxRuns } });
    expect(nextPlanned(job, scheduleOf(job), at(2))).toBe(NONE);
  }
});

test.each<[what: string, maxRuns: number | undefined, minutes: number, planned: boolean]>([
  ['a due time', undefined, 1, true],
  ['no due time', undefined, 1.5, false],
  ['the last of maxRuns', 3, 3, true],
  ['the first beyond maxRuns', 3, 4, false],
  ['no due time, with runs left', 3, 1.5, false],
])('%s is planned: maxRuns %p, minute %p → %p', (_, maxRuns, minutes, planned) => {
  const job = minutely(maxRuns);
  expect(isPlannedAt(job, scheduleOf(job), at(minutes))).toBe(planned);
});
