/** What a description of a cron expression says about its times. */
export interface Claim {
  seconds: ReadonlySet<number>;
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  isDay(date: Date): boolean;
}

const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth'];
const DAY_MS = 86_400_000;

type Test = (date: Date) => boolean;

/**
 * Reads a description back, word for word, as a person would: without notes, "every 5 hours" is an even
 * spacing. Undefined for `At the times of "…"`, which claims nothing. Throws for anything that it cannot
 * read, so that no word is left unchecked.
 */
export function claimOf(description: string): Claim | undefined {
  if (description.startsWith('At the times of "')) return undefined;
  const [, text = '', brackets = ''] = /^([^(]*?)((?: \([^)]*\))+)$/.exec(description) ?? [];
  const reader = new Reader(text);
  const restarts = new Map(
    [...brackets.matchAll(/restarts each (\w+), (?:at|on|in) \w+ (\d+)/g)].map(([, each, first]) => [
      each!,
      Number(first),
    ]),
  );
  const times = readTimes(reader, restarts);
  const isDay = readDays(reader, restarts, brackets.includes('either day is enough'));
  if (reader.rest !== '') throw new Error(`unread: ${reader.rest}`);
  return { ...times, isDay };
}

class Reader {
  constructor(public rest: string) {}

  take(pattern: RegExp): RegExpExecArray | undefined {
    const match = new RegExp(`^(?:${pattern.source})`, 'i').exec(this.rest) ?? undefined;
    if (match) this.rest = this.rest.slice(match[0].length);
    return match;
  }
}

const range = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => from + index * step);

/** `1, 2 through 4, and 9` */
const numbersIn = (text: string): number[] =>
  text.split(/, and |, | and /).flatMap((item) => {
    const [from = '', to = from] = item.split(' through ');
    return range(Number(from), Number(to));
  });

interface Unit {
  name: 'second' | 'minute' | 'hour';
  of: 'minute' | 'hour' | 'day';
  count: number;
}
const SECOND: Unit = { name: 'second', of: 'minute', count: 60 };
const MINUTE: Unit = { name: 'minute', of: 'hour', count: 60 };
const HOUR: Unit = { name: 'hour', of: 'day', count: 24 };

/** A step without a note is even: it divides what it counts in. */
function stepped(
  step: number,
  unit: Unit,
  first: number | undefined,
  restarts: Map<string, number>,
): number[] {
  const noted = restarts.get(unit.of);
  if (noted === undefined && unit.count % step !== 0) throw new Error(`${step} ${unit.name}s are not even`);
  if (noted !== undefined && first !== undefined && noted !== first)
    throw new Error(`begins at ${first}, restarts at ${noted}`);
  return range(first ?? noted ?? 0, unit.count - 1, step);
}

function readTimes(reader: Reader, restarts: Map<string, number>): Omit<Claim, 'isDay'> {
  const at = reader.take(/At ((?:\d\d:\d\d(?::\d\d)?(?:, | and )?)+)(?=,|$)/);
  if (at) {
    const all = at[1]!
      .split(/, | and /)
      .filter(Boolean)
      .map((one) => one.split(':').map(Number));
    // Times that share their minute; a list of other times would claim less than each pair of its parts.
    return {
      hours: new Set(all.map(([hour]) => hour!)),
      minutes: new Set(all.map(([, minute]) => minute!)),
      seconds: new Set(all.map(([, , second = 0]) => second)),
    };
  }
  const between = reader.take(/Every minute between (\d\d):(\d\d) and (\d\d):(\d\d)/);
  if (between) {
    const [hour, from, , to] = between.slice(1).map(Number);
    return { hours: new Set([hour!]), minutes: new Set(range(from!, to!)), seconds: new Set([0]) };
  }
  const seconds = readPart(reader, SECOND, restarts);
  if (seconds)
    reader.take(
      /, (?=at \d|on the hour|minutes \d|every \d+ (?:minute|hour)|every (?:minute|hour)|between \d\d:)/,
    );
  const minutes = readPart(reader, MINUTE, restarts);
  if (minutes) reader.take(/, (?=at \d|between \d\d:|every \d+ hour)/);
  const hours = readHours(reader, restarts);
  return {
    seconds: new Set(seconds ?? [0]),
    // "Every second" and "At 5 seconds past the minute" alone are in every minute.
    minutes: new Set(minutes ?? (hours.isEvery ? [0] : range(0, 59))),
    hours: new Set(hours.values),
  };
}

