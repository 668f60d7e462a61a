import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { RUNS_DIR } from '../machine/paths';
import type { Credentials } from '../services/callers';

/** Where a running system is and how its operator gets in. One file for each, by the port of its API; out of git. */
export interface RunFile {
  pid: number;
  url: string;
  awsEndpointUrl: string;
  region: string;
  stackName: string;
  operator: Credentials;
}

const pathOf = (url: string): string => join(RUNS_DIR, `${new URL(url).port}.json`);

/** Tells the tools of this checkout of a run. `remove` is for its end; one that was killed leaves its file behind. */
export function writeRunFile(run: RunFile): { remove(): void } {
  mkdirSync(RUNS_DIR, { recursive: true, mode: 0o700 });
  const path = pathOf(run.url);
  writeFileSync(path, JSON.stringify(run), { mode: 0o600 });
  return { remove: () => rmSync(path, { force: true }) };
}

/** The run whose API is at `url`; undefined where this checkout knows of none. */
export function readRunFile(url: string): RunFile | undefined {
  try {
    return JSON.parse(readFileSync(pathOf(url), 'utf8')) as RunFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
