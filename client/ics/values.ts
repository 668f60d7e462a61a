import type { Property } from './content-lines';
import { IcsError } from './ics-error';

export const SECOND_MS = 1000;
export const DAY_MS = 86_400_000;

/** A day, or a time. Local times count as if they were UTC, so that clocks do not move them. */
export type Moment =
  | { type: 'day'; wallMs: number }
  /** `zone`: as the file names it; `UTC`; or undefined, for a time of no zone of its own. */
  | { type: 'time'; wallMs: number; zone?: string };

/** A length: days by the calendar, and seconds by the clock. */
export interface Length {
  days: number;
  sec: number;
}

export const UTC = 'UTC';
const DATE = /^(\d{4})(\d\d)(\d\d)$/;
const DATE_TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)$/i;
const DURATION =
  /^([+-]?)P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/i;
/** Parameters that change what a day or time means. */
const KNOWN_PARAMS = ['VALUE', 'TZID', 'RANGE'];

/** The day or time of a property. A day is one without `VALUE=DATE`, too. Throws an `IcsError`. */
export function momentOf(property: Property): Moment {
  checkParams(property, ['DATE', 'DATE-TIME']);
  return momentIn(property.value, property);
}

/** A day or time as text, with the zone of its property. */
export function momentIn(text: string, { name, params, line }: Property): Moment {
  const type = params.get('VALUE')?.toUpperCase();
  const date = DATE.exec(text);
  const time = DATE_TIME.exec(text);
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0', utc] = date ?? time ?? [];
  const wallMs = wallOf([year, month, day, hour, minute, second].map(Number) as WallParts);
  if (wallMs === undefined || (type === 'DATE' && !date) || (type === 'DATE-TIME' && !time))
    throw new IcsError(`${name} has ${JSON.stringify(text.slice(0, 40))}, which is ${expected(type)}`, line);
  if (date) return { type: 'day', wallMs };
  const zone = utc ? UTC : params.get('TZID');
  return { type: 'time', wallMs, ...(zone !== undefined && { zone }) };
}

const expected = (type: string | undefined): string =>
  type === 'DATE'
    ? 'no day: expected 20261224'
    : `no ${type === 'DATE-TIME' ? '' : 'day or '}time: expected ${type === 'DATE-TIME' ? '' : '20261224 or '}20261224T180000`;

export function checkParams({ name, params, line }: Property, types: readonly string[]): void {
  for (const key of params.keys())
    if (!KNOWN_PARAMS.includes(key) && !key.startsWith('X-'))
      throw new IcsError(`${name} has ${key}, which is no parameter of a day or time`, line);
  const type = params.get('VALUE');
  if (type !== undefined && !types.includes(type.toUpperCase()))
    throw new IcsError(`${name} has VALUE=${type}; expected ${types.join(' or ')}`, line);
}

type WallParts = [year: number, month: number, day: number, hour: number, minute: number, second: number];

/** Undefined: there is no such date, or no such time of day. */
function wallOf([year, month, day, hour, minute, second]: WallParts): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const isReal =
    year > 0 &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second;
  return isReal ? date.getTime() : undefined;
}

/** A length, such as `P1DT12H`. Throws an `IcsError` for one that goes back, too. */
export function lengthIn(text: string, { name, line }: Property): Length {
  const match = DURATION.exec(text);
  const [weeks, days, hours, minutes, seconds] = (match?.slice(2) ?? []).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (!match || /(?:P|T)$/i.test(text) || match[1] === '-')
    throw new IcsError(
      `${name} has ${JSON.stringify(text.slice(0, 40))}; expected a length such as PT2H or P1D`,
      line,
    );
  return { days: weeks * 7 + days, sec: hours * 3600 + minutes * 60 + seconds };
}

export const dayText = (wallMs: number): string => new Date(wallMs).toISOString().slice(0, 10);
export const timeText = (wallMs: number): string => new Date(wallMs).toISOString().slice(0, 19);
