import { DAY_MS, SECOND_MS } from './values';

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
