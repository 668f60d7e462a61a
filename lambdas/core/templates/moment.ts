import { DAY_MS, HOUR_MS, instantText, MINUTE_MS, SECOND_MS } from '../clock/clock';
import { civilDateOf, dayNumberOf, daysInMonth, SECONDS_PER_DAY, weekdayOf } from '../schedule/civil';
import { dateText, instantMsOf, parseDateTime } from '../schedule/instant';
import { ParseError } from '../schedule/schedule-error';
import { instantOfWall } from '../schedule/wall-occurrences';
import type { Zone } from '../schedule/zone';
import { shown, TemplateError } from './template-error';

/** An instant, or a day of a calendar, which has an instant in a zone alone. Days count from 1970-01-01. */
export type Moment = { readonly ms: number } | { readonly day: number };

export const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type Unit = (typeof UNITS)[number];

const CLOCK_UNITS = { second: SECOND_MS, minute: MINUTE_MS, hour: HOUR_MS } as const;
type ClockUnit = keyof typeof CLOCK_UNITS;
const isClockUnit = (unit: Unit): unit is ClockUnit => Object.hasOwn(CLOCK_UNITS, unit);

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const LAST_MS = Date.UTC(2200, 0, 1) - 1;
const LAST_DAY = Math.floor(LAST_MS / DAY_MS);

/** Throws the error of a schedule's text as one of a template. */
export function asTemplateError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ParseError ? new TemplateError(error.message) : error;
  }
}

/** `2026-03-29`, RFC 3339, or a local time of the zone; 1970 to 2199. Throws `TemplateError`. */
export function parseMoment(text: string, zone: Zone): Moment {
  const [, year, month, day] = (DAY.exec(text) ?? []).map(Number);
  if (year === undefined) return { ms: asTemplateError(() => instantMsOf(text, parseDateTime(text), zone)) };
  if (month! < 1 || month! > 12 || day! < 1 || day! > daysInMonth(year, month!))
    throw new TemplateError(`${shown(text)} names a day that no calendar has`);
  return inReach({ day: dayNumberOf(year, month!, day!) });
}

/** A day as `2026-03-29`, an instant as RFC 3339 in UTC. */
export const momentText = (moment: Moment): string =>
  'ms' in moment ? instantText(moment.ms) : dateText(moment.day * SECONDS_PER_DAY);

/** The instant; of a day, its first one in the zone. */
export const instantOf = (moment: Moment, zone: Zone): number =>
  'ms' in moment ? moment.ms : startOfDay(moment.day, zone);

/** Wall seconds since 1970-01-01T00:00:00, and the fraction of the second. */
export function wallTimeOf(moment: Moment, zone: Zone): { wallSec: number; fractionMs: number } {
  if ('day' in moment) return { wallSec: moment.day * SECONDS_PER_DAY, fractionMs: 0 };
  const sec = Math.floor(moment.ms / SECOND_MS);
  return { wallSec: sec + zone.segmentAt(sec).offsetSec, fractionMs: moment.ms - sec * SECOND_MS };
}

/** Real seconds, minutes or hours later. */
export const later = (moment: Moment, ms: number, zone: Zone): Moment =>
  inReach({ ms: instantOf(moment, zone) + ms });

/** An instant at an equal time of day, `days` and `months` later by the calendar of the zone. */
export function laterByCalendar(
  moment: Moment,
  { days = 0, months = 0 }: { days?: number; months?: number },
  zone: Zone,
): Moment {
  if (days === 0 && months === 0) return moment;
  const { wallSec, fractionMs } = wallTimeOf(moment, zone);
  const from = Math.floor(wallSec / SECONDS_PER_DAY);
  const day = months === 0 ? from + days : monthsLater(from, months);
  inReach({ day });
  if ('day' in moment) return { day };
  const shiftedSec = day * SECONDS_PER_DAY + wallSec - from * SECONDS_PER_DAY;
  const sec = instantOfWall(zone, shiftedSec) ?? missingIn(day, zone);
  const isMoved = sec + zone.segmentAt(sec).offsetSec !== shiftedSec;
  return inReach({ ms: sec * SECOND_MS + (isMoved ? 0 : fractionMs) });
}

