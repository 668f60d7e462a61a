import { createInterface } from 'node:readline/promises';

import type { Io } from '../io';

/** True if the user agrees. Asks only on a terminal; in a script, the command line itself is the consent. */
export async function agrees({ stdin, stderr }: Io, question: string): Promise<boolean> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
