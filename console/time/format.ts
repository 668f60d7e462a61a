/** Text of instants and lengths. Instants are milliseconds of Unix time; `zone` is an IANA name. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format costs far more than using it. */
function format(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = zone + JSON.stringify(options);
  let known = formats.get(key);
  if (!known) formats.set(key, (known = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone })));
  return known;
}

const HOUR_MINUTE = { hour: '2-digit', minute: '2-digit' } as const;
const TO_SECOND = { ...HOUR_MINUTE, second: '2-digit' } as const;
const DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const;

/** `09:30` */
export const clock = (ms: number, zone: string): string => format(zone, HOUR_MINUTE).format(ms);
/** `09:30:00` */
export const clockSec = (ms: number, zone: string): string => format(zone, TO_SECOND).format(ms);
/** `09:30:00.041` */
export const clockMs = (ms: number, zone: string): string =>
  format(zone, { ...TO_SECOND, fractionalSecondDigits: 3 }).format(ms);
/** `Mon 23 Nov`; with its year, unless that is the year of `nowMs`. */
export const day = (ms: number, zone: string, nowMs: number): string =>
  yearOf(ms, zone) === yearOf(nowMs, zone)
    ? format(zone, DAY).format(ms).replace(',', '')
    : dayYear(ms, zone);
/** `Mon 23 Nov 2026` */
export const dayYear = (ms: number, zone: string): string =>
  format(zone, { ...DAY, year: 'numeric' })
    .format(ms)
    .replace(',', '');
/** `23 Nov 2026` */
export const date = (ms: number, zone: string): string =>
  format(zone, { day: 'numeric', month: 'short', year: 'numeric' }).format(ms);
/** `Monday 23 November 2026` */
export const longDay = (ms: number, zone: string): string =>
  format(zone, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(ms);

const yearOf = (ms: number, zone: string): string => format(zone, { year: 'numeric' }).format(ms);

/** `UTC+1` */
export const offset = (ms: number, zone: string): string =>
  (
    format(zone, { timeZoneName: 'shortOffset' })
      .formatToParts(ms)
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  ).replace('GMT', 'UTC');

/** The date on the calendar of the zone: `2026-11-23`. */
export function isoDate(ms: number, zone: string): string {
  const parts = format(zone, { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(ms);
  const of = (name: string) => parts.find(({ type }) => type === name)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')}`;
}

/** What a local time of the API says: `2026-11-30T00:30:00+01:00` is on this day, at 00:30, in UTC+1. */
export function localParts(local: string): { day: string; time: string; offset: string } {
  const [, date = '', minutes = '', seconds = '', sign = '', hours = '', rest = ''] =
    /^(.{10})T(.{5})(:[\d.]+)([+-])(\d\d):(.*)$/.exec(local) ?? [];
  const after = rest === '00' ? '' : `:${rest}`;
  return {
    day: dayYear(Date.parse(`${date}T00:00Z`), 'UTC'),
    time: seconds === ':00' ? minutes : minutes + seconds,
    offset: Number(hours) === 0 && after === '' ? 'UTC' : `UTC${sign}${Number(hours)}${after}`,
  };
}

/** Whether this browser knows a zone of that name. */
export function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** Offset of the zone in milliseconds at an instant. */
function offsetMs(ms: number, zone: string): number {
  const [, sign, hours = '0', minutes = '0'] =
    /UTC([+-])(\d+)(?::(\d+))?/.exec(offset(ms, zone).replace('−', '-')) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

/** The first instant of a date such as `2026-11-23` in the zone. */
export const startOfDate = (date: string, zone: string): number => instantOf(`${date}T00:00`, zone);

/** The instant of a local time such as `2026-11-23T09:30`. In a gap of the clocks: the time after it. */
function instantOf(local: string, zone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  const first = asUtc - offsetMs(asUtc, zone);
  return asUtc - offsetMs(first, zone);
}

/** That instant as the API takes it. What is none, such as an empty field, stays: the API refuses it. */
export const utcOf = (local: string, zone: string): string =>
  Number.isNaN(Date.parse(`${local}Z`)) ? local : new Date(instantOf(local, zone)).toISOString();

/** The local time of an instant as a field takes it: `2026-11-23T09:30`. */
export const localOf = (ms: number, zone: string): string => `${isoDate(ms, zone)}T${clock(ms, zone)}`;

const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** `in 26 min`, `38 s ago` */
export function relative(ms: number, nowMs: number): string {
  const seconds = Math.round((ms - nowMs) / SECOND_MS);
  const length = roughly(Math.abs(seconds) * SECOND_MS);
  return seconds < 0 ? `${length} ago` : `in ${length}`;
}

/** `26 min`: to the nearest unit. */
export function roughly(ms: number): string {
  if (ms < 90 * SECOND_MS) return `${Math.round(ms / SECOND_MS)} s`;
  if (ms < 90 * MINUTE_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < 36 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return `${Math.round(ms / DAY_MS)} d`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `41 ms`, `1.2 s`, `4 m 12 s`, `2 h 05 m` */
export function duration(ms: number): string {
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / SECOND_MS).toFixed(1)} s`;
  const seconds = Math.round(ms / SECOND_MS);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
  return `${Math.round(minutes / 1_440)} d`;
}

const numbers = new Intl.NumberFormat('en');
/** `2,964` */
export const count = (value: number): string => numbers.format(value);
/** `1 job`, `2,964 jobs` */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** `38 MB` */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [left, unit] = [value, 0];
  while (left >= 1_000 && unit < units.length - 1) [left, unit] = [left / 1_000, unit + 1];
  return `${left >= 10 || unit === 0 ? Math.round(left) : left.toFixed(1)} ${units[unit]}`;
}
