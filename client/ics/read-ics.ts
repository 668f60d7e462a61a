import type { CalendarDefinition } from '../types';
import { type Clock, ianaClock, instantOf, QUARTER_MS, STILL, wallAt } from './clock';
import { all as allIn, calendarsIn, type Component } from './components';
import { textIn } from './content-lines';
import { eventOf, type IcsEvent } from './event';
import { IcsError } from './ics-error';
import { StepBudget } from './occurrences';
import { type Series, type SeriesContext, seriesOf, type Span } from './series';
import { dayText, DAY_MS, timeText, UTC } from './values';
import { suggestedZone } from './named-zones';
import { Zones } from './zones';

export { IcsError } from './ics-error';

type CalendarDate = Exclude<NonNullable<CalendarDefinition['dates']>[number], string>;

export interface IcsOptions {
  /** Zone of the calendar. Default: the one that the file names. */
  timezone?: string;
  /** Events that end before the year of this are left out. */
  nowMs: number;
  /** So many years of a recurring event are taken, the present one included. */
  years: number;
}

/** What a file says, and what of it was left out. */
export interface IcsImport {
  calendar: CalendarDefinition;
  /** Events in the file. */
  events: number;
  /** Events that ended before the present year. */
  past: number;
  /** Events, and dates of events, that are cancelled. */
  cancelled: number;
  /** The last day that is taken of series without an end. Absent: there is none. */
  cutAfter?: string;
  /** What a reader of the file has to know, by line: `line 9: …`. */
  notes: string[];
}

const MAX_NOTE = 100;
const MAX_NAME = 128;
const MAX_DATES = 500;
/** Days and times that the rules of a file may make the reader count. They take a third of a second. */
const MAX_STEPS = 2_000_000;
/** What is left out of a file that has no events, and is not said to be unread. */
const COMPONENTS = ['VEVENT', 'VTIMEZONE'];
/** Ways to publish events. Others ask for something, or take events back. */
const METHODS = ['PUBLISH', 'REQUEST'];

/**
 * A calendar from an iCalendar file. An all-day event is one or several days, any other a range of local
 * times. An event that recurs on one date of every year becomes a date of every year. Others that recur are
 * expanded. Cancelled events and cancelled or moved instances are left out. What is not understood is an
 * `IcsError`, whose message begins with the path, or a note.
 */
export function readIcs(text: string, path: string, options: IcsOptions): IcsImport {
  try {
    return read(text, options);
  } catch (cause) {
    if (!(cause instanceof IcsError)) throw cause;
    throw new IcsError(`${path}: ${cause.message}`, undefined, { cause });
  }
}

function read(text: string, { timezone, nowMs, years }: IcsOptions): IcsImport {
  const notes = new Notes();
  const calendars = calendarsIn(text);
  const components = calendars.flatMap((calendar) => calendar.components);
  checkMethods(calendars);
  noteOthers(components, notes);
  const events = components
    .filter(({ name }) => name === 'VEVENT')
    .map((component) => eventOf(component, notes.add));
  const year = new Date(nowMs).getUTCFullYear();
  const [startMs, endMs] = [Date.UTC(year, 0, 1), Date.UTC(year + years, 0, 1)];
  const budget = new StepBudget(MAX_STEPS);
  const zones = new Zones(calendars, { startMs, endMs, budget });
  const clocks = clocksOf(calendars, events, { zones, timezone });
  const context: SeriesContext = { zones, ...clocks, startMs, endMs, budget, note: notes.add };
  const result = collect(events, context);
  const all = result.spans.map((span) => dateOf(span, context));
  const dates = [...new Map(all.map((date) => [JSON.stringify(date), date])).values()].sort(byStart);
  if (dates.length > MAX_DATES)
    throw new IcsError(`has ${dates.length} dates; a calendar has at most ${MAX_DATES}: take fewer years`);
  const [name] = calendars.flatMap((calendar) => allIn(calendar, 'X-WR-CALNAME'));
  const calendarName = name === undefined ? '' : cut(textIn(name.value), MAX_NAME);
  return {
    calendar: {
      ...(calendarName !== '' && { name: calendarName }),
      ...(clocks.clock.name !== undefined && { timezone: clocks.clock.name }),
      dates,
      yearly: [...result.yearly].sort(),
    },
    events: events.length,
    past: result.past,
    cancelled: result.cancelled,
    ...(result.isCut && { cutAfter: dayText(endMs - DAY_MS) }),
    notes: notes.inOrder(),
  };
}