function readPart(reader: Reader, unit: Unit, restarts: Map<string, number>): number[] | undefined {
  const { name, of, count } = unit;
  if (name === 'minute' && reader.take(/on the hour/)) return [0];
  if (reader.take(new RegExp(`every ${name}(?! between)`))) return range(0, count - 1);
  const values = `(\\d+(?: through \\d+)?(?:(?:, and |, | and )\\d+(?: through \\d+)?)*)`;
  const step = reader.take(new RegExp(`every (\\d+) ${name}s?`));
  if (step) {
    const from = reader.take(new RegExp(`, starting at (\\d+) ${name}s? past the ${of}`));
    if (from) return stepped(Number(step[1]), unit, Number(from[1]), restarts);
    const bounds = reader.take(new RegExp(`, ${name}s (\\d+) through (\\d+) past the ${of}`));
    if (!bounds) return stepped(Number(step[1]), unit, undefined, restarts);
    return bounded(Number(bounds[1]), Number(bounds[2]), Number(step[1]), unit, restarts);
  }
  const through = reader.take(new RegExp(`${name}s (\\d+) through (\\d+) past the ${of}`));
  if (through) return range(Number(through[1]), Number(through[2]));
  const listed = reader.take(new RegExp(`at ${values} ${name}s? past the ${of}`));
  return listed && numbersIn(listed[1]!);
}

/** Bounds at both ends of what they are in say nothing: the step is read as an even one. */
function bounded(
  from: number,
  to: number,
  step: number,
  unit: Unit,
  restarts: Map<string, number>,
): number[] {
  const last = from + Math.floor((to - from) / step) * step;
  const isWhole = from < step && last + step >= unit.count;
  return isWhole ? stepped(step, unit, from, restarts).filter((value) => value <= to) : range(from, to, step);
}

function readHours(reader: Reader, restarts: Map<string, number>): { values: number[]; isEvery: boolean } {
  const isEvery = reader.take(/every hour(?:, (?=between \d\d:|at \d))?/) !== undefined;
  const found = (values: number[]) => ({ values, isEvery });
  const step = reader.take(/every (\d+) hours?/);
  const from = step && reader.take(/, starting at (\d\d):00/);
  if (step && from) return found(stepped(Number(step[1]), HOUR, Number(from[1]), restarts));
  const bounds = reader.take(/(?:, )?between (\d\d):00 and (\d\d):(?:00|59)/);
  if (bounds) {
    const [first, last] = [Number(bounds[1]), Number(bounds[2])];
    return found(step ? bounded(first, last, Number(step[1]), HOUR, restarts) : range(first, last));
  }
  if (step) return found(stepped(Number(step[1]), HOUR, undefined, restarts));
  const listed = reader.take(/at ((?:\d\d:\d\d(?: through |, and |, | and )?)+)(?=,|$)/);
  if (listed) return found(numbersIn(listed[1]!.replaceAll(/:\d\d/g, '')));
  return found(range(0, 23));
}

function readDays(reader: Reader, restarts: Map<string, number>, isEither: boolean): Test {
  const monthDay = readMonthDay(reader, restarts);
  const weekday = readWeekday(reader, isEither);
  const month = readNamed(reader, /, (?:only in )?/, MONTHS, (date) => date.getUTCMonth());
  const year = readYear(reader);
  const day: Test = isEither
    ? (date) => monthDay!(date) || weekday!(date)
    : (date) => (monthDay?.(date) ?? true) && (weekday?.(date) ?? true);
  return (date) => day(date) && (month?.(date) ?? true) && year(date);
}

const dayOf = (date: Date): number => date.getUTCDate();
const lastOf = (date: Date): number =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();

/** Monday through Friday that is nearest to a day, in the same month. */
function nearestWorkday(date: Date, target: number): number {
  const weekdayAt = (day: number) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)).getUTCDay();
  const near = [0, -1, 1, -2, 2].map((distance) => target + distance);
  return near.find((day) => day >= 1 && day <= lastOf(date) && weekdayAt(day) % 6 !== 0)!;
}

