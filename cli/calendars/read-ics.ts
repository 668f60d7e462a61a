import { convertIcsCalendar, extendByRecurrenceRule, getEventEnd, type IcsEvent } from 'ts-ics';

import type { CalendarDefinition } from '../../client/browser';

type CalendarDate = NonNullable<CalendarDefinition['dates']>[number];

/** A file that cannot be read as a calendar. The message begins with its path. */
export class IcsError extends Error {
  override name = 'IcsError';
}

export interface IcsOptions {
  /** Zone of the calendar. Default: the one that the file names. */
  timezone?: string;
  /** Events that end before this are left out. */
  nowMs: number;
  /** So many years of a recurring event are taken, the present one included. */
  years: number;
}

/** What a file says, and what of it was left out. */
export interface IcsImport {
  calendar: CalendarDefinition;
  /** Events that ended before the present year. */
  past: number;
}

const DAY_MS = 86_400_000;
const MAX_NOTE = 100;
const LONE = /^\d{4}-(\d\d-\d\d)$/;

/**
 * A calendar from an iCalendar file. An all-day event is one or several days, any other a range of local
 * times. An event that recurs on one date of every year becomes a date of every year. Others that recur are
 * expanded. Cancelled events and cancelled or moved instances are left out. Throws an `IcsError`.
 */
export function readIcs(text: string, path: string, { timezone, nowMs, years }: IcsOptions): IcsImport {
  const events = eventsIn(text, path);
  const zone = timezone ?? zoneOf(text, events);
  const startMs = Date.UTC(new Date(nowMs).getUTCFullYear(), 0, 1);
  const endMs = Date.UTC(new Date(nowMs).getUTCFullYear() + years, 0, 1);
  const yearly = new Set<string>();
  const dates: CalendarDate[] = [];
  let past = 0;
  for (const event of events) {
    if (event.status === 'CANCELLED') continue;
    const everyYear = dateOfEveryYear(event);
    if (everyYear !== undefined) {
      yearly.add(everyYear);
      continue;
    }
    const lengthMs = lengthOf(event);
    const starts = startsOf(event, events, endMs);
    const present = starts.filter((atMs) => atMs + Math.max(lengthMs, 1) > startMs);
    if (present.length === 0) past += 1;
    dates.push(...present.map((atMs) => dateOf(event, atMs, lengthMs, zone, path)));
  }
  const name = nameIn(text);
  const calendar: CalendarDefinition = {
    ...(name !== undefined && { name }),
    ...(zone !== undefined && { timezone: zone }),
    dates: [...new Map(dates.map((date) => [JSON.stringify(date), date])).values()].sort(byStart),
    yearly: [...yearly].sort(),
  };
  return { calendar, past };
}

function eventsIn(text: string, path: string): IcsEvent[] {
  if (!/^BEGIN:VCALENDAR/m.test(text))
    throw new IcsError(`${path}: is no iCalendar file: BEGIN:VCALENDAR is missing`);
  try {
    return convertIcsCalendar(undefined, text).events ?? [];
  } catch (cause) {
    throw new IcsError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  }
}

