import type { Command } from 'commander';

import { CliError } from './exit-codes';
import { parseDurationMs } from './terminal/times';

/** Adds the flag of every command that changes something. `contextOf` reads it. */
export const addNote = (command: Command): Command =>
  command.option('--note <text>', 'why: kept with the change, at most 500 characters');

/** For commander: collects the values of a flag that can be repeated. */
export const collect = (value: string, all: string[] = []): string[] => [...all, value];

/** A tag as it is typed: `team=billing` or `team:billing`. Throws a `CliError` for anything else. */
export function tagOf(text: string, flag = '--tag'): [key: string, value: string] {
  const at = text.search(/[=:]/);
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw new CliError(`${flag} is ${JSON.stringify(text)}; expected name=value or name:value`);
}

/**
 * Tags as filters of a list. The key of a stored tag may contain "=", so the API reads the text. Throws a
 * `CliError` for a text without a separator.
 */
export const tagFilters = (tags: readonly string[] | undefined): string[] | undefined =>
  tags?.map((text) => (tagOf(text), text));

/** A whole number of at most seven digits. Throws a `CliError` that names the flag. */
export function numberOf(flag: string, text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new CliError(`${flag} is ${JSON.stringify(text)}; expected a whole number`);
}

/** Milliseconds, at least `minMs`. Throws a `CliError` that names the flag. */
export function durationOf(flag: string, text: string, minMs = 1): number {
  const ms = parseDurationMs(text);
  if (ms !== undefined && ms >= minMs) return ms;
  const expected =
    ms === undefined ? 'a duration such as 500ms, 30s, 1h30m or 1d' : `a duration of at least ${minMs} ms`;
  throw new CliError(`${flag} is ${JSON.stringify(text)}; expected ${expected}`);
}

/** The `limit` of a page that shows up to `max` items: the API accepts 1 to `most`. */
export const pageSizeOf = (max: number, most = 100): number => Math.max(1, Math.min(most, max));