/** Notes by line, each once. */
class Notes {
  private readonly found = new Map<string, number>();

  readonly add = (text: string, line: number): void => {
    this.found.set(`line ${line}: ${text}`, line);
  };

  inOrder(): string[] {
    return [...this.found].sort(([, a], [, b]) => a - b).map(([text]) => text);
  }
}

function checkMethods(calendars: readonly Component[]): void {
  for (const { value, line } of calendars.flatMap((calendar) => allIn(calendar, 'METHOD')))
    if (!METHODS.includes(value.toUpperCase()))
      throw new IcsError(
        `METHOD is ${JSON.stringify(value.slice(0, 40))}; expected ${METHODS.join(' or ')}`,
        line,
      );
}

function noteOthers(components: readonly Component[], notes: Notes): void {
  for (const { name, line } of components)
    if (!COMPONENTS.includes(name)) notes.add(`${name} is no event, and was left out`, line);
}

/** The clock of the calendar, and that of times without a zone. */
function clocksOf(
  calendars: readonly Component[],
  events: readonly IcsEvent[],
  { zones, timezone }: { zones: Zones; timezone: string | undefined },
): { clock: Clock; floating: Clock } {
  const [named, other] = calendars.flatMap((calendar) => allIn(calendar, 'X-WR-TIMEZONE'));
  if (other && other.value !== named!.value)
    throw new IcsError(
      `X-WR-TIMEZONE is ${other.value}, and ${named!.value} on line ${named!.line}`,
      other.line,
    );
  const ofFile = named && zones.clock(named.value, named);
  const given = timezone === undefined ? undefined : ianaClock(timezone);
  if (timezone !== undefined && !given) throw noZone(timezone);
  const zoned = events.flatMap(({ start: { moment, property } }) =>
    moment.type === 'time' && moment.zone !== undefined ? [{ zone: moment.zone, property }] : [],
  );
  const local = zoned
    .filter(({ zone }) => zone !== UTC)
    .map(({ zone, property }) => zones.clock(zone, property));
  const clock = given ?? [ofFile, ...local].find((one) => one?.name !== undefined);
  const [first] = zoned;
  if (!clock && first)
    throw new IcsError(
      first.zone === UTC
        ? 'has times in UTC; name the zone of the calendar'
        : `has the zone ${JSON.stringify(first.zone.slice(0, 64))} of its own; name the zone of the calendar`,
      first.property.line,
    );
  return { clock: clock ?? STILL, floating: ofFile ?? clock ?? STILL };
}

interface Collected {
  spans: Span[];
  yearly: Set<string>;
  past: number;
  cancelled: number;
  isCut: boolean;
}

function collect(events: readonly IcsEvent[], context: SeriesContext): Collected {
  const collected: Collected = { spans: [], yearly: new Set(), past: 0, cancelled: 0, isCut: false };
  for (const group of byUid(events)) {
    const masters = newest(
      group.filter(({ replaces }) => !replaces),
      context,
    );
    const overrides = overridesOf(group, context);
    if (masters.some(({ isCancelled }) => isCancelled)) {
      collected.cancelled += group.length;
      continue;
    }
    collected.cancelled += overrides.filter(({ isCancelled }) => isCancelled).length;
    const [master] = masters;
    const everyYear =
      overrides.length === 0 && masters.length === 1 ? dateOfEveryYear(master!, context) : undefined;
    if (everyYear !== undefined) collected.yearly.add(everyYear);
    else addSeries(collected, [seriesOf(master, overrides, context)], context);
    // The dates that replace others stand in the series of the first one.
    const gone = overrides.map((override) => ({ ...override, isCancelled: true }));
    addSeries(
      collected,
      masters.slice(1).map((one) => seriesOf(one, gone, context)),
      context,
    );
  }
  return collected;
}

function addSeries(collected: Collected, series: readonly Series[], { startMs }: SeriesContext): void {
  for (const { spans, isCut } of series) {
    const present = spans.filter(({ untilMs }) => untilMs > startMs);
    if (present.length === 0 && spans.length > 0) collected.past += 1;
    collected.spans.push(...present);
    collected.isCut ||= isCut;
  }
}

