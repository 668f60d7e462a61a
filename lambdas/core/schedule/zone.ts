import { SECONDS_PER_DAY, civilDateOf, dayNumberOf, isLeapYear, weekdayOf } from './civil';

/** A period with one offset from UTC; seconds since the epoch. */
export interface Segment {
  /** First second. A boundary may have equal offsets on both sides: segments also end with their year. */
  startSec: number;
  /** Exclusive. */
  endSec: number;
  /** Wall time minus UTC. */
  offsetSec: number;
  /** Offset just before `startSec`, and at `endSec`. */
  offsetBeforeSec: number;
  offsetAfterSec: number;
}

/**
 * A gap up to this is a clock change, which a schedule may shift over. A longer gap is a date line change.
 */
export const MAX_SHIFTED_GAP_SEC = 3 * 3600;

/** More than any two offsets differ by. */
export const MAX_OFFSET_DIFFERENCE_SEC = 48 * 3600;

/** Wall seconds are seconds since 1970-01-01T00:00:00 in local time. */
export interface Zone {
  readonly name: string;
  segmentAt(sec: number): Segment;
}

const SAMPLE_SEC = 5 * SECONDS_PER_DAY; // no zone ever changed twice within six days
const RULED_SAMPLE_SEC = 30 * SECONDS_PER_DAY; // no permanent rule changes the clocks twice within months
const USUAL_SEC = 900; // for decades, changes have been on quarters of an hour

/**
 * Earlier, the data list each clock change. From then on a zone has one rule for every year, or no changes.
 */
const FIRST_YEAR_OF_RULES = 2038;
/** From then on, zones have rules too whose clocks follow the moon (Ramadan): these are listed up to 2087. */
const FIRST_YEAR_WITHOUT_MOON = 2100;
/** Two years with the same calendar, in which the lunar months are two months apart. */
const ALIKE_BUT_FOR_THE_MOON = [2038, 2066] as const;
const MOON_SAMPLE_SEC = 10 * SECONDS_PER_DAY; // a third of a lunar month

const zones = new Map<string, Zone>();

/**
 * The zone of a canonical IANA name. Its offsets are cached: Intl is asked once per calendar year. For the
 * far future it is asked only for one year of each kind of calendar.
 */
export function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (!zone)
    zones.set(
      name,
      (zone = name === 'UTC' || name === 'Etc/UTC' ? fixedZone(name) : zoneFrom(name, intlOffsets(name))),
    );
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

/** A zone whose wall time minus UTC is `offsetAt`, which is called as rarely as possible. */
export function zoneFrom(name: string, offsetAt: (sec: number) => number): Zone {
  const years = new Map<number, Segment[]>();
  let ruled: { fromYear: number; models: number[] } | undefined;
  /** The year whose changes a year repeats, if a rule applies to it. */
  const modelOf = (year: number): number | undefined => {
    if (year < FIRST_YEAR_OF_RULES) return undefined;
    if (!ruled) {
      const fromYear = followsMoon(offsetAt) ? FIRST_YEAR_WITHOUT_MOON : FIRST_YEAR_OF_RULES;
      ruled = { fromYear, models: yearsOfAllKinds(fromYear) };
    }
    return year < ruled.fromYear ? undefined : ruled.models[kindOf(year)];
  };
  const segmentsOf = (year: number, sampleSec: number): Segment[] => {
    let segments = years.get(year);
    if (!segments) {
      segments = segmentsBetween(yearStartSec(year), yearStartSec(year + 1), sampleSec, offsetAt);
      years.set(year, segments);
    }
    return segments;
  };
  let last: Segment | undefined;
  return {
    name,
    segmentAt(sec) {
      if (last && sec >= last.startSec && sec < last.endSec) return last;
      const year = new Date(sec * 1000).getUTCFullYear();
      const model = modelOf(year);
      const segments = segmentsOf(model ?? year, model === undefined ? SAMPLE_SEC : RULED_SAMPLE_SEC);
      const laterSec = model === undefined ? 0 : yearStartSec(year) - yearStartSec(model);
      const segment = segments.find(({ endSec }) => sec < endSec + laterSec)!;
      return (last = laterSec === 0 ? segment : moved(segment, laterSec));
    },
  };
}

