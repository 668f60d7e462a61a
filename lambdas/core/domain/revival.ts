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

/** What an execution is after that: its attempts begin at 1 again, the fence rises on. */
export const revival = (startAtMs: number) =>
  ({
    status: 'retrying',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    startAtMs,
    revived: true,
  }) as const satisfies Partial<Execution>;

/** An execution that had ended, as its revival leaves it. */
export function asRevived(ended: Execution, startAtMs: number): Execution {
  const execution: Execution = { ...ended, ...revival(startAtMs) };
  for (const name of OF_THE_END) delete execution[name];
  return execution;
}
