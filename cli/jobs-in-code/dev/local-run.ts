import { createInterface } from 'node:readline';

import { CliError, ExitCode } from '../../exit-codes';
import type { Io } from '../../io';
import type { Watchdog } from '../../work/watchdog/watchdog';
import { type Companion, startCompanion } from './companion';

/** The first line of a local run. */
export interface Connection {
  url: string;
  consoleUrl: string | null;
  token: string;
  secret: string;
  target: { type: 'http'; url: string };
}

/** The time that a run has to write what it keeps. */
const GRACE_MS = 10_000;

/** Starts a local run whose jobs call a URL. `flags` are its own. */
export const startLocalRun = (
  { program, cwd, env }: Pick<Io, 'program' | 'cwd' | 'env'>,
  to: string,
  flags: readonly string[],
  watchdog: Watchdog,
): Promise<Companion> => {
  const argv = [...program, 'dev', '--json', '--quiet', '--to', to, ...flags];
  return startCompanion({ argv, cwd: cwd(), env: { ...env }, stdout: 'pipe', graceMs: GRACE_MS }, watchdog);
};

/** Resolves when the run is ready. Rejects if it ends before; it has said why. */
export async function connectionOf({ stdout, exited }: Companion): Promise<Connection> {
  const lines = createInterface(stdout!);
  const line = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    exited.then(() => undefined),
  ]);
  if (line === undefined) throw new CliError('the local run has ended', ExitCode.failed);
  return JSON.parse(line) as Connection;
}
