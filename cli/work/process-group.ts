import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_POLL_MS = 10;
const LONGEST_POLL_MS = 250;

/** Sends a signal to each process of a group. False if the group has none. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return false;
    if (code === 'EPERM') return true; // its processes belong to another user
    throw error;
  }
}

/** Asks a group to end. A stopped process takes no other signal before it is continued. */
export function terminateGroup(group: number): void {
  signalGroup(group, 'SIGTERM');
  signalGroup(group, 'SIGCONT');
}

/** Whether a process of the group still runs. */
export const isGroupAlive = (group: number): boolean => signalGroup(group, 0) && hasLiving(group);

/** Resolves when no process of the group runs any more. */
export async function groupEnded(group: number): Promise<void> {
  for (let ms = FIRST_POLL_MS; isGroupAlive(group); ms = Math.min(2 * ms, LONGEST_POLL_MS)) await sleep(ms);
}

/**
 * Ended processes stay in their group until their parent has asked for their status. In a container whose
 * first process never does, they stay for ever. Without /proc, each of them counts as running.
 */
function hasLiving(group: number): boolean {
  let names: string[];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return true; // macOS
  }
  if (names.length === 0) return true;
  return names.some((name) => {
    const [state, , itsGroup] = statOf(name);
    return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
  });
}

/** State, parent and group of a process; nothing if it has ended meanwhile. */
function statOf(pid: string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return []; // it has ended
  }
}
