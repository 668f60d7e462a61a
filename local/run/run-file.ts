import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { RUNS_DIR } from '../machine/paths';
import type { Credentials } from '../services/callers';

/**
 * URLs and operator credentials of a run. One file per run, named after the port of its API; ignored by git.
 */
interface RunFile {
  pid: number;
  url: string;
  awsEndpointUrl: string;
  region: string;
  stackName: string;
  /** Folder of the functions' logs. */
  logDir: string;
  operator: Credentials;
  /** What Lambda tells of the functions: their environments name the tables and the secret. */
  functions: { name: string; environment: Record<string, string> }[];
}

const pathOf = (url: string, directory = RUNS_DIR): string => join(directory, `${new URL(url).port}.json`);

/** Publishes a run to the tools beside it. A killed run leaves its file behind. */
export function writeRunFile(run: RunFile, directory: string): { remove(): void } {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = pathOf(run.url, directory);
  writeFileSync(path, JSON.stringify(run), { mode: 0o600 });
  return { remove: () => rmSync(path, { force: true }) };
}

/** The run whose API is at `url`; undefined if this checkout has no file of it. */
export function readRunFile(url: string): RunFile | undefined {
  try {
    return JSON.parse(readFileSync(pathOf(url), 'utf8')) as RunFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
