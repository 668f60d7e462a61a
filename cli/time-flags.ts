import type { Command } from 'commander';

import { CliError } from './exit-codes';
import { durationOf } from './flag-values';
import { localText, parseDurationMs } from './terminal/times';

/** How times are typed, for the help of commands that take one. */
export const TIME_HELP = `A time is a date (2026-11-01), a local time ("2026-11-01 02:00"), RFC 3339 (2026-11-01T02:00:00Z), now, today,
yesterday or tomorrow, also with a time of day (yesterday 09:30), or a distance ("2h ago", "in 3d"). Times without
an offset are in the time zone of the job that is named, else in that of this terminal (TZ).`;

/** Times between two, as they were typed. */
export interface RangeFlags {
  since?: string;
  from?: string;
  to?: string;
}

/** Whose clocks a time without an offset is on, and when now is. */
export interface TypedAt {
  /** IANA name; undefined: UTC. */
  zone: string | undefined;
  nowMs: number;
}

/** Adds `--since`, `--from` and `--to`. `what` says what lies between them: `due`. */
export const addRange = (command: Command, what: string, since?: string): Command =>
  command
    .option('--since <duration>', `${what} within this time before now`, since)
    .option('--from <time>', `${what} at this time or later; overrides --since`)
    .option('--to <time>', `${what} before this time`);

/** Instants: undefined where none is given. */
interface Range {
  from: string | undefined;
  to: string | undefined;
}

/** The instants of the flags. Throws a `CliError` for an empty range. */
export function rangeOf(flags: { from: string; to: string }, at: TypedAt): { from: string; to: string };
export function rangeOf(flags: RangeFlags, at: TypedAt): Range;
export function rangeOf({ since, from, to }: RangeFlags, at: TypedAt): Range {
  const ago = (text: string) => allowedOf('--since', text, at.nowMs - durationOf('--since', text));
  const start =
    from !== undefined ? instantIn('--from', from, at) : since !== undefined ? ago(since) : undefined;
  const end = to === undefined ? undefined : instantIn('--to', to, at);
  if (start !== undefined && end !== undefined && start >= end)
    throw new CliError(
      `--to is ${JSON.stringify(to)}, which is ${end}; expected a time after ` +
        `${from === undefined ? '--since' : '--from'}, which is ${start}`,
    );
  return { from: start, to: end };
}

/** `within 24h`, `from 2026-11-01T00:00:00.000Z`: a range for a question. */
export function rangeText({ since = '7d' }: RangeFlags, { from, to }: Range): string {
  const start = from === undefined ? `within ${since}` : `from ${from}`;
  return to === undefined ? start : `${start} and before ${to}`;
}

const WORD = /^(now|today|yesterday|tomorrow)(?: +(?:at +)?(\d\d?:\d\d(?::\d\d)?))?$/i;
const DISTANCE = /^(?:in +([^ ]+)|([^ ]+) +ago)$/i;
const LOCAL = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d?:\d\d(?::\d\d)?))?$/;
const OFFSET = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/;
const DAYS = { today: 0, yesterday: -1, tomorrow: 1 } as const;

/** An instant as a user types it: see `TIME_HELP`. Throws a `CliError` that names the flag. */
export const instantIn = (flag: string, typed: string, at: TypedAt): string =>
  allowedOf(flag, typed, instantMsIn(flag, typed, at));

/** `--until`: a duration counts from now, any other text is a time. Throws as `instantIn` does. */
export function untilOf(typed: string, at: TypedAt): string {
  const ms = parseDurationMs(typed.trim());
  return ms === undefined ? instantIn('--until', typed, at) : allowedOf('--until', typed, at.nowMs + ms);
}

/** What the API takes. */
const FIRST_YEAR = 1970;
const LAST_YEAR = 2199;

function allowedOf(flag: string, typed: string, ms: number): string {
  if (ms >= Date.UTC(FIRST_YEAR, 0) && ms < Date.UTC(LAST_YEAR + 1, 0)) return new Date(ms).toISOString();
  throw new CliError(
    `${flag} is ${JSON.stringify(typed)}; expected a time from ${FIRST_YEAR} to ${LAST_YEAR}`,
  );
}

function instantMsIn(flag: string, typed: string, { zone, nowMs }: TypedAt): number {
  const text = typed.trim();
  const [, word, ofDay] = WORD.exec(text) ?? [];
  if (word !== undefined) {
    const name = word.toLowerCase() as keyof typeof DAYS | 'now';
    if (name !== 'now') return onClocks(flag, typed, dateFrom(nowMs, DAYS[name], zone), ofDay, zone);
    if (ofDay === undefined) return nowMs;
  }
  const [, ahead, ago] = DISTANCE.exec(text) ?? [];
  const distanceMs = parseDurationMs(ahead ?? ago ?? '');
  if (distanceMs !== undefined) return nowMs + (ahead === undefined ? -distanceMs : distanceMs);
  const [, date, time] = LOCAL.exec(text) ?? [];
  if (date !== undefined) return onClocks(flag, typed, date, time, zone);
  const exactMs = Date.parse(text.replace(' ', 'T'));
  if (Number.isNaN(exactMs) || !/(Z|[+-]\d\d:\d\d)$/i.test(text)) throw notATime(flag, typed);
  return exactMs;
}

/** The instant of a local time. A date is its midnight; a time that clocks skip is as long after the gap. */
function onClocks(
  flag: string,
  typed: string,
  date: string,
  time = '00:00',
  zone: string | undefined,
): number {
  const asUtcMs = Date.parse(`${date}T${time.padStart(time.length < 6 ? 5 : 8, '0')}Z`);
  if (Number.isNaN(asUtcMs)) throw notATime(flag, typed);
  // The offset at the guess may be that of the other side of a clock change.
  const guessMs = asUtcMs - offsetMs(asUtcMs, zone);
  return asUtcMs - offsetMs(guessMs, zone);
}

/** The date so many days from now. */
function dateFrom(nowMs: number, days: number, zone: string | undefined): string {
  const localMs = nowMs + offsetMs(nowMs, zone) + days * 86_400_000;
  return new Date(localMs).toISOString().slice(0, 10);
}

const notATime = (flag: string, typed: string): CliError =>
  new CliError(
    `${flag} is ${JSON.stringify(typed)}; expected a date such as 2026-11-01, a local time such as ` +
      '"2026-11-01 02:00", RFC 3339 such as 2026-11-01T02:00:00Z, yesterday, or a distance such as "2h ago"',
  );

/** How far the clocks of a zone are ahead of UTC. A zone that this runtime does not know counts as UTC. */
function offsetMs(atMs: number, zone: string | undefined): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    OFFSET.exec(localText(new Date(atMs).toISOString(), zone) ?? '') ?? [];
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -ms : ms;
}
