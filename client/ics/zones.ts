import { all, type Component, only } from './components';
import type { Property } from './content-lines';
import { IcsError } from './ics-error';
import { occurrences, type StepBudget } from './occurrences';
import { recurrenceRule } from './recurrence-rule';
import { DAY_MS, momentIn, momentOf, SECOND_MS, UTC } from './values';
import { isAbbreviation, suggestedZone, windowsZone } from './named-zones';

/** A zone: what its clocks show. Local times count as if they were UTC. */
export interface Clock {
  /** Its IANA name. Absent: it has none. */
  name?: string;
  offsetMs(atMs: number): number;
}

/** When a local time is. In a gap the clocks are taken as before it; of two times it is the first. */
export function instantOf({ offsetMs }: Clock, wallMs: number): number {
  const [before, after] = [offsetMs(wallMs - DAY_MS), offsetMs(wallMs + DAY_MS)];
  const found = [before, after].find((offset) => offsetMs(wallMs - offset) === offset);
  return wallMs - (found ?? before);
}

export const wallAt = ({ offsetMs }: Clock, atMs: number): number => atMs + offsetMs(atMs);

/** A clock that never changes: local times of a file that names no zone. */
export const STILL: Clock = { offsetMs: () => 0 };

const clocks = new Map<string, Clock | undefined>();

/** The clock of an IANA zone. Undefined: there is no such zone. */
export function ianaClock(name: string): Clock | undefined {
  if (!clocks.has(name)) clocks.set(name, newClock(name));
  return clocks.get(name);
}

