import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { LocalRunError, messageOf } from './errors';
import { takeLock } from './process-lock';

export interface DataDir {
  path: string;
  logDir: string;
  /** Folder of the tables; absent where they are to be kept in memory. */
  storePath: string | undefined;
  release(): void;
}

/** Opens the data directory for this process alone. Throws a `LocalRunError` where that cannot be. */
export function openDataDir(directory: string): DataDir {
  const path = resolve(directory);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new LocalRunError(`the data directory ${path} cannot be written: ${messageOf(cause)}`, { cause });
  }
  const lock = takeLock(
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

/** A directory for logs that goes away with the run; the tables are in memory. */
export function openEphemeralDir(): DataDir {
  const path = mkdtempSync(join(tmpdir(), 'quarterjack-'));
  return {
    path,
    logDir: join(path, 'logs'),
    storePath: undefined,
    release: () => rmSync(path, { recursive: true, force: true }),
  };
}