const moved = (
  { startSec, endSec, offsetSec, offsetBeforeSec, offsetAfterSec }: Segment,
  bySec: number,
): Segment => ({
  startSec: startSec + bySec,
  endSec: endSec + bySec,
  offsetSec,
  offsetBeforeSec,
  offsetAfterSec,
});

function followsMoon(offsetAt: (sec: number) => number): boolean {
  const [startSec, otherStartSec] = [
    yearStartSec(ALIKE_BUT_FOR_THE_MOON[0]),
    yearStartSec(ALIKE_BUT_FOR_THE_MOON[1]),
  ];
  for (let sec = 0; sec < 365 * SECONDS_PER_DAY; sec += MOON_SAMPLE_SEC) {
    if (offsetAt(startSec + sec) !== offsetAt(otherStartSec + sec)) return true;
  }
  return false;
}

/** Years of one kind have the same dates on the same weekdays. */
const kindOf = (year: number): number => weekdayOf(dayNumberOf(year, 1, 1)) + (isLeapYear(year) ? 7 : 0);

/** One year of each of the 14 kinds, from the given year on. Each kind occurs within 40 years. */
function yearsOfAllKinds(fromYear: number): number[] {
  const years: number[] = [];
  for (let year = fromYear + 40; year >= fromYear; year--) years[kindOf(year)] = year;
  return years;
}

const yearStartSec = (year: number): number => Date.UTC(year, 0, 1) / 1000;

function segmentsBetween(
  fromSec: number,
  toSec: number,
  sampleSec: number,
  offsetAt: (sec: number) => number,
): Segment[] {
  const segments: Segment[] = [];
  let startSec = fromSec;
  let offsetBeforeSec = offsetAt(fromSec - 1);
  let offsetSec = offsetAt(fromSec);
  const close = (endSec: number, offsetAfterSec: number) => {
    segments.push({ startSec, endSec, offsetSec, offsetBeforeSec, offsetAfterSec });
    [startSec, offsetBeforeSec, offsetSec] = [endSec, offsetSec, offsetAfterSec];
  };
  for (let sec = fromSec; sec < toSec; sec += sampleSec) {
    const nextSec = Math.min(sec + sampleSec, toSec);
    const sampled = offsetAt(nextSec);
    if (sampled === offsetSec) continue;
    const changeSec = firstSecOf(sampled, sec, nextSec, offsetAt);
    if (changeSec < toSec) close(changeSec, sampled);
  }
  close(toSec, offsetAt(toSec));
  return segments;
}

/** The first second with the given offset, which applies at `afterSec` and not at `beforeSec`. */
function firstSecOf(
  offset: number,
  beforeSec: number,
  afterSec: number,
  offsetAt: (sec: number) => number,
): number {
  let [low, high] = [beforeSec, afterSec];
  const narrow = (unitSec: number) => {
    while (high - low > unitSec) {
      const middle = low + Math.floor((high - low) / unitSec / 2) * unitSec;
      if (offsetAt(middle) === offset) high = middle;
      else low = middle;
    }
  };
  narrow(USUAL_SEC);
  if (offsetAt(high - 1) === offset) {
    high--;
    narrow(1);
  }
  return high;
}

/**
 * Gets the wall time from Intl, the only source that keeps offsets of odd seconds. About 2 µs a call, and
 * more with every field. The day of the month is enough: no wall time is more than a day off.
 */
function intlOffsets(name: string): (sec: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (sec) => {
    const text = format.format(sec * 1000); // "9, 08:07:06"
    const { length } = text;
    const wallSec =
      twoDigits(text, length - 8) * 3600 + twoDigits(text, length - 5) * 60 + twoDigits(text, length - 2);
    const dayNumber = Math.floor(sec / SECONDS_PER_DAY);
    const days = Number.parseInt(text, 10) - civilDateOf(dayNumber).day;
    // more than one: from the last day of a month to the first of the next, or back
    const aheadDays = Math.abs(days) > 1 ? -Math.sign(days) : days;
    return (aheadDays + dayNumber) * SECONDS_PER_DAY + wallSec - sec;
  };
}

const twoDigits = (text: string, index: number): number =>
  (text.charCodeAt(index) - ZERO) * 10 + text.charCodeAt(index + 1) - ZERO;
const ZERO = '0'.charCodeAt(0);
