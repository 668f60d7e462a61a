import { cpus, loadavg, totalmem } from 'node:os';

const GB = 2 ** 30;

/** Where and when a figure was measured, and how busy the machine was just then. */
export interface Machine {
  at: string;
  cpus: number;
  cpu: string;
  memoryGb: number;
  node: string;
  /** Load average of the last minute. */
  load: number;
}

export const machine = (): Machine => ({
  at: new Date().toISOString(),
  cpus: cpus().length,
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  memoryGb: Math.round(totalmem() / GB),
  node: process.version,
  load: Math.round(loadavg()[0]! * 100) / 100,
});

export const machineLine = ({ at, cpus: count, cpu, memoryGb, node, load }: Machine): string =>
  `${at}, ${count} × ${cpu}, ${memoryGb} GB, Node ${node}, load ${load}`;
