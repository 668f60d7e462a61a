import { CronCalendar } from '../../lambdas/core/schedule/cron-calendar';
import { DayTimes } from '../../lambdas/core/schedule/day-times';
import { SteadyDay } from '../../lambdas/core/schedule/steady-day';

/**
 * The work of one count or search, in steps: a month or a search in the calendar, a day, an hour of a fixed
 * rate. A step takes well below a microsecond; none depends on how many times are planned or excluded.
 */
export function stepsOf(work: () => void): number {
  const spies = [
    jest.spyOn(CronCalendar.prototype, 'daysOf'),
    jest.spyOn(CronCalendar.prototype, 'next'),
    jest.spyOn(CronCalendar.prototype, 'matches'),
    jest.spyOn(DayTimes.prototype, 'count'),
    jest.spyOn(DayTimes.prototype, 'countBefore'),
    jest.spyOn(DayTimes.prototype, 'next'),
    jest.spyOn(DayTimes.prototype, 'exclusionsOfHour'),
    jest.spyOn(DayTimes.prototype, 'hasInHour'),
    jest.spyOn(DayTimes.prototype, 'hasInMinute'),
    jest.spyOn(DayTimes.prototype, 'exclusionsOfMinute'),
    jest.spyOn(SteadyDay.prototype, 'countBefore'),
  ];
  work();
  const steps = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  return steps;
}
