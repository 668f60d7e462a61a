import { DAY_OF_WEEK, MONTH } from './cron-field';

/** The fields of an expression as digits and signs, with Sunday as 0. Second 0 and no year are empty. */
interface Fields {
  second: string;
  minute: string;
  hour: string;
  monthDay: string;
  month: string;
  weekday: string;
  year: string;
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

const plural = (value: string, unit: string): string => `${value} ${unit}${Number(value) === 1 ? '' : 's'}`;
const isSingle = (text: string): boolean => !/[/\-,*]/.test(text);

/**
 * A cron expression in words: `At 09:30, Monday through Friday`. The sentences are those of the package
 * cronstrue, which a test compares. They are own code because browsers load them.
 *
 * @param expression five, six or seven fields that `parseCronExpression` takes, without a macro
 * @param firstWeekday number of Sunday: 0, or 1 in AWS
 */
export function cronWords(expression: string, firstWeekday: 0 | 1): string {
  const fields = normalized(expression, firstWeekday);
  const { monthDay, month, weekday, year } = fields;
  const text =
    timeWords(fields) +
    (monthDay === '*' && weekday !== '*' ? '' : monthDayWords(monthDay)) +
    weekdayWords(weekday, monthDay) +
    segment(month, MONTH_PHRASES) +
    segment(year, YEAR_PHRASES);
  const short = text.replace(/, every (?:minute|hour|day)(?!\s*[\p{L}\p{N}])/gu, '').replace(/, ?$/, '');
  return short.charAt(0).toUpperCase() + short.slice(1);
}

function normalized(expression: string, firstWeekday: 0 | 1): Fields {
  const parts = expression
    .trim()
    .toUpperCase()
    .split(/[ \t]+/)
    .map(sortedList);
  const [second = '', minute = '', hour = '', monthDay = '', month = '', weekday = '', year = ''] =
    parts.length === 5 ? ['', ...parts] : parts;
  const weekdays = weekday === 'L' ? '6' : numbersOf(fromSunday(weekday, firstWeekday), DAY_OF_WEEK.names);
  const [s, m] = [stepOf(second, '0'), stepOf(minute, '0')];
  return {
    second: s === '0' ? '' : s,
    minute: m,
    hour: spanOf(stepOf(hour, '0'), m + s),
    monthDay: stepOf(monthDay.replace('?', '*'), '1'),
    month: bounded(stepOf(numbersOf(month, MONTH.names), '1'), 12),
    weekday: bounded(stepOf(weekdays.replace('?', '*')), 6),
    year: bounded(stepOf(year, '1'), 9999),
  };
}

/** Numbers in order, and without the zeros before them. A list with `*` means the same as `*`. */
function sortedList(text: string): string {
  const items = text.split(',');
  if (items.length === 1) return text;
  if (items.includes('*')) return '*';
  const values = items.map((item) => (Number.isNaN(Number(item)) ? item : Number(item)));
  return values.sort((a, b) => Number(a) - Number(b)).join(',');
}

/** Weekdays that are given as numbers, counted from Sunday as 0. What follows `#` or `/` is none. */
const fromSunday = (text: string, firstWeekday: 0 | 1): string =>
  text.replace(/(^|[^#/\d])(\d+)/g, (_, before: string, digits: string) => {
    const value = Number(digits) - firstWeekday;
    return `${before}${value === 7 ? 0 : firstWeekday === 0 ? digits : value}`;
  });

function numbersOf(text: string, names: Readonly<Record<string, number>> = {}): string {
  return text.replace(/[A-Z]{3}/g, (name) => String(names[name] ?? name));
}

/** `0/5`, or for days and months `1/5`, is every fifth one. */
function stepOf(text: string, first?: string): string {
  const stepped = first !== undefined && text.startsWith(`${first}/`) ? `*${text.slice(1)}` : text;
  return stepped === '*/1' ? '*' : stepped;
}

/** `3/2` as a range with a step. */
const bounded = (text: string, last: number): string =>
  text.includes('/') && !/^\*|[-,]/.test(text) ? text.replace('/', `-${last}/`) : text;

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
    all: ', every day',
    one: (value) => (value === 'L' ? 'the last day' : value),
    every: (step) => (step === '1' ? ', every day' : `, every ${step} days in a month`),
    through: (from, to) => `, between day ${from} and ${to} of the month`,
    at: (words) => ofMonth(`day ${words}`),
  });
}

function weekdayWords(text: string, monthDay: string): string {
  if (text === '*') return '';
  const items = text.split(',');
  const last = items.filter((item) => item.includes('L'));
  const others = items.filter((item) => !item.includes('L'));
  if (last.length > 0 && others.length > 0)
    return `${weekdayWords(others.join(','), monthDay)} and ${weekdayWords(last.join(','), monthDay).slice(2)}`;
  return segment(text, {
    all: ', every day',
    one: weekdayOf,
    every: (step) => (Number(step) === 1 ? '' : `, every ${step} days of the week`),
    through: (from, to) => `, ${from} through ${to}`,
    at(words, raw) {
      if (raw.includes('#')) return ofMonth(`the ${words}`);
      if (raw.includes('L')) return ofMonth(`the last ${words}`);
      return monthDay === '*' ? `, only on ${words}` : `, and on ${words}`;
    },
  });
}

function weekdayOf(value: string): string {
  const [day = '', nth] = value.replace('L', '').split('#');
  return `${nth === undefined ? '' : `${ORDINALS[Number(nth)]} `}${WEEKDAYS[Number(day)]}`;
}

const MONTH_PHRASES: Phrases = {
  all: '',
  one: (value) => MONTHS[Number(value) - 1]!,
  every: (step) => (Number(step) === 1 ? '' : `, every ${step} months`),
  through: (from, to) => `, ${from} through ${to}`,
  at: (words) => `, only in ${words}`,
};

const YEAR_PHRASES: Phrases = {
  ...MONTH_PHRASES,
  one: (value) => value,
  every: (step) => `, every ${plural(step, 'year')}`,
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
  const hasStep = text.includes('/');
  const words = text.split(',').map((item, index) => {
    if (item.includes('-') && !item.includes('/'))
      return rangeWords(item, { ...phrases, through: (from, to) => `${from} through ${to}` });
    if (!hasStep) return phrases.one(item);
    const one = segment(item, phrases);
    return index > 0 && one.startsWith(', ') ? one.slice(2) : one;
  });
  const last = words.pop()!;
  const all = words.length === 1 ? `${words[0]} and ${last}` : `${words.join(', ')}, and ${last}`;
  return hasStep ? all : phrases.at(all, text);
}