const unfolded = (text: string): string => text.replace(/\r?\n[ \t]/g, '');
const propertyIn = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}(?:;[^:\\r\\n]*)?:(.+?)\\r?$`, 'm').exec(unfolded(text))?.[1]?.trim() || undefined;

const nameIn = (text: string): string | undefined =>
  propertyIn(text, 'X-WR-CALNAME')
    ?.replace(/\\([,;\\])/g, '$1')
    .slice(0, 128);

/** The zone that the file names, or that of its first local time. */
const zoneOf = (text: string, events: readonly IcsEvent[]): string | undefined =>
  propertyIn(text, 'X-WR-TIMEZONE') ?? events.find(({ start }) => start.local)?.start.local?.timezone;

/** An all-day event without an end is one day. */
function lengthOf(event: IcsEvent): number {
  const { start, end, duration }: Pick<IcsEvent, 'start' | 'end' | 'duration'> = event;
  if (!end && !duration) return start.type === 'DATE' ? DAY_MS : 0;
  return getEventEnd(event).getTime() - start.date.getTime();
}

/** `12-25`: a single day that recurs on its date, without end and without exception. */
function dateOfEveryYear(event: IcsEvent): string | undefined {
  const rule = event.recurrenceRule;
  if (event.start.type !== 'DATE' || rule?.frequency !== 'YEARLY') return undefined;
  const { frequency: _, interval = 1, workweekStart: __, byMonth, byMonthday, ...others } = rule;
  const isPlain = interval === 1 && Object.values(others).every((value) => value === undefined);
  const { start } = event;
  const isOwnDate =
    (byMonth === undefined || (byMonth.length === 1 && byMonth[0] === start.date.getUTCMonth())) &&
    (byMonthday === undefined || (byMonthday.length === 1 && byMonthday[0] === start.date.getUTCDate()));
  const isOneDay = lengthOf(event) <= DAY_MS;
  if (!isPlain || !isOwnDate || !isOneDay || event.exceptionDates?.length) return undefined;
  return LONE.exec(start.date.toISOString().slice(0, 10))?.[1];
}

/**
 * When an event begins, and begins again, before `endMs`. Local times count as UTC, so clocks do not move
 * them.
 */
function startsOf(event: IcsEvent, all: readonly IcsEvent[], endMs: number): number[] {
  const first = event.start.local?.date ?? event.start.date;
  if (!event.recurrenceRule) return [first.getTime()];
  const exceptions = (event.exceptionDates ?? []).map(({ date, local }) => local?.date ?? date);
  const moved = all.flatMap(({ uid, recurrenceId }) =>
    uid === event.uid && recurrenceId ? [recurrenceId.value.local?.date ?? recurrenceId.value.date] : [],
  );
  const { until } = event.recurrenceRule;
  const lastMs = until ? (until.local?.date ?? until.date).getTime() : endMs;
  const left = new Set([...exceptions, ...moved].map((date) => date.getTime()));
  // The library expands days: with BYDAY it loses the time of day.
  const timeMs = first.getTime() % DAY_MS;
  const start = new Date(first.getTime() - timeMs);
  return extendByRecurrenceRule(event.recurrenceRule, {
    start,
    end: new Date(Math.min(endMs, lastMs + DAY_MS)),
  })
    .map((date) => date.getTime() + timeMs)
    .filter((atMs) => atMs <= lastMs && atMs < endMs && !left.has(atMs));
}

function dateOf(
  { start, summary }: IcsEvent,
  atMs: number,
  lengthMs: number,
  zone: string | undefined,
  path: string,
): CalendarDate {
  const note = summary ? { note: summary.replace(/\s+/g, ' ').trim().slice(0, MAX_NOTE) } : {};
  if (start.type === 'DATE') {
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    return { from: day(atMs), to: day(atMs + Math.max(lengthMs - DAY_MS, 0)), ...note };
  }
  if (zone === undefined) throw new IcsError(`${path}: has times in UTC; name the zone of the calendar`);
  const startMs =
    start.local === undefined || start.local.timezone !== zone ? inZone(utcOf(start, atMs), zone) : atMs;
  const local = (ms: number) => new Date(ms).toISOString().slice(0, 19);
  return { from: local(startMs), to: local(startMs + Math.max(lengthMs, 1000)), ...note };
}

/** The instant of a recurrence of an event, by the offset of its first one. */
const utcOf = ({ date, local }: IcsEvent['start'], atMs: number): number =>
  local ? atMs - (local.date.getTime() - date.getTime()) : atMs;

/** The local time of an instant, as if it were UTC. */
function inZone(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(ms);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

const startOf = (date: CalendarDate): string => (typeof date === 'string' ? date : date.from);
const byStart = (a: CalendarDate, b: CalendarDate): number => (startOf(a) < startOf(b) ? -1 : 1);
