import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { LocalRunError, messageOf } from './errors';
import { acquireLock } from './process-lock';

export interface DataDir {
  path: string;
  logDir: string;
  /** Folder of the tables; undefined if they are kept in memory. */
  storePath: string | undefined;
  release(): void;
}

/**
 * Opens the data directory for this process only. Without a directory nothing is kept: tables stay in memory,
 * and logs go to a temporary folder. Throws a `LocalRunError` if the directory is in use or not writable.
 */
export const openDataDir = (directory: string | undefined): DataDir =>
  directory === undefined ? openEphemeral() : openPersistent(resolve(directory));

function openPersistent(path: string): DataDir {
  try {
    createDir(path);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new LocalRunError(`the data directory ${path} cannot be written: ${messageOf(cause)}`, { cause });
  }
  const lock = acquireLock(
    join(path, 'lock'),
    (pid) =>
      `the data directory ${path} is in use by another run (process ${pid}); stop it, or choose another --data`,
  );
  return {
    path,
    logDir: join(path, 'logs'),
    storePath: join(path, 'dynamodb'),
    release: () => lock.release(),
  };
}

/** Not `mkdir` with `recursive`: it never returns on a file system that answers ENOENT, such as /proc. */
function createDir(path: string): void {
  if (existsSync(path)) return;
  createDir(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function openEphemeral(): DataDir {
  const path = mkdtempSync(join(tmpdir(), 'quarterjack-'));
  return {
    path,
    logDir: join(path, 'logs'),
    storePath: undefined,
    release: () => rmSync(path, { recursive: true, force: true }),
  };
}
