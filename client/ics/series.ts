import { type Clock, instantOf, wallAt } from './clock';
import type { AddedDate, Dated, IcsEvent } from './event';
import { IcsError } from './ics-error';
import { occurrences, type StepBudget } from './occurrences';
import type { RecurrenceRule } from './recurrence-rule';
import { dayText, DAY_MS, type Length, type Moment, momentIn, SECOND_MS, UTC } from './values';
import type { Zones } from './zones';

/** A part of time that an event takes: whole days, or a range of instants. */
export interface Span {
  event: IcsEvent;
  type: Moment['type'];
  /** Of days: midnight in local time, as if it were UTC. */
  fromMs: number;
  /** Exclusive. */
  untilMs: number;
}

export interface SeriesContext {
  zones: Zones;
  /** The clock of the calendar. */
  clock: Clock;
  /** The clock of times that have no zone of their own. */
  floating: Clock;
  /** From the start of the present year. */
  startMs: number;
  /** Series without an end are taken until then. */
  endMs: number;
  budget: StepBudget;
  note(text: string, line: number): void;
}

/** A series of one UID, or a lone event: what its dates are, and whether they go on after the last one. */
export interface Series {
  spans: Span[];
  isCut: boolean;
}

/**
 * The spans of a series: those of the master, without excluded and replaced ones, and those that replace
 * them. A length that DTEND gives is the same time for all, and one of days is days of the calendar.
 */
export function seriesOf(
  master: IcsEvent | undefined,
  overrides: readonly IcsEvent[],
  context: SeriesContext,
): Series {
  const own = overrides.filter(({ isCancelled }) => !isCancelled).map((event) => spanOf(event, context));
  if (!master) return { spans: own.flatMap((span) => span ?? []), isCut: false };
  const starts = startsOf(master, context);
  const left = new Set<number>();
  for (const { moment, property } of [...master.excluded, ...overrides.map(({ replaces }) => replaces!)])
    leaveOut({ moment, property }, { master, starts, left }, context);
  const spans = [...starts.values()].filter(({ atMs }) => !left.has(atMs)).map(({ span }) => span);
  return { spans: [...spans, ...own].flatMap((span) => span ?? []), isCut: isEndless(master.rule) };
}

const isEndless = (rule: RecurrenceRule | undefined): boolean =>
  rule !== undefined && rule.count === undefined && rule.until === undefined;

const clockOf = ({ moment, property }: Dated, { zones, floating }: SeriesContext): Clock =>
  moment.type === 'time' && moment.zone !== undefined ? zones.clock(moment.zone, property) : floating;

interface Start {
  /** What identifies it: its instant, or its midnight. */
  atMs: number;
  /** Undefined: it has no length. */
  span: Span | undefined;
}

const instantIn = (dated: Dated, context: SeriesContext): number =>
  dated.moment.type === 'day' ? dated.moment.wallMs : instantOf(clockOf(dated, context), dated.moment.wallMs);

/** The starts of a master by what identifies them. */
function startsOf(event: IcsEvent, context: SeriesContext): Map<number, Start> {
  const { start, rule } = event;
  const clock = clockOf(start, context);
  const firstMs = start.moment.wallMs;
  const walls = rule ? ruled(event, rule, clock, context) : [firstMs];
  const toInstant = (wallMs: number): number =>
    start.moment.type === 'day' ? wallMs : instantOf(clock, wallMs);
  const all = walls.map((wallMs) => ({
    wallMs,
    atMs: toInstant(wallMs),
    end: undefined as AddedDate['end'],
  }));
  for (const added of event.added) {
    context.budget.spend(added.property.line);
    all.push(addedStart(added, event, clock, context));
  }
  return new Map(
    all.map(({ wallMs, atMs, end }) => [atMs, { atMs, span: spanAt(event, { wallMs, atMs, end }, context) }]),
  );
}

