import { readFileSync } from 'node:fs';

import { note } from './output';

/** Linux counts processor time in these steps. */
const MS_A_TICK = 10;

/** Processor time of a process so far, all threads: user and system. 0 if the system does not report it. */
export function cpuMsOf(pid: number): number {
  // The name of the program, in parentheses, may contain spaces. `utime` and `stime` are fields 14 and 15.
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)!.split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_A_TICK;
}

/** Peak memory of a process. 0 if the system does not report it. */
export function peakMemoryMbOf(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`)) ?? [];
  return Math.round(Number(kilobytes ?? 0) / 1_024);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    note(`not known here: ${String(error)}`);
    return '';
  }
}
