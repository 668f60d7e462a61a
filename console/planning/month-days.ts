import type { Schedule } from '../../client/browser';
import { parseSchedule } from '../../lambdas/core/schedule/parse';
import type { RecurringSpec, ScheduleSpec } from '../../lambdas/core/schedule/spec';
import { DAY_MS, isoDate, offset, startOfDate } from '../time/format';
import { datesOf } from '../time/months';

/** What a schedule does on one date of its zone. */
export interface PlannedDay {
  date: string;
  /** Occurrences, at most `MOST`. */
  planned: number;
  /** Without its exclusions, it would have some. */
  isExcluded: boolean;
  /** Clocks change on this date. */
  clocks: string | undefined;
}

export const MOST = 999;

interface Context {
  /** `<project>/<jobId>`, on which the jitter depends. */
  jobKey: string;
  changedAtMs: number;
}

/** The dates of a month of the schedule's zone. `month`: `2026-11`. Throws if it cannot read the schedule. */
export function plannedDays(schedule: Schedule, month: string, zone: string, context: Context): PlannedDay[] {
  const spec = schedule as ScheduleSpec;
  const plan = parseSchedule(spec, context);
  const whole = hasExclusions(spec) ? parseSchedule({ ...spec, exclude: [] }, context) : plan;
  return datesOf(month).map((date) => {
    const fromMs = startOfDate(date, zone);
    const toMs = startOfDate(isoDate(fromMs + 1.5 * DAY_MS, zone), zone);
    const countIn = (one: typeof plan) => one.count(fromMs - 1, toMs - 1, MOST);
    const planned = countIn(plan);
    return {
      date,
      planned,
      isExcluded: planned === 0 && whole !== plan && countIn(whole) > 0,
      clocks: clocksText(fromMs, toMs, zone),
    };
  });
}

const hasExclusions = (spec: ScheduleSpec): spec is RecurringSpec =>
  typeof spec === 'object' && 'exclude' in spec && (spec.exclude?.length ?? 0) > 0;

function clocksText(fromMs: number, toMs: number, zone: string): string | undefined {
  const [before, after] = [offset(fromMs, zone), offset(toMs, zone)];
  return before === after ? undefined : `clocks change from ${before} to ${after}`;
}