function addedStart(
  { moment, property, end }: AddedDate,
  { start }: IcsEvent,
  clock: Clock,
  context: SeriesContext,
): { wallMs: number; atMs: number; end: AddedDate['end'] } {
  if (moment.type === start.moment.type) {
    const atMs = instantIn({ moment, property }, context);
    const ends = end && 'type' in end ? untilIn({ moment: end, property }, atMs, context) : end;
    return { atMs, wallMs: moment.type === 'day' ? atMs : wallAt(clock, atMs), end: ends };
  }
  if (
    start.moment.type === 'day' &&
    !end &&
    moment.wallMs % DAY_MS === 0 &&
    moment.type === 'time' &&
    moment.zone !== UTC
  )
    return { atMs: moment.wallMs, wallMs: moment.wallMs, end };
  throw new IcsError(`RDATE has a ${moment.type}, and DTSTART is a ${start.moment.type}`, property.line);
}

/** The end of a period, as a length. */
function untilIn(end: Dated, atMs: number, context: SeriesContext): Length {
  const sec = (instantIn(end, context) - atMs) / SECOND_MS;
  if (sec < 0)
    throw new IcsError(`${end.property.name} has a period that ends before it starts`, end.property.line);
  return { days: 0, sec };
}

/** Placing an occurrence in its zone costs as much as so many days. */
const STEPS_OF_A_START = 200;

/** What the rule of an event gives, in local time. */
function ruled(
  { start, length, end }: IcsEvent,
  rule: RecurrenceRule,
  clock: Clock,
  context: SeriesContext,
): number[] {
  const { startMs, endMs, budget } = context;
  const firstMs = start.moment.wallMs;
  if (start.moment.type === 'day' && (rule.hours ?? rule.minutes ?? rule.seconds))
    throw new IcsError('RRULE has a time of day, and DTSTART is a day', rule.line);
  const longestMs = longestOf({ length, end, start });
  const isBefore = untilTest(start, rule, clock, context);
  const walls: number[] = [];
  for (const wallMs of occurrences(rule, { firstMs, fromMs: startMs - longestMs, endMs }, budget)) {
    if (!isBefore(wallMs)) break;
    budget.spend(rule.line, STEPS_OF_A_START);
    walls.push(wallMs);
  }
  const isCounted = rule.count !== undefined || firstMs >= startMs;
  if (isCounted && walls[0] !== firstMs && isBefore(firstMs))
    context.note(
      `DTSTART is ${dayText(firstMs)}, which is not a date of its RRULE, and was left out`,
      start.property.line,
    );
  return walls;
}

/** How long before the present year an occurrence may begin that reaches into it. */
const longestOf = ({ length, end, start }: Pick<IcsEvent, 'length' | 'end' | 'start'>): number =>
  2 * DAY_MS +
  (length
    ? length.days * DAY_MS + length.sec * SECOND_MS
    : Math.max((end?.moment.wallMs ?? 0) - start.moment.wallMs, 0));

/** Whether a local time is no later than UNTIL. */
function untilTest(
  start: Dated,
  { until, line }: RecurrenceRule,
  clock: Clock,
  context: SeriesContext,
): (wallMs: number) => boolean {
  if (until === undefined) return () => true;
  const property = { name: 'UNTIL of RRULE', line, value: until, params: new Map<string, string>() };
  const moment = momentIn(until, property);
  const isUtc = moment.type === 'time' && moment.zone === UTC;
  if (start.moment.type === 'time') {
    if (isUtc) return (wallMs) => instantOf(clock, wallMs) <= moment.wallMs;
    if (moment.type === 'time') return (wallMs) => wallMs <= moment.wallMs;
    context.note(
      `UNTIL is a day, and DTSTART a time: taken until the end of ${dayText(moment.wallMs)}`,
      line,
    );
    return (wallMs) => wallMs < moment.wallMs + DAY_MS;
  }
  const written = Math.floor(moment.wallMs / DAY_MS);
  const local = isUtc ? Math.floor(wallAt(context.clock, moment.wallMs) / DAY_MS) : written;
  if (written !== local)
    context.note(
      `UNTIL is a time in UTC, and DTSTART a day: taken until ${dayText(Math.max(written, local) * DAY_MS)}`,
      line,
    );
  return (wallMs) => wallMs / DAY_MS <= Math.max(written, local);
}

