import { CALENDAR_CYCLE_SEC, SECONDS_PER_DAY } from './civil';
import { CronCalendar } from './cron-calendar';
import type { CronExpression } from './cron-expression';
import { DayTimes } from './day-times';
import { type PlannedDays, walkDays } from './day-walk';
import type { Exclusions } from './exclusions';
import { LAST_WALL_SEC, type WallPlan } from './wall-plan';

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
  return {
    next: (fromSec, search) =>
      exclusions ? nextTime(days, times, fromSec, search?.untilSec) : calendar.next(fromSec),
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
