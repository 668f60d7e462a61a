import { SECONDS_PER_DAY, civilDateOf, dayNumberOf, daysInMonth } from './civil';
import { ParseError, quoted } from './schedule-error';
import { instantOfWall } from './wall-occurrences';
import type { Zone } from './zone';

/** A wall time, and the fraction of its second. */
export interface LocalTime {
  wallSec: number;
  fractionMs: number;
}

/** A parsed date and time: an instant if the text has an offset, else local time. */
type DateTime = { ms: number } | LocalTime;

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:([Zz])|([+-])(\d\d):(\d\d))?$/;

const EARLIEST_MS = 0;
const LATEST_MS = Date.UTC(2200, 0, 1) - 1;
const LATEST = new Date(LATEST_MS).toISOString();

/**
 * RFC 3339, or local time: the same without an offset. Seconds are optional. 1970 to 2199. Throws
 * `ParseError`.
 */
export function parseDateTime(text: string): DateTime {
  const parts = DATE_TIME.exec(text);
  if (!parts) {
    throw new ParseError(
      `${quoted(text)} is not a date and time: write "2026-12-01T09:00:00Z", or "2026-12-01T09:00:00" for local time`,
    );
  }
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    throw new ParseError(`${quoted(text)} names a day that no calendar has`);
  }
  if (hour > 23 || minute > 59 || second > 59) {
    throw new ParseError(`${quoted(text)} names a time of day beyond 23:59:59`);
  }
  const wallSec = dayNumberOf(year, month, day) * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second;
  const fractionMs = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const offsetSec = offsetOf(text, parts[8], parts[9], parts[10], parts[11]);
  if (offsetSec === undefined) return { wallSec, fractionMs };
  return { ms: inRange(text, (wallSec - offsetSec) * 1000 + fractionMs) };
}

function offsetOf(
  text: string,
  utc?: string,
  sign?: string,
  hours?: string,
  minutes?: string,
): number | undefined {
  if (utc) return 0;
  if (!sign) return undefined;
  if (Number(hours) > 23 || Number(minutes) > 59)
    throw new ParseError(`${quoted(text)} has an offset beyond 23:59`);
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/**
 * The instant of a date and time; local time is that of the zone. If the clocks repeat it, the earlier
 * instant. If they skip it, the first instant after the gap. Throws `ParseError` if the whole date is missing
 * from the zone.
 */
export function instantMsOf(text: string, dateTime: DateTime, zone: Zone): number {
  if ('ms' in dateTime) return dateTime.ms;
  const sec = instantOfWall(zone, dateTime.wallSec);
  if (sec === undefined)
    throw new ParseError(`${quoted(text)} does not exist in ${zone.name}: the clocks skip it`);
  const shifted = sec + zone.segmentAt(sec).offsetSec !== dateTime.wallSec;
  return inRange(text, sec * 1000 + (shifted ? 0 : dateTime.fractionMs));
}

function inRange(text: string, ms: number): number {
  if (ms >= EARLIEST_MS && ms <= LATEST_MS) return ms;
  throw new ParseError(`${quoted(text)} is out of reach; allowed is 1970-01-01T00:00:00.000Z to ${LATEST}`);
}

/** `2026-03-29T03:00:00+02:00`: an instant in the local time of the zone. */
export function localText(ms: number, zone: Zone): string {
  const sec = Math.floor(ms / 1000);
  const { offsetSec } = zone.segmentAt(sec);
  const fraction = ms - sec * 1000;
  const [sign, offset] = [offsetSec < 0 ? '-' : '+', Math.abs(offsetSec)];
  const odd = offset % 60 === 0 ? '' : `:${two(offset % 60)}`;
  return `${wallText(sec + offsetSec)}${fraction === 0 ? '' : `.${String(fraction).padStart(3, '0')}`}${sign}${two(
    Math.floor(offset / 3600),
  )}:${two(Math.floor(offset / 60) % 60)}${odd}`;
}

/** `2026-03-29T02:30:00` */
const wallText = (wallSec: number): string => `${dateText(wallSec)}T${timeText(wallSec, true)}`;

export function dateText(wallSec: number): string {
  const { year, month, day } = civilDateOf(Math.floor(wallSec / SECONDS_PER_DAY));
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** `02:30`, or with seconds if they are not 0 or are asked for. */
export function timeText(wallSec: number, seconds = wallSec % 60 !== 0): string {
  const sec = ((wallSec % SECONDS_PER_DAY) + SECONDS_PER_DAY) % SECONDS_PER_DAY;
  const minutes = `${two(Math.floor(sec / 3600))}:${two(Math.floor(sec / 60) % 60)}`;
  return seconds ? `${minutes}:${two(sec % 60)}` : minutes;
}

const two = (value: number): string => String(value).padStart(2, '0');
