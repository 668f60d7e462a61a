import { constants } from 'node:os';

import { CliError } from '../exit-codes';

/** How a process ended: one of the two is null. */
export interface ExitStatus {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export type ExitOutcome = 'succeeded' | 'retriable' | 'fatal';

/** `EX_TEMPFAIL` of sysexits.h: always worth another attempt. */
const TEMPORARY = 75;

/** What an exit status means for the execution. */
export function outcomeOf({ code }: ExitStatus, fatalExits: ReadonlySet<number>): ExitOutcome {
  if (code === 0) return 'succeeded';
  if (code === null || code === TEMPORARY) return 'retriable';
  return fatalExits.has(code) ? 'fatal' : 'retriable';
}

/** `2,64-78` as a set of exit codes. Throws a `CliError` for anything else than codes from 1 to 255. */
export function fatalExitsOf(text: string): ReadonlySet<number> {
  const codes = new Set<number>();
  for (const part of text.split(',')) {
    const [, first, last = first] = /^\s*(\d{1,3})(?:-(\d{1,3}))?\s*$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (!(from >= 1 && from <= to && to <= 255))
      throw new CliError(
        `--fatal-exit is ${JSON.stringify(text)}; expected exit codes from 1 to 255, such as 2,64-78`,
      );
    for (let code = from; code <= to; code++) codes.add(code);
  }
  return codes;
}

/** `exit code 3` or `killed by SIGSEGV`. A shell exits with 128 + n if its command died of signal n. */
export function statusText({ code, signal }: ExitStatus): string {
  if (signal !== null) return `killed by ${signal}`;
  const byShell = Object.entries(constants.signals).find(([, number]) => code === 128 + number);
  return byShell ? `exit code ${code} (${byShell[0]})` : `exit code ${code}`;
}

/** The error that is reported: how the process ended, and the end of what it wrote to stderr. */
export const errorText = (headline: string, stderrEnd: string): string =>
  stderrEnd === '' ? headline : `${headline}: ${stderrEnd}`;
