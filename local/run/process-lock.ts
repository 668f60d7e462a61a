import { readFileSync, rmSync, writeFileSync } from 'node:fs';

import { LocalRunError } from './errors';

/** The process that holds a lock. */
interface Holder {
  pid: number;
  /**
   * Distinguishes two processes that had the same pid. Undefined where the operating system does not tell.
   */
  startedAt: string | undefined;
}

/**
 * Acquires a lock file for this process. The lock of a process that has ended is replaced. Throws a
 * `LocalRunError` with the text of `describe(pid)` if a running process holds it.
 */
export function acquireLock(path: string, describe: (pid: number) => string): { release(): void } {
  const own: Holder = { pid: process.pid, startedAt: startOf(process.pid) };
  for (;;) {
    try {
      writeFileSync(path, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
      return { release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(path);
    if (holder && isAlive(holder)) throw new LocalRunError(describe(holder.pid));
    rmSync(path, { force: true });
  }
}

/** Undefined if the file is gone, or incomplete because its process was killed while writing. */
function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, startedAt }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return startOf(pid) === startedAt;
}

/**
 * Start time of a process on Linux: field 22 of its `stat`. Counted after the name, which is in parentheses.
 */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
