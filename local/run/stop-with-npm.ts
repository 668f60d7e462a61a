import { readFileSync } from 'node:fs';

const RECHECK_MS = 500;

/** The parent of this process, and its parent: the shell of npm, and npm. */
const above = (): string => `${process.ppid} ${parentOf(process.ppid)}`;

/** What has started this process: as it is loaded, before a start takes its time. */
const STARTED_BY = above();

/** The parent of another process. Empty where the operating system does not tell: only Linux has the file. */
function parentOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '';
  } catch {
    return '';
  }
}

/**
 * npm and npx start programs by a shell, which passes no signal on. Calls `stop` once either is gone. A run
 * that was started without npm may outlive what started it.
 */
export function stopWithNpm(stop: () => void): void {
  if (process.env.npm_command === undefined) return;
  const timer = setInterval(() => {
    if (above() === STARTED_BY) return;
    clearInterval(timer);
    stop();
  }, RECHECK_MS);
  timer.unref();
}
