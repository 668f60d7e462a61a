import { ParseError, quoted } from './schedule-error';

/** One field of an expression: its bounds, and the names of its values. */
export interface CronField {
  name: string;
  min: number;
  max: number;
  /** The number of different values, which is also the largest allowed step. */
  count: number;
  names?: Readonly<Record<string, number>>;
}

/** The text of a field is invalid. The message names the field, the value and the allowed range. */
export class CronFieldError extends ParseError {
  override readonly name = 'CronFieldError';
  constructor(field: CronField, text: string, reason: string) {
    super(`${field.name} field ${quoted(text)}: ${reason}`);
  }
}

const MONTH_NAMES = namesFrom(1, 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC');
const WEEKDAYS = 'SUN MON TUE WED THU FRI SAT';

function namesFrom(first: number, names: string): Record<string, number> {
  return Object.fromEntries(names.split(' ').map((name, index) => [name, first + index]));
}

const field = (name: string, min: number, max: number): CronField => ({
  name,
  min,
  max,
  count: max - min + 1,
});

export const SECOND = field('second', 0, 59);
export const MINUTE = field('minute', 0, 59);
export const HOUR = field('hour', 0, 23);
export const DAY_OF_MONTH = field('day-of-month', 1, 31);
export const MONTH: CronField = { ...field('month', 1, 12), names: MONTH_NAMES };
export const DAY_OF_WEEK: CronField = {
  name: 'day-of-week',
  min: 0,
  max: 7, // Sunday again
  count: 7,
  names: namesFrom(0, WEEKDAYS),
};
/** AWS counts weekdays from 1 = Sunday. */
export const AWS_DAY_OF_WEEK: CronField = { ...field('day-of-week', 1, 7), names: namesFrom(1, WEEKDAYS) };
export const YEAR = field('year', 1970, 2199);

/** The items of a comma-separated list, in upper case; none of them empty. */
export function itemsOf(text: string, cronField: CronField): string[] {
  const items = text.toUpperCase().split(',');
  if (items.includes('')) throw new CronFieldError(cronField, text, 'a list has an empty item');
  return items;
}

/** All values that a list of `*`, `N`, `N-M`, each with an optional `/S`, allows. */
export function valuesOf(text: string, cronField: CronField): number[] {
  return itemsOf(text, cronField).flatMap((item) => valuesOfItem(item, cronField));
}

export function valuesOfItem(item: string, cronField: CronField): number[] {
  const [base, stepText, ...rest] = item.split('/') as [string, ...string[]];
  if (rest.length > 0) throw new CronFieldError(cronField, item, 'has more than one step');
  const step = stepText === undefined ? 1 : stepOf(stepText, item, cronField);
  const [from, to] = boundsOf(base, stepText !== undefined, item, cronField);
  const values: number[] = [];
  for (let value = from; value <= to; value += step) values.push(value);
  return values;
}

function stepOf(text: string, item: string, cronField: CronField): number {
  const step = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  const most = cronField.count;
  if (step < 1 || step > most) {
    throw new CronFieldError(cronField, item, `the step must be a whole number from 1 to ${most}`);
  }
  return step;
}

function boundsOf(base: string, stepped: boolean, item: string, cronField: CronField): [number, number] {
  if (base === '*') return [cronField.min, cronField.max];
  const ends = base.split('-');
  if (ends.length > 2) throw new CronFieldError(cronField, item, 'a range has two ends');
  const from = valueOf(ends[0]!, item, cronField);
  if (ends.length === 1) return [from, stepped ? cronField.max : from];
  const to = valueOf(ends[1]!, item, cronField);
  if (to < from)
    throw new CronFieldError(cronField, item, `a range must not run backwards; ${asTwo(ends, cronField)}`);
  return [from, to];
}

const isName = (text: string, { names = {} }: CronField): boolean => Object.hasOwn(names, text);

/** `write FRI-SAT,SUN-MON`: the range to the last value, and on from the first one. */
function asTwo([from = '', to = '']: readonly string[], { min, count, names }: CronField): string {
  const textOf = (value: number, like: string): string =>
    Object.keys(isName(like, { names } as CronField) ? (names ?? {}) : {})[value - min] ?? String(value);
  const [last, first] = [textOf(min + count - 1, from), textOf(min, to)];
  return `write ${from === last ? from : `${from}-${last}`},${to === first ? to : `${first}-${to}`}`;
}

/** A single value, by number or name. */
export function valueOf(text: string, item: string, cronField: CronField): number {
  if (isName(text, cronField)) return cronField.names![text]!;
  const allowed = `allowed are ${cronField.min}–${cronField.max}${
    cronField.names ? ` and ${Object.keys(cronField.names).join(', ')}` : ''
  }`;
  if (!/^\d{1,9}$/.test(text))
    throw new CronFieldError(
      cronField,
      item,
      `${quoted(text)} is no value${closeName(text, cronField)}; ${allowed}`,
    );
  const value = Number(text);
  if (value < cronField.min || value > cronField.max) {
    throw new CronFieldError(cronField, item, `${value} is out of range; ${allowed}`);
  }
  return value;
}

/** `; did you mean "MON"?` for `MONDAY`. Empty if the text begins with no name of the field. */
function closeName(text: string, { names = {} }: CronField): string {
  const name = /^[A-Z]{4,}$/.test(text) && Object.keys(names).find((one) => text.startsWith(one));
  return name ? `; did you mean "${name}"?` : '';
}
