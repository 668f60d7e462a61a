import { bitsOf, lowestBit } from './bits';
import { CALENDAR_CYCLE_SEC, dayNumberOf, daysInMonth, SECONDS_PER_DAY, weekdayOf } from './civil';
import { CronCalendar } from './cron-calendar';
import type { CronExpression } from './cron-expression';
import { DayTimes } from './day-times';
import { type PlannedDays, walkDays } from './day-walk';
import type { Exclusions } from './exclusions';
import { LAST_WALL_SEC, type WallPlan } from './wall-plan';

/** More than there are, so that each kind of month has a number of its own. */
const [MONTHS, MOST_DAYS, WEEKDAYS] = [13, 32, 7];

/**
 * The wall times of an expression, less the excluded ones. All functions are arithmetic. Their cost follows
 * from the months and days that they pass, or from the minutes. It never follows from the number of times,
 * planned or excluded.
 */
export function cronPlan(cron: CronExpression, exclusions: Exclusions | undefined): WallPlan {
  const calendar = new CronCalendar(cron);
  const days: PlannedDays = {
    calendar,
    excludedDays: exclusions?.days ?? [],
    exclusions: exclusions?.times.map((one) => one.calendar) ?? [],
  };
  const times = new DayTimes(cron, exclusions?.times.map(({ timesOfDay }) => timesOfDay) ?? []);
  const searched: PlannedDays = { ...days, isEmptyMonth: emptyMonths(calendar, days.exclusions, times) };
  return {
    next: (fromSec, search) =>
      exclusions ? nextTime(searched, times, fromSec, search?.untilSec) : calendar.next(fromSec),
    count: (fromSec, untilSec) => countTimes(days, times, fromSec, Math.min(untilSec, LAST_WALL_SEC + 1)),
    addByMinute(fromSec, untilSec, shiftSec, add) {
      const endSec = Math.min(untilSec, LAST_WALL_SEC + 1);
      const lastDay = Math.floor((endSec - 1) / SECONDS_PER_DAY);
      walkDays(days, Math.floor(fromSec / SECONDS_PER_DAY), lastDay, (day, by) => {
        const startSec = day * SECONDS_PER_DAY;
        const part = {
          fromSec: Math.max(fromSec - startSec, 0),
          untilSec: Math.min(endSec - startSec, SECONDS_PER_DAY),
          shiftSec: startSec + shiftSec,
        };
        times.addByMinute(by, part, add);
      });
    },
  };
}

/**
 * Tells whether exclusions of times leave nothing of a month. That follows from the kind of the month: its
 * number, its length, its first weekday, and which expressions have its year. So a search through centuries
 * reads few months.
 */
function emptyMonths(
  calendar: CronCalendar,
  exclusions: readonly CronCalendar[],
  times: DayTimes,
): (year: number, month: number) => boolean {
  const known = new Map<number, boolean>();
  const isEmpty = (year: number, month: number): boolean => {
    const masks = exclusions.map((one) => one.daysOf(year, month));
    for (let days = calendar.daysOf(year, month); days !== 0; days &= days - 1) {
      const day = lowestBit(days);
      if (times.count(bitsOf(masks, (mask) => (mask & (1 << day)) !== 0)) > 0) return false;
    }
    return true;
  };
  return (year, month) => {
    let years = calendar.isYear(year) ? 1 : 0;
    for (const one of exclusions) years = years * 2 + (one.isYear(year) ? 1 : 0);
    const [length, weekday] = [daysInMonth(year, month), weekdayOf(dayNumberOf(year, month, 1))];
    const kind = ((years * MONTHS + month) * MOST_DAYS + length) * WEEKDAYS + weekday;
    let empty = known.get(kind);
    if (empty === undefined) known.set(kind, (empty = isEmpty(year, month)));
    return empty;
  };
}

/** After a cycle of the calendar, nothing can come that has not come by then. */
function nextTime(
  days: PlannedDays,
  times: DayTimes,
  fromSec: number,
  untilSec = LAST_WALL_SEC,
): number | undefined {
  const firstDay = Math.floor(fromSec / SECONDS_PER_DAY);
  const lastSec = Math.min(fromSec + CALENDAR_CYCLE_SEC, untilSec, LAST_WALL_SEC);
  let found: number | undefined;
  walkDays(days, firstDay, Math.floor(lastSec / SECONDS_PER_DAY), (day, by) => {
    const startSec = day * SECONDS_PER_DAY;
    if (times.count(by) === 0) return false;
    const sec = times.next(by, Math.max(0, fromSec - startSec));
    if (sec === DayTimes.NONE) return false;
    found = startSec + sec;
    return true;
  });
  return found !== undefined && found <= lastSec ? found : undefined;
}

function countTimes(days: PlannedDays, times: DayTimes, fromSec: number, untilSec: number): number {
  if (fromSec >= untilSec) return 0;
  const firstDay = Math.floor(fromSec / SECONDS_PER_DAY);
  const lastDay = Math.floor((untilSec - 1) / SECONDS_PER_DAY);
  let count = 0;
  walkDays(days, firstDay, lastDay, (day, by) => {
    const startSec = day * SECONDS_PER_DAY;
    const throughDay = day === lastDay ? times.countBefore(by, untilSec - startSec) : times.count(by);
    count += throughDay - (day === firstDay ? times.countBefore(by, fromSec - startSec) : 0);
  });
  return count;
}
