import { CliError } from './exit-codes';
import { parseDurationMs } from './terminal/times';

/** For commander: collects the values of a flag that can be repeated. */
export const collect = (value: string, all: string[] = []): string[] => [...all, value];

/** A whole number of at most seven digits. Throws a `CliError` that names the flag. */
export function numberOf(flag: string, text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new CliError(`${flag} is ${JSON.stringify(text)}; expected a whole number`);
}

/** Milliseconds, at least `minMs`. Throws a `CliError` that names the flag. */
export function durationOf(flag: string, text: string, minMs = 1): number {
  const ms = parseDurationMs(text);
  if (ms !== undefined && ms >= minMs) return ms;
  throw new CliError(
    `${flag} is ${JSON.stringify(text)}; expected a duration such as 500ms, 30s, 10m, 2h or 1d`,
  );
}

/** The `limit` of a page that shows up to `max` items: the API accepts 1 to 100. */
export const pageSizeOf = (max: number): number => Math.max(1, Math.min(100, max));
