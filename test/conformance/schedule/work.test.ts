import fc from 'fast-check';

import type { MisfirePolicy } from '../../../lambdas/core/domain/job';
import type { ScheduleSpec } from '../../../lambdas/core/schedule/spec';
import { IS_DEEP } from '../../support/deep';
import { corner, EXTREMES, NOW_MS } from '../../support/schedule-corners';
import { stepsOf } from '../../support/schedule-steps';
import { checkOf, fresh, jobSince, listOf, type Work, worksOf } from '../../support/schedule-works';

/** A definition that may never fire is searched through 400 years of days, in a few cached steps each. */
const MOST_STEPS_OF_A_CHECK = 400_000;
/** On average, a step takes less than a quarter of a microsecond. So this is at most 50 ms. */
const MOST_STEPS = 200_000;
/** 10,000 due times, each found among up to a hundred seconds or days that are excluded. */
const MOST_STEPS_OF_A_LIST = 2_000_000;
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
const TEN_YEARS_MS = 3_653 * DAY_MS;
const POLICIES: readonly MisfirePolicy[] = ['skip', 'fire-once', 'fire-now', 'fire-all'];

function expectFewSteps(works: readonly Work[], most = MOST_STEPS): void {
  const counted = works.map(({ name, run }) => ({ name, steps: stepsOf(run) }));
  expect(counted.filter(({ steps }) => steps >= most)).toEqual([]);
}

describe.each(EXTREMES)('%s', (_, spec) => {
  test.each(POLICIES)('%s', (policy) => {
    for (const behindMs of [MINUTE_MS, 30 * DAY_MS, 400 * DAY_MS])
      expectFewSteps(worksOf(jobSince(spec, behindMs + DAY_MS, policy), behindMs));
  });

  test('ten years after its change', () => {
    const job = jobSince(spec, TEN_YEARS_MS, 'skip');
    expectFewSteps([checkOf(job), ...worksOf(job, TEN_YEARS_MS - DAY_MS)]);
  });
});

test('any definition, policy and delay', () => {
  const behind = fc.oneof(
    fc.integer({ min: 1, max: 24 * 60 }).map((minutes) => minutes * MINUTE_MS),
    fc.integer({ min: 1, max: 400 }).map((days) => days * DAY_MS),
  );
  fc.assert(
    fc.property(corner, fc.constantFrom(...POLICIES), behind, (spec, policy, behindMs) => {
      const job = jobSince(spec, behindMs + DAY_MS, policy);
      fc.pre(fresh(job).next(job.scheduleChangedAtMs) !== undefined);
      expectFewSteps(worksOf(job, behindMs));
    }),
    { numRuns: IS_DEEP ? 200 : 8 },
  );
});

test('the check of a definition that may leave nothing', () => {
  fc.assert(
    fc.property(corner, (spec) =>
      expectFewSteps([checkOf(jobSince(spec, 0, 'skip'))], MOST_STEPS_OF_A_CHECK),
    ),
    { numRuns: IS_DEEP ? 200 : 8 },
  );
});

test('the dates of a backfill', () => {
  fc.assert(
    fc.property(corner, (spec) =>
      expectFewSteps([listOf(jobSince(spec, DAY_MS, 'skip'))], MOST_STEPS_OF_A_LIST),
    ),
    { numRuns: IS_DEEP ? 200 : 8 },
  );
});

test('a search for an occurrence that moves ends after nearly a year of days that leave none', () => {
  const schedule: ScheduleSpec = {
    type: 'cron',
    expression: '0 0-23 * * *',
    onExcluded: 'next-day',
    exclude: ['* * * * MON-FRI', { calendar: 'weekends' }],
  };
  const job = jobSince(schedule, 0, 'skip');
  expect(stepsOf(() => expect(fresh(job).next(NOW_MS)).toBeUndefined())).toBeLessThan(MOST_STEPS);
});

test('a search that has an end finds what lies before it, and nothing later', () => {
  fc.assert(
    fc.property(corner, (spec) => {
      const job = jobSince(spec, DAY_MS, 'skip');
      const nextMs = fresh(job).next(NOW_MS);
      fc.pre(nextMs !== undefined);
      expect(fresh(job).next(NOW_MS, nextMs)).toBe(nextMs);
      expect(fresh(job).next(NOW_MS, nextMs - 1)).toBeUndefined();
    }),
    { numRuns: IS_DEEP ? 2_000 : 20 },
  );
});
