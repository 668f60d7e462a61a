import type { Execution } from './execution';

/**
 * Fields that are set when an execution ends. A user retry removes them; retention starts again at the next
 * end.
 */
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
  /** Present if a delivery led to it: the number of deliveries before it. */
  deliveryDepth?: number;
  /** Present if it replaces what the targets got before. */
  payload?: Execution['payload'];
}

/** The fields that a user retry sets. Attempts begin at 1 again, and the fence continues to rise. */
export const userRetryOf = ({ startAtMs, deliveryDepth, payload }: UserRetry) =>
  ({
    status: 'retrying',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    startAtMs,
    userRetried: true,
    ...(deliveryDepth !== undefined && { deliveryDepth }),
    ...(payload !== undefined && { payload }),
  }) as const satisfies Partial<Execution>;

/** An ended execution, as a user retry leaves it. */
export function afterUserRetry(ended: Execution, userRetry: UserRetry): Execution {
  const execution: Execution = { ...ended, ...userRetryOf(userRetry) };
  for (const name of TERMINAL_FIELDS) delete execution[name];
  return execution;
}
