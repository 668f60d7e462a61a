import { withTimeout } from '../../async/with-timeout';
import type { Clock } from '../../clock/clock';
import { WriteTimeoutError } from '../../errors';

/**
 * `withTimeout` for a write. Rejects with `WriteTimeoutError` after `withinMs`; the write may still happen.
 *
 * @param what begins the error's message
 */
export const giveUpAfter = <T>(
  clock: Clock,
  withinMs: number,
  what: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  withTimeout(withinMs, work, clock, {
    error: () => new WriteTimeoutError(`${what}: no answer within ${Math.round(withinMs)} ms`),
  });