function readMonthDay(reader: Reader, restarts: Map<string, number>): Test | undefined {
  const step = reader.take(/, every (\d+) days? in a month/);
  if (step) {
    const from = reader.take(/, starting on day (\d+) of the month/);
    const bounds = reader.take(/, between day (\d+) and (\d+) of the month/);
    const first = Number((from ?? bounds)?.[1] ?? restarts.get('month') ?? Number.NaN);
    const days = new Set(range(first, Number(bounds?.[2] ?? 31), Number(step[1])));
    return (date) => days.has(dayOf(date));
  }
  const bounds = reader.take(/, between day (\d+) and (\d+) of the month/);
  if (bounds) return (date) => dayOf(date) >= Number(bounds[1]) && dayOf(date) <= Number(bounds[2]);
  if (reader.take(/, on the first weekday of the month/))
    return (date) => dayOf(date) === nearestWorkday(date, 1);
  if (reader.take(/, on the last weekday of the month/))
    return (date) => dayOf(date) === nearestWorkday(date, lastOf(date));
  const nearest = reader.take(/, on the weekday nearest day (\d+) of the month/);
  if (nearest)
    return (date) =>
      Number(nearest[1]) <= lastOf(date) && dayOf(date) === nearestWorkday(date, Number(nearest[1]));
  const before = reader.take(/, (\d+) days? before the last day of the month/);
  if (before) return (date) => dayOf(date) === lastOf(date) - Number(before[1]);
  if (reader.take(/, on the last day of the month/)) return (date) => dayOf(date) === lastOf(date);
  const listed = reader.take(/, on day ((?:\d+|the last day|, and | and | through |, )+) of the month/);
  if (!listed) return undefined;
  const hasLast = listed[1]!.includes('the last day');
  const days = new Set(numbersIn(listed[1]!.replace(/(?:, and | and |, )?the last day/, '')));
  return (date) => days.has(dayOf(date)) || (hasLast && dayOf(date) === lastOf(date));
}

function readWeekday(reader: Reader, isEither: boolean): Test | undefined {
  if (isEither && !reader.take(/, and /)) throw new Error(`no weekday at: ${reader.rest}`);
  const tests: Test[] = [];
  const run = readNamed(reader, isEither ? /(?:on )?/ : /, (?:only )?(?:on )?/, WEEKDAYS, (date) =>
    date.getUTCDay(),
  );
  if (run) tests.push(run);
  for (;;) {
    const begin = tests.length > 0 ? ' and ' : isEither ? '' : ', (?:only )?';
    const named = reader.take(
      new RegExp(
        `${begin}on the ((?:(?:${ORDINALS.slice(1).join('|')}|last) \\w+day(?:, and |, | and )?)+) of the month`,
      ),
    );
    if (!named) break;
    const weeks = named[1]!.split(/, and |, | and /).map((one) => one.split(' ') as [string, string]);
    tests.push((date) => weeks.some(([week, name]) => isOfWeek(date, week, WEEKDAYS.indexOf(name))));
  }
  return tests.length > 0 ? (date) => tests.some((test) => test(date)) : undefined;
}

const isOfWeek = (date: Date, week: string, weekday: number): boolean =>
  date.getUTCDay() === weekday &&
  (week === 'last' ? dayOf(date) + 7 > lastOf(date) : Math.ceil(dayOf(date) / 7) === ORDINALS.indexOf(week));

function readNamed(
  reader: Reader,
  before: RegExp,
  names: readonly string[],
  part: (date: Date) => number,
): Test | undefined {
  const name = `(?:${names.join('|')})`;
  const run = reader.take(new RegExp(`${before.source}(${name}) through (${name})`));
  if (run) {
    const [from, to] = [names.indexOf(run[1]!), names.indexOf(run[2]!)];
    return (date) =>
      (part(date) - from + names.length) % names.length <= (to - from + names.length) % names.length;
  }
  const listed = reader.take(new RegExp(`${before.source}(${name}(?:(?:, and |, | and )${name})*)`));
  const all = new Set(listed?.[1]!.split(/, and |, | and /).map((one) => names.indexOf(one)));
  return listed && ((date) => all.has(part(date)));
}

function readYear(reader: Reader): Test {
  const step = reader.take(/, every (\d+) years?/);
  const bounds = reader.take(/, (\d{4}) through (\d{4})/);
  if (bounds) {
    const years = new Set(range(Number(bounds[1]), Number(bounds[2]), Number(step?.[1] ?? 1)));
    return (date) => years.has(date.getUTCFullYear());
  }
  const listed = reader.take(
    /, only in (\d{4}(?: through \d{4})?(?:(?:, and |, | and )\d{4}(?: through \d{4})?)*)/,
  );
  if (!listed) return () => true;
  const years = new Set(numbersIn(listed[1]!));
  return (date) => years.has(date.getUTCFullYear());
}

/** Each day of a year, at midnight. */
export const daysOfYear = (year: number): Date[] => {
  const first = Date.UTC(year, 0, 1);
  const length = (Date.UTC(year + 1, 0, 1) - first) / DAY_MS;
  return range(0, length - 1).map((day) => new Date(first + day * DAY_MS));
};
