const UNITS: [name: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** `in 5m`, `2h ago`: the distance of an instant from now, rounded down to its largest unit. */
export function relative(instant: string, nowMs: number): string {
  const ms = Date.parse(instant) - nowMs;
  const [name, unitMs] = UNITS.find(([, size]) => Math.abs(ms) >= size) ?? ['s', 1_000];
  const amount = `${Math.floor(Math.abs(ms) / unitMs)}${name}`;
  return ms >= 0 ? `in ${amount}` : `${amount} ago`;
}

/** `2026-12-01 09:00:00`: an RFC 3339 instant without T and Z, and without milliseconds if they are zero. */
export const instantText = (instant: string): string => instant.replace('T', ' ').replace(/(\.000)?Z$/, '');

const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;
const UNIT_MS: Record<string, number> = { ms: 1, ...Object.fromEntries(UNITS) };

/** `500ms`, `30s`, `10m`, `2h`, `1d` in milliseconds; undefined for anything else. */
export function parseDurationMs(text: string): number | undefined {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNIT_MS[unit] as number);
}