function newClock(name: string): Clock | undefined {
  // `Intl` takes offsets for zones, too
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const offsets = new Map<number, number>();
    const offsetMs = (atMs: number): number => {
      // zones change their offset at quarters of an hour, since 1970
      const quarter = Math.floor(atMs / QUARTER_MS);
      let offset = offsets.get(quarter);
      if (offset === undefined) offsets.set(quarter, (offset = offsetOf(format, quarter * QUARTER_MS)));
      return offset;
    };
    const canonical = format.resolvedOptions().timeZone;
    const isSame = canonical.toLowerCase() === name.toLowerCase();
    return { name: isSame ? canonical : name, offsetMs };
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

export const QUARTER_MS = 900 * SECOND_MS;

function offsetOf(format: Intl.DateTimeFormat, atMs: number): number {
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const day = Date.UTC(part('year'), part('month') - 1, part('day'));
  return day + (part('hour') * 3600 + part('minute') * 60 + part('second')) * SECOND_MS - atMs;
}

/** The zones of a file: IANA names, names of Windows, and those that the file defines. */
export class Zones {
  private readonly own = new Map<string, Component>();
  private readonly known = new Map<string, Clock>();

  constructor(
    calendars: readonly Component[],
    private readonly options: { endMs: number; budget: StepBudget },
  ) {
    for (const { components } of calendars)
      for (const component of components) {
        const id = component.name === 'VTIMEZONE' ? only(component, 'TZID')?.value : undefined;
        if (id !== undefined) this.own.set(id, component);
      }
  }

  /** The clock of a name. Throws an `IcsError` at the line of the property that has it. */
  clock(name: string, { name: property, line }: Property): Clock {
    const clock = this.known.get(name) ?? this.namedClock(name) ?? this.ownClock(name);
    if (!clock) {
      const meant = suggestedZone(name);
      throw new IcsError(
        `${property} has the zone ${JSON.stringify(name.slice(0, 64))}, which is none of IANA or Windows, and not ` +
          `defined in the file${meant === undefined ? '' : `; if it means ${meant}, write that`}`,
        line,
      );
    }
    this.known.set(name, clock);
    return clock;
  }

  /** The clock of IANA, if the name is one of its, and the file does not mean another zone by it. */
  private namedClock(name: string): Clock | undefined {
    const clock = isAbbreviation(name) ? undefined : ianaClock(ianaName(name) ?? '');
    const component = clock && this.own.get(name);
    const offsets = component?.components.map((part) => offsetIn(part, 'TZOFFSETTO')) ?? [];
    if (!clock || offsets.length === 0) return clock;
    const year = new Date(this.options.endMs - DAY_MS).getUTCFullYear();
    const months = Array.from({ length: 12 }, (_, month) => clock.offsetMs(Date.UTC(year, month, 1)));
    if (months.some((offset) => offsets.includes(offset))) return clock;
    throw new IcsError(
      `VTIMEZONE gives ${JSON.stringify(name.slice(0, 64))} other offsets than that zone has: rename it, or correct its offsets`,
      component!.line,
    );
  }

  private ownClock(name: string): Clock | undefined {
    const component = this.own.get(name);
    if (!component) return undefined;
    const location = only(component, 'X-LIC-LOCATION')?.value;
    return (
      (location === undefined ? undefined : ianaClock(location)) ?? definedClock(component, this.options)
    );
  }
}

/** `Europe/Berlin` of itself, of `W. Europe Standard Time`, and of `/mozilla.org/2007/Europe/Berlin`. */
function ianaName(name: string): string | undefined {
  const windows = windowsZone(name);
  if (windows !== undefined) return windows;
  if (!name.startsWith('/')) return name;
  const parts = name.split('/');
  return [3, 2, 1].map((count) => parts.slice(-count).join('/')).find((end) => ianaClock(end));
}

interface Change {
  atMs: number;
  before: number;
  after: number;
}

/** Changes of zones before this are not counted. No event of interest is as old. */
const FIRST_CHANGE_MS = Date.UTC(2000, 0, 1);

/** The clock that a VTIMEZONE defines: its offset since the last change. */
function definedClock(component: Component, options: { endMs: number; budget: StepBudget }): Clock {
  const parts = component.components.filter(({ name }) => name === 'STANDARD' || name === 'DAYLIGHT');
  if (parts.length === 0) throw new IcsError('VTIMEZONE defines no offset', component.line);
  const changes = parts.flatMap((part) => changesOf(part, options)).sort((a, b) => a.atMs - b.atMs);
  return {
    offsetMs: (atMs) => changes.findLast((change) => change.atMs <= atMs)?.after ?? changes[0]!.before,
  };
}

function changesOf(part: Component, { endMs, budget }: { endMs: number; budget: StepBudget }): Change[] {
  const start = only(part, 'DTSTART');
  if (!start) throw new IcsError(`${part.name} has no DTSTART`, part.line);
  const [from, to] = [offsetIn(part, 'TZOFFSETFROM'), offsetIn(part, 'TZOFFSETTO')];
  const firstMs = momentOf(start).wallMs;
  const property = only(part, 'RRULE');
  const rule = property && recurrenceRule(property);
  const untilMs =
    rule?.until === undefined ? undefined : momentIn(rule.until, { ...property!, params: new Map() });
  const lastMs =
    untilMs && (untilMs.type === 'time' && untilMs.zone === UTC ? untilMs.wallMs + from : untilMs.wallMs);
  const recurring = rule
    ? [...occurrences(rule, { firstMs, fromMs: FIRST_CHANGE_MS, endMs: endMs + DAY_MS }, budget)]
    : [];
  const others = all(part, 'RDATE').flatMap((dates) =>
    dates.value.split(',').map((text) => momentIn(text, dates).wallMs),
  );
  return [firstMs, ...recurring.filter((atMs) => lastMs === undefined || atMs <= lastMs), ...others].map(
    (wallMs) => ({
      atMs: wallMs - from,
      before: from,
      after: to,
    }),
  );
}

function offsetIn(part: Component, name: string): number {
  const property = only(part, name);
  const [, sign, hours, minutes, seconds = '0'] =
    /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(property?.value ?? '') ?? [];
  if (sign === undefined)
    throw new IcsError(
      `${name} of ${part.name} is ${property ? JSON.stringify(property.value.slice(0, 20)) : 'missing'}; expected such as +0100`,
      property?.line ?? part.line,
    );
  return (
    (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * SECOND_MS
  );
}