/** A month without that day has its last day instead. */
function monthsLater(from: number, months: number): number {
  const date = civilDateOf(from);
  const total = date.year * 12 + date.month - 1 + months;
  const [year, month] = [Math.floor(total / 12), (((total % 12) + 12) % 12) + 1];
  return dayNumberOf(year, month, Math.min(date.day, daysInMonth(year, month)));
}

/** Where the unit that contains the moment begins. Weeks begin on Monday. */
export function startOf(moment: Moment, unit: Unit, zone: Zone): Moment {
  if (isClockUnit(unit)) return inReach({ ms: clockUnitAround(instantOf(moment, zone), unit, zone).startMs });
  const { firstDay } = daysOf(dayIn(moment, zone), unit);
  return inReach('day' in moment ? { day: firstDay } : { ms: startOfDay(firstDay, zone) });
}

/** The last millisecond, or the last day, of the unit that contains the moment. */
export function endOf(moment: Moment, unit: Unit, zone: Zone): Moment {
  if (isClockUnit(unit))
    return inReach({ ms: clockUnitAround(instantOf(moment, zone), unit, zone).endMs - 1 });
  const { nextDay } = daysOf(dayIn(moment, zone), unit);
  return inReach('day' in moment ? { day: nextDay - 1 } : { ms: startOfDay(nextDay, zone) - 1 });
}

const dayIn = (moment: Moment, zone: Zone): number =>
  Math.floor(wallTimeOf(moment, zone).wallSec / SECONDS_PER_DAY);

/** A second, minute or hour of the clock; a change of the clocks cuts it off. */
function clockUnitAround(ms: number, unit: ClockUnit, zone: Zone): { startMs: number; endMs: number } {
  const sec = Math.floor(ms / SECOND_MS);
  const segment = zone.segmentAt(sec);
  const lengthSec = CLOCK_UNITS[unit] / SECOND_MS;
  const wallSec = sec + segment.offsetSec;
  const startSec = Math.floor(wallSec / lengthSec) * lengthSec - segment.offsetSec;
  const endSec = startSec + lengthSec;
  const changedBefore = segment.offsetBeforeSec !== segment.offsetSec;
  const changesAfter = segment.offsetAfterSec !== segment.offsetSec;
  return {
    startMs: (changedBefore ? Math.max(startSec, segment.startSec) : startSec) * SECOND_MS,
    endMs: (changesAfter ? Math.min(endSec, segment.endSec) : endSec) * SECOND_MS,
  };
}

function daysOf(day: number, unit: Exclude<Unit, ClockUnit>): { firstDay: number; nextDay: number } {
  const { year, month } = civilDateOf(day);
  const ofLength = (firstDay: number, days: number) => ({ firstDay, nextDay: firstDay + days });
  switch (unit) {
    case 'day':
      return ofLength(day, 1);
    case 'week':
      return ofLength(mondayOf(day), 7);
    case 'month':
      return ofLength(dayNumberOf(year, month, 1), daysInMonth(year, month));
    case 'year':
      return { firstDay: dayNumberOf(year, 1, 1), nextDay: dayNumberOf(year + 1, 1, 1) };
  }
}

export const mondayOf = (day: number): number => day - ((weekdayOf(day) + 6) % 7);

function startOfDay(day: number, zone: Zone): number {
  return (instantOfWall(zone, day * SECONDS_PER_DAY) ?? missingIn(day, zone)) * SECOND_MS;
}

function missingIn(day: number, zone: Zone): never {
  const date = dateText(day * SECONDS_PER_DAY);
  throw new TemplateError(`${date} does not exist in ${zone.name}: the clocks skip it`);
}

function inReach(moment: Moment): Moment {
  const [value, last] = 'ms' in moment ? [moment.ms, LAST_MS] : [moment.day, LAST_DAY];
  if (value >= 0 && value <= last) return moment;
  throw new TemplateError('the result is out of reach; allowed is 1970 to 2199');
}