/** Events of one UID belong together. One without a UID is alone. */
function byUid(events: readonly IcsEvent[]): IcsEvent[][] {
  const groups = new Map<string | IcsEvent, IcsEvent[]>();
  for (const event of events) {
    const key = event.uid ?? event;
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
  }
  return [...groups.values()];
}

/** The versions of an event with the highest SEQUENCE. */
function newest(versions: readonly IcsEvent[], { note }: SeriesContext): IcsEvent[] {
  const latest = versions.reduce<IcsEvent | undefined>(
    (best, one) => (best && best.sequence >= one.sequence ? best : one),
    undefined,
  );
  const taken = versions.filter(({ sequence }) => sequence === latest?.sequence);
  for (const { sequence, line } of versions)
    if (sequence !== latest!.sequence)
      note(`the event has SEQUENCE ${sequence}; line ${latest!.line} has a later one, and was taken`, line);
  for (const { line } of taken.slice(1))
    note(`the event has the UID and SEQUENCE of that on line ${taken[0]!.line}; both were taken`, line);
  return taken;
}

function overridesOf(group: readonly IcsEvent[], context: SeriesContext): IcsEvent[] {
  const versions = new Map<string, IcsEvent[]>();
  for (const event of group) {
    if (!event.replaces) continue;
    const { moment, property } = event.replaces;
    const zone = moment.type === 'time' ? moment.zone : undefined;
    const clock = zone === undefined ? context.floating : context.zones.clock(zone, property);
    const key = moment.type === 'day' ? dayText(moment.wallMs) : String(instantOf(clock, moment.wallMs));
    versions.set(key, [...(versions.get(key) ?? []), event]);
  }
  return [...versions.values()].flatMap((one) => newest(one, context));
}

/** `12-25`: a single day that recurs on its date, without end and without exception. */
function dateOfEveryYear(event: IcsEvent, { startMs }: SeriesContext): string | undefined {
  const { rule, start, length, added, excluded } = event;
  const { wallMs, type } = start.moment;
  if (type !== 'day' || rule?.frequency !== 'YEARLY' || length?.days !== 1) return undefined;
  const { line: _, frequency: __, interval, weekStart: ___, months, monthDays, ...others } = rule;
  const date = new Date(wallMs);
  const hasBegun = date.getUTCFullYear() <= new Date(startMs).getUTCFullYear();
  const isOwnDate =
    (months ?? [date.getUTCMonth() + 1]).join() === String(date.getUTCMonth() + 1) &&
    (monthDays ?? [date.getUTCDate()]).join() === String(date.getUTCDate());
  const isPlain = interval === 1 && isOwnDate && Object.keys(others).length === 0;
  return isPlain && added.length === 0 && excluded.length === 0 && hasBegun
    ? dayText(wallMs).slice(5)
    : undefined;
}

function dateOf({ event, type, fromMs, untilMs }: Span, { clock, note }: SeriesContext): CalendarDate {
  const summary = cut(event.summary ?? '', MAX_NOTE);
  const noted = summary === '' ? {} : { note: summary };
  if (type === 'day') return { from: dayText(fromMs), to: dayText(untilMs - DAY_MS), ...noted };
  const from = wallAt(clock, fromMs);
  const endMs = firstNamed(clock, untilMs);
  if (endMs !== untilMs || instantOf(clock, from) !== fromMs)
    note(
      `a time is in the hour that the clocks repeat; it was taken from ${timeText(from)} to ${timeText(wallAt(clock, endMs))}`,
      event.line,
    );
  return { from: timeText(from), to: timeText(wallAt(clock, endMs)), ...noted };
}

/** The first instant, from this one on, that a local time names: the second of two equal ones has no name. */
function firstNamed(clock: Clock, atMs: number): number {
  let namedMs = atMs;
  while (instantOf(clock, wallAt(clock, namedMs)) !== namedMs)
    namedMs = (Math.floor(namedMs / QUARTER_MS) + 1) * QUARTER_MS;
  return namedMs;
}

/** At most so many characters, and none of them half. */
const cut = (text: string, max: number): string => text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');

const byStart = (a: CalendarDate, b: CalendarDate): number =>
  a.from < b.from ? -1 : a.from > b.from ? 1 : 0;

function noZone(given: string): IcsError {
  const meant = suggestedZone(given);
  return new IcsError(
    `the zone ${JSON.stringify(given.slice(0, 64))} of the calendar is no IANA zone` +
      (meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`),
  );
}
