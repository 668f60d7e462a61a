import { setMaxListeners } from 'node:events';

import type { Clock } from '../../clock/clock';
import { WriteTimeoutError } from '../../errors';

/** A reason for the abort: without one, each call that is answered in time would create an error. */
const ANSWERED = 'answered';

/**
 * Runs `work` for at most `withinMs` of monotonic time. After that the signal given to `work` aborts, and the
 * promise rejects with `WriteTimeoutError` at once, even if the work ignores the signal.
 *
 * @param what begins the error's message
 */
export async function giveUpAfter<T>(
  clock: Clock,
  withinMs: number,
  what: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const request = new AbortController();
  setMaxListeners(0, request.signal); // each call of a large batch adds one: that is no leak
  const timer = new AbortController();
  const expiry = new Promise<never>((_, reject) => {
    void clock.sleep(withinMs, timer.signal).then(() => {
      if (timer.signal.aborted) return;
      const error = new WriteTimeoutError(`${what}: no answer within ${withinMs} ms`);
      request.abort(error);
      reject(error);
    });
  });
  try {
    return await Promise.race([work(request.signal), expiry]);
  } finally {
    timer.abort(ANSWERED);
  }
}