/** Leaves the occurrence out that an EXDATE or a RECURRENCE-ID names, in whatever form. */
function leaveOut(
  dated: Dated,
  { master, starts, left }: { master: IcsEvent; starts: ReadonlyMap<number, Start>; left: Set<number> },
  context: SeriesContext,
): void {
  const { moment, property } = dated;
  context.budget.spend(property.line);
  const found = identified(dated, { master, starts }, context);
  for (const atMs of found) left.add(atMs);
  const isInReach = moment.wallMs > context.startMs + DAY_MS && moment.wallMs < context.endMs - DAY_MS;
  if (found.length === 0 && isInReach)
    context.note(`${property.name} names ${shown(moment)}, which is not a date of the series`, property.line);
}

const shown = ({ type, wallMs }: Moment): string =>
  type === 'day' ? dayText(wallMs) : new Date(wallMs).toISOString().slice(0, 19);

function identified(
  dated: Dated,
  { master, starts }: { master: IcsEvent; starts: ReadonlyMap<number, Start> },
  context: SeriesContext,
): number[] {
  const { moment } = dated;
  if (moment.type === master.start.moment.type) {
    const atMs = instantIn(dated, context);
    return starts.has(atMs) ? [atMs] : [];
  }
  if (moment.type === 'time') {
    // a time for a day: midnight of the day, there or in the zone of the calendar
    const own = Math.floor(moment.wallMs / DAY_MS) * DAY_MS;
    if (moment.zone !== UTC || own === moment.wallMs) return starts.has(own) ? [own] : [];
    const there = Math.floor(wallAt(context.clock, moment.wallMs) / DAY_MS) * DAY_MS;
    return starts.has(there) ? [there] : [];
  }
  // a day for times: those that begin on it, in the zone of the event
  const clock = clockOf(master.start, context);
  return [...new Set(timesOn(moment.wallMs, starts, clock))];
}

const byDay = new WeakMap<ReadonlyMap<number, Start>, Map<number, number[]>>();

function timesOn(dayMs: number, starts: ReadonlyMap<number, Start>, clock: Clock): number[] {
  let days = byDay.get(starts);
  if (!days) {
    days = new Map();
    for (const atMs of starts.keys()) {
      const day = Math.floor(wallAt(clock, atMs) / DAY_MS) * DAY_MS;
      days.set(day, [...(days.get(day) ?? []), atMs]);
    }
    byDay.set(starts, days);
  }
  return days.get(dayMs) ?? [];
}

/** The span of an event that does not recur, or is one of a series. */
function spanOf(event: IcsEvent, context: SeriesContext): Span | undefined {
  if (event.rule ?? event.added[0])
    context.note(
      'RECURRENCE-ID replaces one date of a series: its own RRULE and RDATE were left out',
      event.replaces!.property.line,
    );
  const atMs = instantIn(event.start, context);
  return spanAt(event, { wallMs: event.start.moment.wallMs, atMs, end: undefined }, context);
}

function spanAt(
  event: IcsEvent,
  { wallMs, atMs, end }: { wallMs: number; atMs: number; end: AddedDate['end'] },
  context: SeriesContext,
): Span | undefined {
  const length = (end as Length | undefined) ?? lengthOf(event, context);
  const type = event.start.moment.type;
  const laterMs = wallMs + length.days * DAY_MS;
  const untilMs =
    (type === 'day'
      ? laterMs
      : length.days === 0
        ? atMs
        : instantOf(clockOf(event.start, context), laterMs)) +
    length.sec * SECOND_MS;
  return untilMs > atMs ? { event, type, fromMs: atMs, untilMs } : undefined;
}

const lengths = new WeakMap<IcsEvent, Length>();

/** RFC 5545: an end is the same span of time for each occurrence. */
function lengthOf(event: IcsEvent, context: SeriesContext): Length {
  const known = lengths.get(event);
  if (known) return known;
  const { end, start, line } = event;
  const length = event.length ?? {
    days: 0,
    sec: end ? (instantIn(end, context) - instantIn(start, context)) / SECOND_MS : 0,
  };
  if (length.sec < 0) throw new IcsError('DTEND is before DTSTART', end?.property.line);
  if (length.days === 0 && length.sec === 0) context.note('the event has no length, and was left out', line);
  lengths.set(event, length);
  return length;
}
