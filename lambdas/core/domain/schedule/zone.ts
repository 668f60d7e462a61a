import { SECONDS_PER_DAY } from './civil';

/** A stretch of time with one offset from UTC; seconds since the epoch. */
export interface Segment {
  /** First second; the boundary may be one of bookkeeping, with equal offsets on both sides. */
  startSec: number;
  /** Exclusive. */
  endSec: number;
  /** Wall time minus UTC. */
  offsetSec: number;
  /** Offset just before `startSec`, and at `endSec`. */
  offsetBeforeSec: number;
  offsetAfterSec: number;
}

/** A gap of up to this is a change of clocks, which a schedule may shift over; a longer one is a change of date line. */
export const MAX_SHIFTED_GAP_SEC = 3 * 3600;

/** Wall seconds are seconds since 1970-01-01T00:00:00 as the wall shows it. */
export interface Zone {
  readonly name: string;
  segmentAt(sec: number): Segment;
}

const SAMPLE_SEC = 3 * SECONDS_PER_DAY; // no zone ever changed twice within six days

const zones = new Map<string, Zone>();

/** The zone of a canonical IANA name. What is learned about it is kept: offsets come from Intl once per year asked for. */
export function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (!zone)
    zones.set(name, (zone = name === 'UTC' || name === 'Etc/UTC' ? fixedZone(name) : intlZone(name)));
  return zone;
}

function fixedZone(name: string): Zone {
  const always: Segment = {
    startSec: Number.NEGATIVE_INFINITY,
    endSec: Number.POSITIVE_INFINITY,
    offsetSec: 0,
    offsetBeforeSec: 0,
    offsetAfterSec: 0,
  };
  return { name, segmentAt: () => always };
}

function intlZone(name: string): Zone {
  const offsetAt = intlOffsets(name);
  const years = new Map<number, Segment[]>();
  const segmentsOf = (year: number): Segment[] => {
    let segments = years.get(year);
    if (!segments)
      years.set(year, (segments = segmentsBetween(yearStartSec(year), yearStartSec(year + 1), offsetAt)));
    return segments;
  };
  let last: Segment | undefined;
  return {
    name,
    segmentAt(sec) {
      if (last && sec >= last.startSec && sec < last.endSec) return last;
      const segments = segmentsOf(new Date(sec * 1000).getUTCFullYear());
      return (last = segments.find((segment) => sec < segment.endSec)!);
    },
  };
}

const yearStartSec = (year: number): number => Date.UTC(year, 0, 1) / 1000;

function segmentsBetween(fromSec: number, toSec: number, offsetAt: (sec: number) => number): Segment[] {
  const segments: Segment[] = [];
  let startSec = fromSec;
  let offsetBeforeSec = offsetAt(fromSec - 1);
  let offsetSec = offsetAt(fromSec);
  const close = (endSec: number, offsetAfterSec: number) => {
    segments.push({ startSec, endSec, offsetSec, offsetBeforeSec, offsetAfterSec });
    [startSec, offsetBeforeSec, offsetSec] = [endSec, offsetSec, offsetAfterSec];
  };
  for (let sec = fromSec; sec < toSec; sec += SAMPLE_SEC) {
    const sampleSec = Math.min(sec + SAMPLE_SEC, toSec);
    const sampled = offsetAt(sampleSec);
    if (sampled === offsetSec) continue;
    const changeSec = firstSecOf(sampled, sec, sampleSec, offsetAt);
    if (changeSec < toSec) close(changeSec, sampled);
  }
  close(toSec, offsetAt(toSec));
  return segments;
}

/** The first second with the given offset, which holds at `afterSec` and not at `beforeSec`. */
function firstSecOf(
  offset: number,
  beforeSec: number,
  afterSec: number,
  offsetAt: (sec: number) => number,
): number {
  let [low, high] = [beforeSec, afterSec];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === offset) high = middle;
    else low = middle;
  }
  return high;
}

const NUMBERS = /(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)/;

/** Asks Intl for the wall time: the only source that keeps offsets of odd seconds. About 2 µs a call. */
function intlOffsets(name: string): (sec: number) => number {
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
  return (sec) => {
    const parts = NUMBERS.exec(format.format(sec * 1000))!;
    const [month, day, year, hour, minute, second] = parts.slice(1).map(Number);
    return Date.UTC(year!, month! - 1, day, hour, minute, second) / 1000 - sec;
  };
}
