import type { Execution } from './execution';

/** What belongs to an end, and goes with it when its user undoes it. Retention begins with the next one. */
export const OF_THE_END = [
  'reason',
  'result',
  'finishedAtMs',
  'expiresAtSec',
  'skipped',
  'heartbeatAtMs',
  'cancelAsked',
  'blocksKey',
] as const satisfies readonly (keyof Execution)[];

export interface Revival {
  startAtMs: number;
  /** Present where a delivery led to it: how many stand in the chain before its own. */
  hop?: number;
}

/** What an execution is after that: its attempts begin at 1 again, the fence rises on. */
export const revivalOf = ({ startAtMs, hop }: Revival) =>
  ({
    status: 'retrying',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    startAtMs,
    revived: true,
    ...(hop !== undefined && { hop }),
  }) as const satisfies Partial<Execution>;

/** An execution that had ended, as its revival leaves it. */
export function asRevived(ended: Execution, revival: Revival): Execution {
  const execution: Execution = { ...ended, ...revivalOf(revival) };
  for (const name of OF_THE_END) delete execution[name];
  return execution;
}
