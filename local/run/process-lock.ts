import { readFileSync, rmSync, writeFileSync } from 'node:fs';

import { LocalRunError } from './errors';

interface Holder {
  pid: number;
  /** Tells two processes apart that had the same pid; undefined where the system does not say. */
  startedAt: string | undefined;
}

/**
 * Takes a lock file for this process. One whose process is gone is taken over. Throws a `LocalRunError` made of
 * `describe(pid)` while another one holds it.
 */
export function takeLock(path: string, describe: (pid: number) => string): { release(): void } {
  const mine: Holder = { pid: process.pid, startedAt: startOf(process.pid) };
  for (;;) {
    try {
      writeFileSync(path, JSON.stringify(mine), { flag: 'wx', mode: 0o600 });
      return { release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(path);
    if (holder && isAlive(holder)) throw new LocalRunError(describe(holder.pid));
    rmSync(path, { force: true });
  }
}

/** Undefined where the file is gone, or was never written to its end. */
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

/** Start of a process as Linux has it: the 22nd field of its `stat`, counted behind its name in parentheses. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
