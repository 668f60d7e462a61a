import type { Property } from './content-lines';
import { IcsError } from './ics-error';

export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];
/** From Sunday on, as weekdays are numbered. */
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

export interface Weekday {
  weekday: number;
  /** The second one of the month or year; negative: from its end. Absent: all of them. */
  nth?: number;
}

/** An RRULE, checked. */
export interface RecurrenceRule {
  line: number;
  frequency: Frequency;
  interval: number;
  weekStart: number;
  count?: number;
  /** As the file writes it. */
  until?: string;
  months?: readonly number[];
  weeks?: readonly number[];
  yearDays?: readonly number[];
  monthDays?: readonly number[];
  weekdays?: readonly Weekday[];
  hours?: readonly number[];
  minutes?: readonly number[];
  seconds?: readonly number[];
  positions?: readonly number[];
}

const SUB_DAILY = ['SECONDLY', 'MINUTELY', 'HOURLY'];
const PARTS = [
  'FREQ',
  'UNTIL',
  'COUNT',
  'INTERVAL',
  'BYSECOND',
  'BYMINUTE',
  'BYHOUR',
  'BYDAY',
  'BYMONTHDAY',
  'BYYEARDAY',
  'BYWEEKNO',
  'BYMONTH',
  'BYSETPOS',
  'WKST',
];

/** A rule as RFC 5545 defines it. Throws an `IcsError` for whatever is not understood. */
export function recurrenceRule({ value, line }: Property): RecurrenceRule {
  const parts = partsOf(value, line);
  const read = new Reader(parts, line);
  const frequency = read.frequency();
  const rule: RecurrenceRule = {
    line,
    frequency,
    interval: read.number('INTERVAL', 1, 9999) ?? 1,
    weekStart: read.oneOf('WKST', WEEKDAYS) ?? 1,
    ...defined({
      count: read.number('COUNT', 1, 99_999),
      until: parts.get('UNTIL'),
      months: read.numbers('BYMONTH', 1, 12),
      weeks: read.numbers('BYWEEKNO', 1, 53, true),
      yearDays: read.numbers('BYYEARDAY', 1, 366, true),
      monthDays: read.numbers('BYMONTHDAY', 1, 31, true),
      weekdays: read.weekdays(),
      hours: read.numbers('BYHOUR', 0, 23),
      minutes: read.numbers('BYMINUTE', 0, 59),
      seconds: read.numbers('BYSECOND', 0, 59),
      positions: read.numbers('BYSETPOS', 1, 366, true),
    }),
  };
  checkParts(rule, parts);
  return rule;
}

function partsOf(value: string, line: number): Map<string, string> {
  const parts = new Map<string, string>();
  for (const part of value.replace(/;\s*$/, '').split(';')) {
    const [, name, text] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    const known = name?.toUpperCase();
    if (known === undefined || text === undefined || !PARTS.includes(known))
      throw new IcsError(
        `RRULE has ${JSON.stringify(part.slice(0, 40))}, which is not understood; expected ${PARTS.join(', ')}`,
        line,
      );
    if (parts.has(known)) throw new IcsError(`RRULE has two parts ${known}`, line);
    parts.set(known, text.toUpperCase());
  }
  return parts;
}

class Reader {
  constructor(
    private readonly parts: ReadonlyMap<string, string>,
    private readonly line: number,
  ) {}

  frequency(): Frequency {
    const name = this.parts.get('FREQ') ?? '';
    if (SUB_DAILY.includes(name))
      throw new IcsError(
        `RRULE has FREQ=${name}; a calendar takes rules of days: ${FREQUENCIES.join(', ')}`,
        this.line,
      );
    return FREQUENCIES[this.oneOf('FREQ', FREQUENCIES, true)!]!;
  }

  oneOf(part: string, names: readonly string[], isRequired = false): number | undefined {
    const text = this.parts.get(part);
    if (text === undefined && !isRequired) return undefined;
    const index = names.indexOf(text ?? '');
    if (index >= 0) return index;
    throw this.wrong(part, names.join(', '));
  }

  number(part: string, min: number, max: number): number | undefined {
    const [number, ...others] = this.numbers(part, min, max) ?? [];
    if (others.length > 0) throw this.wrong(part, 'one number');
    return number;
  }

  numbers(part: string, min: number, max: number, isSigned = false): number[] | undefined {
    const numbers = this.parts
      .get(part)
      ?.split(',')
      .map((text) => {
        const number = /^[+-]?\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
        const size = isSigned ? Math.abs(number) : number;
        if (size >= min && size <= max) return number;
        throw this.wrong(part, `${min} to ${max}${isSigned ? `, or -${max} to -${min}` : ''}`);
      });
    return numbers && [...new Set(numbers)];
  }

  weekdays(): Weekday[] | undefined {
    return this.parts
      .get('BYDAY')
      ?.split(',')
      .map((text) => {
        const [, nth, name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text.trim()) ?? [];
        const weekday = WEEKDAYS.indexOf(name);
        const number = nth === undefined ? undefined : Number(nth);
        if (weekday < 0 || number === 0 || Math.abs(number ?? 1) > 53)
          throw this.wrong('BYDAY', `${WEEKDAYS.join(', ')}, or such as 2MO and -1FR`);
        return { weekday, ...(number !== undefined && { nth: number }) };
      });
  }

  private wrong(part: string, expected: string): IcsError {
    return new IcsError(`RRULE has ${part}=${this.parts.get(part) ?? ''}; expected ${expected}`, this.line);
  }
}

/** Parts that RFC 5545 excludes together, and those for which it leaves open which days they mean. */
function checkParts(rule: RecurrenceRule, parts: ReadonlyMap<string, string>): void {
  const { frequency, interval, weeks, yearDays, monthDays, weekdays = [], positions } = rule;
  const hasNth = weekdays.some(({ nth }) => nth !== undefined);
  const isYearly = frequency === 'YEARLY';
  const refused: [boolean | undefined, string][] = [
    [rule.count !== undefined && rule.until !== undefined, 'COUNT with UNTIL'],
    [monthDays && frequency === 'WEEKLY', 'BYMONTHDAY with FREQ=WEEKLY'],
    [yearDays && !isYearly, `BYYEARDAY with FREQ=${frequency}`],
    [weeks && !isYearly, `BYWEEKNO with FREQ=${frequency}`],
    [hasNth && (frequency === 'DAILY' || frequency === 'WEEKLY'), `a number in BYDAY with FREQ=${frequency}`],
    [hasNth && weeks !== undefined, 'a number in BYDAY with BYWEEKNO'],
    [
      hasNth && isYearly && (yearDays ?? monthDays) !== undefined,
      'a number in BYDAY with days of the year or month',
    ],
    [weeks && (yearDays ?? monthDays) !== undefined, 'BYWEEKNO with days of the year or month'],
    [yearDays && monthDays !== undefined, 'BYYEARDAY with BYMONTHDAY'],
    [weeks && weekdays.length === 0, 'BYWEEKNO without BYDAY'],
    [weeks && interval > 1, 'BYWEEKNO with INTERVAL'],
    [weeks && positions !== undefined, 'BYWEEKNO with BYSETPOS'],
    [positions && ![...parts.keys()].some((part) => /^BY(?!SETPOS)/.test(part)), 'BYSETPOS alone'],
  ];
  const [found] = refused.filter(([is]) => is);
  if (found) throw new IcsError(`RRULE has ${found[1]}, which has no agreed meaning`, rule.line);
}

const defined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
