import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

import type { Command } from 'commander';

import type { Context } from '../context';
import { CliError, ExitCode } from '../exit-codes';
import type { Io } from '../io';
import { plain } from '../terminal/table';

/** Adds the flag of a command that calls `confirmed`. */
export const addYes = (command: Command): Command =>
  command.option('-y, --yes', 'do not ask for confirmation');

export const canAsk = ({ stdin, stderr }: Io): boolean => stdin.isTTY === true && stderr.isTTY === true;

/** Call only where `canAsk`. */
export const agrees = async (io: Io, question: string): Promise<boolean> =>
  /^y(es)?$/i.test((await io.ask(`${question} [y/N] `)).trim());

/**
 * True if the user agrees to what deletes, stops or starts much: by `--yes`, or to the question. Throws a
 * `CliError` without a terminal: a script says `--yes`.
 */
export async function confirmed(
  { io, say }: Pick<Context, 'io' | 'say'>,
  question: string,
  yes: boolean | undefined,
): Promise<boolean> {
  if (yes) return true;
  if (!canAsk(io)) throw new CliError(`${question} There is no terminal to ask on: confirm it with --yes`);
  if (await agrees(io, question)) return true;
  say('Nothing was done.');
  return false;
}

/** Whose data a command changes, for its question: `the project billing at jobs.example.com`. */
export function placeName({ connection }: Pick<Context, 'connection'>): string {
  const { url, project } = connection();
  const name = project === undefined ? 'your project' : `the project ${plain(project)}`;
  return `${name} at ${new URL(url).host}`;
}

export const MOST_NAMED = 5;

/** `a, b, c`, and of many the first five. */
export const listText = (names: readonly string[]): string =>
  plain([...names.slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? ['…'] : [])].join(', '));

/** `the job a`, `12 jobs: a, b, c, d, e, …` */
export const namesText = (what: string, names: readonly string[]): string =>
  names.length === 1 ? `the ${what} ${listText(names)}` : `${names.length} ${what}s: ${listText(names)}`;

/** Asks for a text on a terminal, and shows nothing of it. Rejects with a `CliError` after Ctrl-C. */
export async function askHidden({ stderr }: Io, question: string): Promise<string> {
  stderr.write(`${question}: `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const interrupted = new AbortController();
  terminal.once('SIGINT', () => interrupted.abort());
  try {
    return await terminal.question('', { signal: interrupted.signal });
  } catch (cause) {
    throw new CliError('nothing was changed', ExitCode.interrupted, { cause });
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}
