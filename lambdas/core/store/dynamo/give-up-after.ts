import { setMaxListeners } from 'node:events';

import type { Clock } from '../../clock/clock';
import { WriteTimeoutError } from '../../errors';

/** Given, so that no error is made for each call that was answered in time. */
const ANSWERED = 'answered';

/**
 * Runs `work` for at most `withinMs` of monotonic time. Then the signal that it was given aborts, and the promise
 * rejects with `WriteTimeoutError` at once, whether or not the work heeds the signal.
 */
export async function giveUpAfter<T>(
  clock: Clock,
  withinMs: number,
  what: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const request = new AbortController();
  setMaxListeners(0, request.signal); // one for each call of a large batch is no leak
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
