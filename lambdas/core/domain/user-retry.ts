import type { Execution } from './execution';

/** What belongs to an end, and goes with it when its user undoes it. Retention begins with the next one. */
export const TERMINAL_FIELDS = [
  'reason',
  'result',
  'finishedAtMs',
  'expiresAtSec',
  'skipped',
  'heartbeatAtMs',
  'cancelRequested',
  'blocksKey',
] as const satisfies readonly (keyof Execution)[];

export interface UserRetry {
  startAtMs: number;
  /** Present where a delivery led to it: how many stand in the chain before its own. */
  deliveryDepth?: number;
}

/** What an execution is after that: its attempts begin at 1 again, the fence rises on. */
export const userRetryOf = ({ startAtMs, deliveryDepth }: UserRetry) =>
  ({
    status: 'retrying',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    startAtMs,
    userRetried: true,
    ...(deliveryDepth !== undefined && { deliveryDepth }),
  }) as const satisfies Partial<Execution>;

/** An execution that had ended, as its revival leaves it. */
export function afterUserRetry(ended: Execution, revival: UserRetry): Execution {
  const execution: Execution = { ...ended, ...userRetryOf(revival) };
  for (const name of TERMINAL_FIELDS) delete execution[name];
  return execution;
}
