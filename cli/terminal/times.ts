const UNITS: [name: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** `in 5m`, `2h ago`, `in 1h 59m`: the distance of an instant from now, in its two largest units. */
export function relative(instant: string, nowMs: number): string {
  const ms = Date.parse(instant) - nowMs;
  const amount = amountOf(Math.abs(ms));
  return ms >= 0 ? `in ${amount}` : `${amount} ago`;
}

/** In its two largest units. */
function amountOf(ms: number): string {
  const sizeMs = Math.round(ms / 1_000) * 1_000;
  const largest = Math.max(
    0,
    UNITS.findIndex(([, unitMs]) => sizeMs >= unitMs),
  );
  const [name, unitMs] = sizeMs < 1_000 ? (['s', 1_000] as const) : UNITS[largest]!;
  const [smaller, smallerMs] = UNITS[largest + 1] ?? ['s', 1_000];
  const rest = Math.floor((sizeMs % unitMs) / smallerMs);
  return `${Math.floor(sizeMs / unitMs)}${name}${rest > 0 ? ` ${rest}${smaller}` : ''}`;
}

/** `300 ms`, `12.3 s`, `20m 18s`: a length of time. */
export function spanText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : amountOf(ms);
}

/** `2026-12-01 09:00:00`: an RFC 3339 instant without T and Z, and without milliseconds if they are zero. */
export const instantText = (instant: string): string => instant.replace('T', ' ').replace(/(\.000)?Z$/, '');

/**
 * `Tue 2026-12-01 10:00:00+01:00`: an RFC 3339 instant on the clocks of an IANA time zone, with its weekday,
 * without milliseconds. Undefined without a zone, and for one that this runtime does not know.
 */
export function localText(instant: string, zone: string | undefined): string | undefined {
  const clock = zone === undefined ? undefined : clockOf(zone);
  if (!clock) return undefined;
  const parts = clock.formatToParts(new Date(instant));
  const { weekday, year, month, day, hour, minute, second, timeZoneName } = Object.fromEntries(
    parts.map(({ type, value }) => [type, value]),
  );
  const offset = timeZoneName?.slice('GMT'.length) || '+00:00';
  return `${weekday} ${year}-${month}-${day} ${hour}:${minute}:${second}${offset}`;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `Tue 2026-12-01 10:00:00+01:00`: a local time as the API gives it, with its weekday. */
export const withWeekday = (local: string): string =>
  `${WEEKDAYS[new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay()]} ${local.replace('T', ' ')}`;

/** An instant for people: on the clocks of a zone (default: UTC) with the weekday, then in UTC. */
export function bothTimes(instant: string, zone: string | undefined): string {
  const local = localText(instant, zone ?? 'UTC');
  return `${local ? `${local}  ` : ''}${instantText(instant)}Z`;
}

/** An instant in a table: on the clocks of a zone, with the weekday; without a zone in UTC. */
export const timeText = (instant: string, zone: string | undefined): string =>
  localText(instant, zone) ?? `${instantText(instant)}Z`;

/** The zone of the clocks that the user sees: `TZ`, else that of the machine. */
export const zoneOfUser = ({ TZ }: Readonly<Record<string, string | undefined>>): string =>
  TZ === undefined || TZ === '' ? Intl.DateTimeFormat().resolvedOptions().timeZone : TZ;

/** Clocks by the name of their zone: making one takes longer than using it. */
const clocks = new Map<string, Intl.DateTimeFormat | undefined>();

function clockOf(zone: string): Intl.DateTimeFormat | undefined {
  if (!clocks.has(zone)) clocks.set(zone, newClock(zone));
  return clocks.get(zone);
}

function newClock(timeZone: string): Intl.DateTimeFormat | undefined {
  const twoDigits = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      year: 'numeric',
      ...twoDigits,
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    });
  } catch (error) {
    // The API has its own list of zones, which may be newer than the one of this runtime.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const DURATION = /^(?=\d)(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?(?:(\d{1,9})ms)?$/;

/** `500ms`, `30s`, `10m`, `2h`, `1d`, `1h30m` in milliseconds; undefined for anything else. */
export function parseDurationMs(text: string): number | undefined {
  const parts = DURATION.exec(text)?.slice(1);
  return parts?.reduce((sum, count, index) => sum + Number(count || 0) * (UNITS[index]?.[1] ?? 1), 0);
}
