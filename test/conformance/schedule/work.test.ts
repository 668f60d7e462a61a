import fc from 'fast-check';

import { entryAfter } from '../../../lambdas/core/domain/entry-planning';
import type { Job, MisfirePolicy } from '../../../lambdas/core/domain/job';
import { skippedRangeOf } from '../../../lambdas/core/domain/misfire';
import { catchUpPacer, planEntryAndNext, planEntryOnly } from '../../../lambdas/core/domain/plan-entry';
import { endOfPlan, runsThrough } from '../../../lambdas/core/domain/planned-times';
import { usageOf } from '../../../lambdas/core/quotas/usage-of';
import { parseSchedule } from '../../../lambdas/core/schedule/parse';
import type { ScheduleSpec } from '../../../lambdas/core/schedule/spec';
import { validateSchedule } from '../../../lambdas/core/schedule/validate';
import { IS_DEEP } from '../../support/deep';
import { aJob } from '../../support/factories';
import { ALL_BUT_ONE_SECOND, CALENDARS, corner, NOW_MS } from '../../support/schedule-corners';
import { stepsOf } from '../../support/schedule-steps';

/** A definition that may never fire is searched through 400 years of days, in a few cached steps each. */
const MOST_STEPS_OF_A_CHECK = 400_000;
/** On average, a step takes less than a quarter of a microsecond. So this is at most 50 ms. */
const MOST_STEPS = 200_000;
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const POLICIES: readonly MisfirePolicy[] = ['skip', 'fire-once', 'fire-now', 'fire-all'];

const jobOf = (schedule: ScheduleSpec, changedAtMs: number, policy: MisfirePolicy): Job =>
  aJob({
    schedule,
    calendars: CALENDARS.map((one) => ({ ...one, version: 'v1', sinceMs: 0 })),
    createdAtMs: changedAtMs,
    scheduleChangedAtMs: changedAtMs,
    misfire: { policy, grace: '60s', catchUpWindow: '30d' },
  });

/** The schedule, with nothing cached of earlier searches. */
const fresh = ({ schedule, scheduleChangedAtMs }: Job) =>
  parseSchedule(schedule, { jobKey: 'alice/report', changedAtMs: scheduleChangedAtMs, calendars: CALENDARS });

/** What a request, the scanner and the auditor count and search for a job that was found `behindMs` late. */
function worksOf(job: Job, behindMs: number): [string, () => void][] {
  const ahead: [string, () => void][] = [
    ['next', () => fresh(job).next(NOW_MS)],
    ['previous', () => fresh(job).previous(NOW_MS)],
    ['usage', () => usageOf(job, NOW_MS, fresh(job))],
    ['runs', () => runsThrough(job, fresh(job), NOW_MS)],
    ['count', () => fresh(job).count(NOW_MS - behindMs, NOW_MS, Number.POSITIVE_INFINITY)],
    ['end of the plan', () => endOfPlan(job, fresh(job))],
  ];
  const fromMs = fresh(job).next(NOW_MS - behindMs, NOW_MS);
  if (fromMs === undefined) return ahead;
  const after = { afterMs: fromMs - 1, runsBefore: 0, shard: 0, nowMs: 0 };
  const entry = entryAfter(job, fresh(job), after)!;
  const at = () => ({ nowMs: NOW_MS, horizonMs: MINUTE_MS, shard: 0, nextCatchUpMs: catchUpPacer(NOW_MS) });
  return [
    ...ahead,
    ['skipped range', () => skippedRangeOf(fresh(job), fromMs, NOW_MS)],
    ['plan of the entry', () => planEntryOnly(entry, job, fresh(job), at())],
    ['plan of the entry and the next', () => planEntryAndNext(entry, job, fresh(job), at())],
  ];
}

function expectFewSteps(job: Job, behindMs: number): void {
  const works = worksOf(job, behindMs).map(([name, work]) => ({ name, steps: stepsOf(work) }));
  expect(works.filter(({ steps }) => steps >= MOST_STEPS)).toEqual([]);
}

const DATES = Array.from({ length: 90 }, (_, day) =>
  new Date(NOW_MS + (day - 95) * DAY_MS).toISOString().slice(0, 10),
);
const EXTREME: ScheduleSpec = {
  type: 'interval',
  every: '7s',
  jitter: '23h',
  timezone: 'Europe/Berlin',
  exclude: [...ALL_BUT_ONE_SECOND, ...DATES],
};

test.each(POLICIES)('%s: one second a minute is left of an interval, and ninety days not', (policy) => {
  for (const behindMs of [MINUTE_MS, HOUR_MS, 30 * DAY_MS, 90 * DAY_MS, 400 * DAY_MS])
    expectFewSteps(jobOf(EXTREME, NOW_MS - behindMs - DAY_MS, policy), behindMs);
});

test('any definition, policy and delay', () => {
  const behind = fc.oneof(
    fc.integer({ min: 1, max: 24 * 60 }).map((minutes) => minutes * MINUTE_MS),
    fc.integer({ min: 1, max: 400 }).map((days) => days * DAY_MS),
  );
  fc.assert(
    fc.property(corner, fc.constantFrom(...POLICIES), behind, (spec, policy, behindMs) => {
      const job = jobOf(spec, NOW_MS - behindMs - DAY_MS, policy);
      fc.pre(fresh(job).next(job.scheduleChangedAtMs) !== undefined);
      expectFewSteps(job, behindMs);
    }),
    { numRuns: IS_DEEP ? 200 : 8 },
  );
});

test('the check of a definition that may leave nothing', () => {
  fc.assert(
    fc.property(corner, (spec) => {
      const context = { jobKey: 'alice/report', changedAtMs: NOW_MS, calendars: CALENDARS };
      const steps = stepsOf(() => {
        try {
          validateSchedule(spec, context, NOW_MS);
        } catch (error) {
          expect(error).toHaveProperty('path', 'exclude');
        }
      });
      if (steps >= MOST_STEPS_OF_A_CHECK) throw new Error(`${steps} steps, ${JSON.stringify(spec)}`);
      expect(steps).toBeGreaterThan(0);
    }),
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
  const job = jobOf(schedule, NOW_MS, 'skip');
  expect(stepsOf(() => expect(fresh(job).next(NOW_MS)).toBeUndefined())).toBeLessThan(MOST_STEPS);
});

test('a search that has an end finds what lies before it, and nothing later', () => {
  fc.assert(
    fc.property(corner, (spec) => {
      const job = jobOf(spec, NOW_MS - DAY_MS, 'skip');
      const nextMs = fresh(job).next(NOW_MS);
      fc.pre(nextMs !== undefined);
      expect(fresh(job).next(NOW_MS, nextMs)).toBe(nextMs);
      expect(fresh(job).next(NOW_MS, nextMs - 1)).toBeUndefined();
    }),
    { numRuns: IS_DEEP ? 2_000 : 20 },
  );
});
