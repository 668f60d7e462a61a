import { dueTimesIn, MAX_RANGE_MS } from '../../lambdas/api/backfills/plan-backfill';
import { ProblemError } from '../../lambdas/api/http/problem';
import { entryAfter, scheduleContextOf } from '../../lambdas/core/domain/entry-planning';
import type { Job, MisfirePolicy } from '../../lambdas/core/domain/job';
import { skippedRangeOf } from '../../lambdas/core/domain/misfire';
import { catchUpPacer, planEntryAndNext, planEntryOnly } from '../../lambdas/core/domain/plan-entry';
import {
  addPlannedByMinute,
  endOfPlan,
  plannedBetween,
  runsThrough,
} from '../../lambdas/core/domain/planned-times';
import { gapsBetween } from '../../lambdas/core/history/coverage';
import { MOST_AWAITED } from '../../lambdas/core/history/awaited-runs';
import { usageOf } from '../../lambdas/core/quotas/usage-of';
import type { CalendarInUse } from '../../lambdas/core/schedule/calendar-rules';
import { notDueAt } from '../../lambdas/core/schedule/not-due';
import { parseSchedule } from '../../lambdas/core/schedule/parse';
import type { PlannedSchedule } from '../../lambdas/core/schedule/planned-schedule';
import { preview } from '../../lambdas/core/schedule/preview';
import { ScheduleError } from '../../lambdas/core/schedule/schedule-error';
import type { ScheduleSpec } from '../../lambdas/core/schedule/spec';
import { validateSchedule } from '../../lambdas/core/schedule/validate';
import { aJob } from './factories';
import { CALENDARS, NOW_MS } from './schedule-corners';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
/** As many as one request may ask for. */
const MOST_PREVIEWED = 100;
/** The auditor reads an hour of a job's history at a time. Here that hour has rows 36 s apart. */
const ROWS_IN_AN_HOUR = 100;

/** A job whose schedule was changed `changedMs` ago. */
export const jobSince = (
  schedule: ScheduleSpec,
  changedMs: number,
  policy: MisfirePolicy,
  calendars: readonly Pick<CalendarInUse, 'id' | 'calendar'>[] = CALENDARS,
): Job =>
  aJob({
    schedule,
    calendars: calendars.map((one) => ({ ...one, version: 'v1', sinceMs: 0 })),
    createdAtMs: NOW_MS - changedMs,
    scheduleChangedAtMs: NOW_MS - changedMs,
    activeSinceMs: NOW_MS - changedMs,
    misfire: { policy, grace: '60s', catchUpWindow: '30d' },
  });

/** The schedule, with nothing cached of earlier searches. */
export const fresh = (job: Job): PlannedSchedule => parseSchedule(job.schedule, scheduleContextOf(job));

/** What is done once for a request, or for an entry or a job that a stage reads. */
export interface Work {
  name: string;
  run(): void;
}

/** The check of a definition, whose schedule may be refused because it never fires. */
export const checkOf = (job: Job): Work => ({
  name: 'check',
  run() {
    try {
      validateSchedule(job.schedule, scheduleContextOf(job), NOW_MS);
    } catch (error) {
      if (!(error instanceof ScheduleError)) throw error;
    }
  },
});

/** The list of what a backfill would run: as many due times as one may have, or all of a hundred years. */
export const listOf = (job: Job): Work => ({
  name: 'dates of a backfill',
  run() {
    try {
      dueTimesIn(job, { fromMs: NOW_MS, toMs: NOW_MS + MAX_RANGE_MS }, { cpuMs: () => 0 });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
    }
  },
});

/** What requests, the scanner and the auditor count and search for a job that was found `behindMs` late. */
export function worksOf(job: Job, behindMs: number): Work[] {
  const rows = Array.from({ length: ROWS_IN_AN_HOUR }, (_, index) => ({
    dueAtMs: NOW_MS - HOUR_MS + Math.floor((index * HOUR_MS) / ROWS_IN_AN_HOUR),
  }));
  const ahead: [string, (schedule: PlannedSchedule) => unknown][] = [
    ['next', (schedule) => schedule.next(NOW_MS)],
    ['previous', (schedule) => schedule.previous(NOW_MS)],
    ['usage', (schedule) => usageOf(job, NOW_MS, schedule)],
    ['runs', (schedule) => runsThrough(job, schedule, NOW_MS)],
    ['count', (schedule) => schedule.count(NOW_MS - behindMs, NOW_MS, Number.POSITIVE_INFINITY)],
    ['end of the plan', (schedule) => endOfPlan(job, schedule)],
    ['preview', (schedule) => preview(schedule, NOW_MS, MOST_PREVIEWED)],
    ['why nothing is due', () => notDueAt(job.schedule, scheduleContextOf(job), NOW_MS)],
    [
      'load of a week',
      (schedule) =>
        addPlannedByMinute(
          job,
          schedule,
          { afterMs: NOW_MS, throughMs: NOW_MS + 7 * DAY_MS },
          () => undefined,
        ),
    ],
    [
      'awaited occurrences',
      (schedule) => {
        let found = 0;
        for (const _ of plannedBetween(job, schedule, NOW_MS - behindMs, NOW_MS))
          if (++found > MOST_AWAITED) return;
      },
    ],
    [
      'gaps of an hour',
      (schedule) => gapsBetween(rows, schedule, { fromMs: NOW_MS - HOUR_MS, toMs: NOW_MS }),
    ],
  ];
  const works = ahead.map(([name, run]) => ({ name, run: () => void run(fresh(job)) }));
  const fromMs = fresh(job).next(NOW_MS - behindMs, NOW_MS);
  if (fromMs === undefined) return works;
  const after = { afterMs: fromMs - 1, runsBefore: 0, shard: 0, nowMs: 0 };
  const entry = entryAfter(job, fresh(job), after)!;
  const at = () => ({ nowMs: NOW_MS, horizonMs: MINUTE_MS, shard: 0, nextCatchUpMs: catchUpPacer(NOW_MS) });
  return [
    ...works,
    { name: 'skipped range', run: () => void skippedRangeOf(fresh(job), fromMs, NOW_MS) },
    { name: 'plan of the entry', run: () => void planEntryOnly(entry, job, fresh(job), at()) },
    {
      name: 'plan of the entry and the next',
      run: () => void planEntryAndNext(entry, job, fresh(job), at()),
    },
  ];
}
