import { meansEveryDay, parseDayRule, type Weekdays } from './cron-day-rule';
import {
  AWS_DAY_OF_WEEK,
  DAY_OF_WEEK,
  HOUR,
  itemsOf,
  MINUTE,
  MONTH,
  SECOND,
  valuesOfItem,
  YEAR,
} from './cron-field';
import { distinct, monthDaysIn, valuesIn } from './plain-field';

/** What an expression means, in a form that has words. Texts are digits and signs; second 0 is empty. */
interface Fields {
  second: string;
  minute: string;
  hour: string;
  monthDay: string;
  months: readonly number[];
  weekdays: Weekdays;
  year: string;
  /** The days of the month and those of the week are two ways to be due. */
  isEither: boolean;
}

/** How the values of a field are said. `raw` is the text of the field, `words` what it became. */
interface Phrases {
  all: string;
  one(value: string): string;
  every(step: string): string;
  through(from: string, to: string): string;
  at(words: string, raw: string): string;
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth'];

const EVERY_WEEKDAY: Weekdays = { mask: 2 ** WEEKDAYS.length - 1, nth: [], last: [] };
/** A longer list is no sentence. */
const MAX_LISTED = 16;

const plural = (value: string, unit: string): string => `${value} ${unit}${Number(value) === 1 ? '' : 's'}`;
const isSingle = (text: string): boolean => !/[/\-,*]/.test(text);

/**
 * A cron expression in words: `At 09:30, Monday through Friday`. A test reads the words back, and compares
 * them with the times. What has no true sentence is quoted: `At the times of "…"`.
 *
 * @param expression five, six or seven fields that `parseCronExpression` takes, without a macro
 * @param firstWeekday number of Sunday: 0, or 1 in AWS
 */
export function cronWords(expression: string, firstWeekday: 0 | 1): string {
  const fields = normalized(expression, firstWeekday);
  if (fields === undefined) return `At the times of ${JSON.stringify(expression)}`;
  const text =
    timeWords(fields) +
    monthDayWords(fields.monthDay) +
    weekdayWords(fields) +
    monthWords(fields.months) +
    segment(fields.year, YEAR_PHRASES);
  const short = text.replace(/, every (?:minute|hour|day)(?!\s*[\p{L}\p{N}])/gu, '').replace(/, ?$/, '');
  return short.charAt(0).toUpperCase() + short.slice(1);
}

/** Undefined for an expression that has no short words. */
function normalized(expression: string, firstWeekday: 0 | 1): Fields | undefined {
  const texts = expression
    .trim()
    .toUpperCase()
    .split(/[ \t]+/);
  const [second = '0', minute = '', hour = '', monthDay = '', month = '', weekday = '', year = '*'] =
    texts.length === 5 ? ['0', ...texts] : texts;
  const weekdayField = firstWeekday === 0 ? DAY_OF_WEEK : AWS_DAY_OF_WEEK;
  const rule = parseDayRule(monthDay, weekday, weekdayField);
  const isDaily = meansEveryDay(rule);
  const [s, m] = [valuesIn(second, SECOND), valuesIn(minute, MINUTE)];
  const fields = {
    second: s === '0' ? '' : s,
    minute: m,
    hour: spanOf(valuesIn(hour, HOUR), `${m}${s}`),
    monthDay: isDaily ? '*' : monthDaysIn(monthDay),
    months: distinct(itemsOf(month, MONTH).flatMap((item) => valuesOfItem(item, MONTH))),
    weekdays: isDaily ? EVERY_WEEKDAY : rule.weekdays,
    year: valuesIn(year, YEAR),
  };
  const isLong = (text: string) => text.split(',').length > MAX_LISTED;
  if ([fields.second, m, fields.hour, fields.monthDay, fields.year].some(isLong)) return undefined;
  return { ...fields, isEither: rule.either && !isDaily };
}

/** One hour in which several minutes or seconds count is a range. */
const spanOf = (hour: string, smaller: string): string =>
  isSingle(hour) && /[*/]/.test(smaller) ? `${hour}-${hour}` : hour;

function timeWords({ second, minute, hour }: Fields): string {
  if ([second, minute, hour].every(isSingle)) return `At ${timeOf(hour, minute, second)}`;
  if (!second && isSingle(hour) && /^\d+-\d+$/.test(minute)) {
    const [from, to] = minute.split('-') as [string, string];
    return `Every minute between ${timeOf(hour, from)} and ${timeOf(hour, to)}`;
  }
  if (!second && isSingle(minute) && /^[\d,]+$/.test(hour)) {
    const times = hour.split(',').map((one) => timeOf(one, minute));
    return `At ${times.slice(0, -1).join(', ')} and ${times.at(-1)}`;
  }
  const hours = segment(hour, hourPhrases(hour, minute));
  const minutes = segment(minute, minutePhrases(hour, second));
  const all = [segment(second, SECOND_PHRASES), minutes, ...(hours === minutes ? [] : [hours])];
  return all.filter((one) => one !== '').join(', ');
}

const two = (text: string): string => text.padStart(2, '0');
const timeOf = (hour: string, minute: string, second = ''): string =>
  `${two(String(Number(hour)))}:${two(String(Number(minute)))}${second && `:${two(second)}`}`;

const SECOND_PHRASES: Phrases = {
  all: 'every second',
  one: (value) => value,
  every: (step) => `every ${plural(step, 'second')}`,
  through: (from, to) => `seconds ${from} through ${to} past the minute`,
  at: (words, raw) =>
    raw === '0' ? '' : `at ${words} second${Number(raw) === 1 ? '' : 's'} past the minute`,
};

const minutePhrases = (hour: string, second: string): Phrases => ({
  all: 'every minute',
  one: (value) => value,
  every: (step) => `every ${plural(step, 'minute')}`,
  through: (from, to) => `minutes ${from} through ${to} past the hour`,
  at(words, raw) {
    if (raw === '0') return hour.includes('/') || second ? 'on the hour' : 'every hour';
    return `at ${words} minute${Number(raw) === 1 ? '' : 's'} past the hour`;
  },
});

/** The end of a range of hours is its last minute, unless only minute 0 counts. */
function hourPhrases(hour: string, minute: string): Phrases {
  const ends = new Set<number>();
  const values = hour.split('/')[0]!.split(',');
  let said = 0;
  let index = 0;
  for (const value of values) {
    index += value.split('-').length;
    if (value.includes('-')) ends.add(index - 1);
  }
  return {
    all: 'every hour',
    one: (value) => timeOf(value, ends.has(said++) && minute !== '0' ? '59' : '0'),
    every: (step) => `every ${plural(step, 'hour')}`,
    through: (from, to) => `between ${from} and ${to}`,
    at: (words) => `at ${words}`,
  };
}

const ofMonth = (what: string): string => `, on ${what} of the month`;

function monthDayWords(text: string): string {
  if (text === 'L') return ofMonth('the last day');
  if (text === 'LW') return ofMonth('the last weekday');
  const nearest = /^(\d+)W$/.exec(text)?.[1];
  if (nearest !== undefined)
    return ofMonth(
      Number(nearest) === 1 ? 'the first weekday' : `the weekday nearest day ${Number(nearest)}`,
    );
  const before = /^L-(\d+)$/.exec(text)?.[1];
  if (before !== undefined) return `, ${plural(before, 'day')} before the last day of the month`;
  return segment(text, {
    all: '',
    one: (value) => (value === 'L' ? 'the last day' : value),
    every: (step) => `, every ${step} days in a month`,
    through: (from, to) => `, between day ${from} and ${to} of the month`,
    at: (words) => ofMonth(`day ${words}`),
  });
}

function weekdayWords({ weekdays, monthDay, isEither }: Fields): string {
  const { mask, nth, last } = weekdays;
  const days = WEEKDAYS.map((_, day) => day).filter((day) => mask & (1 << day));
  if (days.length === WEEKDAYS.length) return '';
  const run = runOf(days, WEEKDAYS);
  const parts = [
    ...(days.length === 0 ? [] : [run ?? `on ${listed(days.map((day) => WEEKDAYS[day]!))}`]),
    ...ofNamedWeeks(nth.map(({ weekday, n }) => `${ORDINALS[n]} ${WEEKDAYS[weekday]}`)),
    ...ofNamedWeeks(last.map((day) => `last ${WEEKDAYS[day]}`)),
  ];
  const isPlain = run !== undefined || (days.length === 0 && monthDay === '*');
  return `, ${isEither ? 'and ' : isPlain ? '' : 'only '}${parts.join(' and ')}`;
}

const ofNamedWeeks = (names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`on the ${listed(distinct(names))} of the month`];

function monthWords(months: readonly number[]): string {
  if (months.length === MONTHS.length) return '';
  const indexes = months.map((month) => month - 1).sort((a, b) => a - b);
  const run = runOf(indexes, MONTHS);
  return run === undefined ? `, only in ${listed(indexes.map((index) => MONTHS[index]!))}` : `, ${run}`;
}

/** `Friday through Monday`, if at least three follow one another, also over the end. */
function runOf(indexes: readonly number[], names: readonly string[]): string | undefined {
  const starts = indexes.filter((index) => !indexes.includes((index + names.length - 1) % names.length));
  if (indexes.length < MIN_RUN || starts.length !== 1) return undefined;
  return `${names[starts[0]!]} through ${names[(starts[0]! + indexes.length - 1) % names.length]}`;
}
const MIN_RUN = 3;

function listed(words: readonly string[]): string {
  const comma = words.length > 2 ? ',' : '';
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')}${comma} and ${words.at(-1)}`;
}

const YEAR_PHRASES: Phrases = {
  all: '',
  one: (value) => value,
  every: (step) => `, every ${plural(step, 'year')}`,
  through: (from, to) => `, ${from} through ${to}`,
  at: (words) => `, only in ${words}`,
};

/** A field in words: nothing, all values, a list, a step, a range, or one value. */
function segment(text: string, phrases: Phrases): string {
  if (text === '') return '';
  if (text === '*') return phrases.all;
  if (text.includes(',')) return listWords(text, phrases);
  const [base = '', step] = text.split('/');
  if (step === undefined) return base.includes('-') ? rangeWords(base, phrases) : single(base, phrases);
  const every = phrases.every(step);
  if (base === '*') return every;
  if (!base.includes('-')) return `${every}, starting ${single(base, phrases).replace(', ', '')}`;
  const range = rangeWords(base, phrases);
  return every + (range.startsWith(', ') ? range : `, ${range}`);
}

const single = (value: string, phrases: Phrases): string => phrases.at(phrases.one(value), value);

function rangeWords(text: string, { one, through }: Phrases): string {
  const [from = '', to = ''] = text.split('-');
  return through(one(from), one(to));
}

function listWords(text: string, phrases: Phrases): string {
  const words = text.split(',').map((item) => {
    if (!item.includes('-')) return phrases.one(item);
    return rangeWords(item, { ...phrases, through: (from, to) => `${from} through ${to}` });
  });
  return phrases.at(listed(words), text);
}
