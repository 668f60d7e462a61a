import type { Io } from '../io';

/** True if the user agrees. Asks only on a terminal; in a script, the command line itself is the consent. */
export async function agrees(io: Io, question: string): Promise<boolean> {
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) return true;
  return /^y(es)?$/i.test((await io.ask(`${question} [y/N] `)).trim());
}
