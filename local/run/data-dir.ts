import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

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
    makeDir(path);
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

/** Step by step: Node's own recursive form never returns on a file system that refuses with ENOENT, such as /proc. */
function makeDir(path: string): void {
  if (existsSync(path)) return;
  makeDir(dirname(path));
  mkdirSync(path, { mode: 0o700 });
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
