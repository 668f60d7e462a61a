import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { CliError } from '../exit-codes';
import { durationOf, numberOf } from '../flag-values';
import { fatalExitsOf } from './exit-outcome';
import { anchored } from './payload-command';

export interface WorkFlags {
  queue: string;
  concurrency: string;
  worker?: string;
  grace: string;
  poll?: string;
  fatalExit?: string;
  once?: boolean;
  execPayload?: boolean;
  allow?: string[];
  allowShell?: boolean;
  allowUser?: string[];
  allowEnv?: string[];
}

/** The flags of a worker as values. */
export interface WorkSettings {
  concurrency: number;
  graceMs: number;
  pollMs: number | undefined;
  fatalExits: ReadonlySet<number>;
  /** One command for all executions, or what their payloads may ask for. */
  runs:
    | { command: readonly string[] }
    | { allow: RegExp[]; allowShell: boolean; allowUsers: string[]; allowEnv: string[] };
}

const MAX_CONCURRENCY = 100;
/** A third of the longest heartbeat time-out. */
const MAX_GRACE_MS = 20 * 60_000;
const OF_PAYLOADS = ['allow', 'allowShell', 'allowUser', 'allowEnv'] as const;

/** Throws a `CliError` that names the flag and what it may be. */
export function settingsOf(flags: WorkFlags, command: readonly string[]): WorkSettings {
  const concurrency = numberOf('--concurrency', flags.concurrency);
  if (concurrency < 1 || concurrency > MAX_CONCURRENCY)
    throw new CliError(`--concurrency is ${concurrency}; expected 1 to ${MAX_CONCURRENCY}`);
  const graceMs = durationOf('--grace', flags.grace, 0);
  if (graceMs > MAX_GRACE_MS)
    throw new CliError(
      `--grace is ${JSON.stringify(flags.grace)}; expected at most 20m, and a third of the job's heartbeatTimeout counts`,
    );
  const pollMs = flags.poll === undefined ? undefined : durationOf('--poll', flags.poll, 1_000);
  if (pollMs !== undefined && pollMs > 3_600_000)
    throw new CliError(`--poll is ${JSON.stringify(flags.poll)}; expected 1s to 1h`);
  if (flags.once && flags.poll !== undefined) throw new CliError('use either --once or --poll, not both');
  const fatalExits = flags.fatalExit === undefined ? new Set<number>() : fatalExitsOf(flags.fatalExit);
  return { concurrency, graceMs, pollMs, fatalExits, runs: runsOf(flags, command) };
}

function runsOf(flags: WorkFlags, command: readonly string[]): WorkSettings['runs'] {
  if (!flags.execPayload) {
    const given = OF_PAYLOADS.find((name) => flags[name] !== undefined);
    if (given !== undefined)
      throw new CliError('--allow, --allow-shell, --allow-user and --allow-env need --exec-payload');
    if (command.length === 0)
      throw new CliError('no command: expected it after --, such as -- ./load.sh, or --exec-payload');
    return { command };
  }
  if (command.length > 0) throw new CliError('use either --exec-payload or a command, not both');
  if (!flags.allow)
    throw new CliError("--exec-payload needs --allow '<regex>': which commands payloads may ask for");
  return {
    allow: flags.allow.map(patternOf),
    allowShell: flags.allowShell === true,
    allowUsers: flags.allowUser ?? [],
    allowEnv: flags.allowEnv ?? [],
  };
}

function patternOf(text: string): RegExp {
  try {
    return anchored(text);
  } catch (cause) {
    throw new CliError(
      `--allow is ${JSON.stringify(text)}: not a regular expression: ${(cause as Error).message}`,
      undefined,
      { cause },
    );
  }
}

/** Throws a `CliError` if this machine has no such program: no execution could begin. */
export function checkProgram(file: string, path = ''): void {
  const places = file.includes('/') ? [file] : path.split(delimiter).map((dir) => join(dir || '.', file));
  if (!places.some(isExecutable))
    throw new CliError(`the command ${JSON.stringify(file)} is no program on this machine`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // it does not exist, or may not be run
  }
}
