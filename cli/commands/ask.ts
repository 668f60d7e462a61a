import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

import { CliError, ExitCode } from '../exit-codes';
import type { Io } from '../io';

/** True if the user agrees. Asks only on a terminal; in a script, the command line itself is the consent. */
export async function agrees(io: Io, question: string): Promise<boolean> {
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) return true;
  return /^y(es)?$/i.test((await io.ask(`${question} [y/N] `)).trim());
}

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
