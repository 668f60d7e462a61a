import { now } from '../app/now';
import { zone } from '../app/zone';
import {
  clock,
  clockMs,
  clockSec,
  date,
  day as dayOf,
  dayYear,
  isoDate,
  offset,
  relative,
  roughly,
} from '../time/format';

/** Seconds are shown where they say something. */
const shortest = (ms: number, tz: string): string => (ms % 60_000 < 1_000 ? clock : clockSec)(ms, tz);

/** Of another year, with the year. */
const day = (ms: number, tz: string): string => dayOf(ms, tz, now.value);

const SHOWN = {
  time: clock,
  sec: clockSec,
  ms: clockMs,
  day,
  /** Without its day, if that is today. */
  recent: (ms: number, tz: string) =>
    isoDate(ms, tz) === isoDate(now.value, tz) ? clock(ms, tz) : `${day(ms, tz)} ${clock(ms, tz)}`,
  both: (ms: number, tz: string) => `${day(ms, tz)} ${shortest(ms, tz)}`,
  year: (ms: number, tz: string) => `${dayYear(ms, tz)} ${shortest(ms, tz)}`,
  /** The time of day only if the day does not begin there. */
  date: (ms: number, tz: string) =>
    clockSec(ms, tz) === '00:00:00' ? date(ms, tz) : `${date(ms, tz)} ${shortest(ms, tz)}`,
  full: (ms: number, tz: string) => `${day(ms, tz)} ${clockSec(ms, tz)}`,
} as const;

interface InstantProps {
  /** RFC 3339, or milliseconds of Unix time. */
  at: string | number;
  show?: keyof typeof SHOWN;
  /** Another zone than that of the page. */
  tz?: string;
}

/** An instant in the zone of the page. Its title tells UTC, milliseconds and the offset. */
export function Instant({ at, show = 'both', tz = zone.value }: InstantProps) {
  const ms = typeof at === 'number' ? at : Date.parse(at);
  const iso = new Date(ms).toISOString();
  const title = `${iso}\n${dayYear(ms, tz)} ${clockMs(ms, tz)} ${tz} (${offset(ms, tz)})`;
  return (
    <time dateTime={iso} title={title}>
      {SHOWN[show](ms, tz)}
    </time>
  );
}

/** How far an instant is from now. */
export const Relative = ({ at }: { at: string | number }) => (
  <>{relative(typeof at === 'number' ? at : Date.parse(at), now.value)}</>
);

/** How long ago an instant was, without a word for the direction. */
export const Since = ({ at }: { at: string }) => <>{roughly(Math.max(0, now.value - Date.parse(at)))}</>;

/** When a pause ends by itself, after the word for the status. */
export const PausedUntil = ({ at }: { at: string }) => (
  <span>
    until <Instant at={at} />
  </span>
);
