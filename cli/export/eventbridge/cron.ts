import { CRON_MACROS } from '../../cron-macros';
import { Unexportable } from './unexportable';

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/**
 * The fields of AWS of a cron expression: minute, hour, day of month, month, day of week, year. AWS has no
 * seconds, numbers the days of the week from 1 = Sunday, and takes one of the two day fields alone. Throws
 * `Unexportable`.
 */
export function cronToAws(expression: string): string {
  const text = expression.trim().toUpperCase();
  const fields = (CRON_MACROS.get(text.toLowerCase()) ?? text).split(/\s+/);
  const [second, minute = '', hour = '', monthDay = '', month = '', weekday = '', year = '*'] =
    fields.length === 5 ? ['0', ...fields] : fields;
  if (!/^0+$/.test(second ?? '')) throw new Unexportable(`its expression ${expression} has seconds`);
  const isAnyDay = /^[*?]$/.test(monthDay);
  const isAnyWeekday = /^[*?]$/.test(weekday);
  if (!isAnyDay && !isAnyWeekday)
    throw new Unexportable(`its expression ${expression} has both a day of the month and of the week`);
  return [
    steps(minute, 0, 59),
    steps(hour, 0, 23),
    isAnyDay ? (isAnyWeekday ? '*' : '?') : dayOfMonth(monthDay, expression),
    steps(month, 1, 12),
    isAnyWeekday
      ? '?'
      : weekday
          .split(',')
          .map((item) => dayOfWeek(item, expression))
          .join(),
    steps(year, 1970, 2199),
  ].join(' ');
}

/** `*` with a step begins at the first value; a range with a step becomes the list of its values. */
const steps = (field: string, first: number, last: number): string =>
  field
    .split(',')
    .map((item) => {
      const [base = '', step] = item.split('/');
      if (step === undefined) return item === '?' ? '*' : item;
      if (base === '*') return `${first}/${step}`;
      const [from, to] = base.split('-');
      if (to === undefined) return item;
      if (!/^\d+-\d+$/.test(base))
        throw new Unexportable(`its expression has ${item}; write the range in numbers`);
      return valuesBetween(Number(from), Math.min(Number(to), last), Number(step)).join();
    })
    .join();

const valuesBetween = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

/** `L` and `15W` are those of AWS; `LW` and `L-3` are in no page of AWS. */
function dayOfMonth(field: string, expression: string): string {
  if (field.split(',').some((item) => /^L./.test(item)))
    throw new Unexportable(
      `its expression ${expression} has ${field}, which EventBridge Scheduler does not describe`,
    );
  return steps(field, 1, 31);
}

/** By name, since numbers differ by one; a step becomes the list of its days. */
function dayOfWeek(item: string, expression: string): string {
  const [, nth, week] = /^(\w+)#([1-5])$/.exec(item) ?? [];
  if (nth !== undefined) return `${indexOf(nth, expression) + 1}#${week}`;
  const [, last] = /^(\w+)L$/.exec(item) ?? [];
  if (last !== undefined) return `${indexOf(last, expression) + 1}L`;
  const [base = '', step = '1'] = item.split('/');
  const [from = '', to] = base.split('-');
  // here 7 is Sunday again, and the last day of a step
  const [first, end] =
    base === '*'
      ? [0, 6]
      : [
          numberOf(from, expression),
          to === undefined ? (item.includes('/') ? 7 : numberOf(from, expression)) : numberOf(to, expression),
        ];
  const days = valuesBetween(first, end, Number(step)).map((day) => DAYS[day % 7]!);
  return [...new Set(days)].join();
}

const indexOf = (text: string, expression: string): number => numberOf(text, expression) % 7;

function numberOf(text: string, expression: string): number {
  const day = /^[0-7]$/.test(text) ? Number(text) : DAYS.indexOf(text);
  if (day < 0) throw new Unexportable(`its expression ${expression} has the day ${text}`);
  return day;
}
