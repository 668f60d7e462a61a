import { AllowedTimes } from '../../lambdas/core/schedule/allowed-times';
import { CronCalendar } from '../../lambdas/core/schedule/cron-calendar';
import { DayTimes } from '../../lambdas/core/schedule/day-times';
import { NearestFreeDay } from '../../lambdas/core/schedule/free-days';
import { FreeTimes } from '../../lambdas/core/schedule/free-times';
import { SteadyDay } from '../../lambdas/core/schedule/steady-day';

/** What takes a step each time. */
const STEPS: readonly [prototype: object, methods: readonly string[]][] = [
  [CronCalendar.prototype, ['daysOf', 'next', 'matches']],
  [
    DayTimes.prototype,
    [
      'count',
      'countBefore',
      'next',
      'exclusionsOfHour',
      'exclusionsInHour',
      'hasInMinute',
      'exclusionsOfMinute',
    ],
  ],
  [SteadyDay.prototype, ['countBefore', 'next']],
  [AllowedTimes.prototype, ['past', 'isAllowed', 'timesOn']],
  [FreeTimes.prototype, ['from', 'monthAt']],
  [NearestFreeDay.prototype, ['find']],
];

type Method = (...values: unknown[]) => unknown;

/**
 * The work of one count or search, in steps: a month or a search in the calendar, a day, an hour of a fixed
 * rate. A step takes well below a microsecond; none depends on how many times are planned or excluded.
 */
export function stepsOf(work: () => void): number {
  let steps = 0;
  const restores = STEPS.flatMap(([prototype, methods]) =>
    methods.map((name) => {
      const methodsOf = prototype as Record<string, Method>;
      const method = methodsOf[name]!;
      methodsOf[name] = function (...values) {
        steps++;
        return method.apply(this, values);
      };
      return () => (methodsOf[name] = method);
    }),
  );
  try {
    work();
  } finally {
    for (const restore of restores) restore();
  }
  return steps;
}
