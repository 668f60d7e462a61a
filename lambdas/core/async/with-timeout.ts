import { setMaxListeners } from 'node:events';

import type { Clock } from '../clock/clock';

export interface TimeoutOptions<Value> {
  /** Ends the wait early: the promise rejects with this signal's reason. */
  signal?: AbortSignal;
  /** What the promise rejects with after the time-out. Default: a `TimeoutError`. */
  error?: () => Error;
  /** Receives the outcome of work that settles after the wait has ended. Default: that outcome is ignored. */
  onLate?: (outcome: PromiseSettledResult<Value>) => void;
}

/** The name is one of those that `isRetryable` knows. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** A ready-made abort reason, so that no error is created for each call that is in time. */
const SETTLED = 'settled';

/**
 * Waits at most `ms` milliseconds of monotonic time for `work`. Work that settles at the very end is in time.
 *
 * After that, the signal that the work was given aborts, and the promise rejects at once, whether or not the
 * work heeds the signal. No timer or listener is left behind.
 */
export async function withTimeout<Value>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Value>,
  clock: Pick<Clock, 'sleep'>,
  options: TimeoutOptions<Value> = {},
): Promise<Value> {
  const { signal, error = () => new TimeoutError(`no result within ${ms} ms`), onLate } = options;
  signal?.throwIfAborted();
  const request = new AbortController();
  setMaxListeners(0, request.signal); // one listener for each call of a large batch is not a leak
  const wait = new AbortController();
  const working = work(request.signal);
  const settled = (outcome: PromiseSettledResult<Value>) => {
    if (request.signal.aborted) onLate?.(outcome);
  };
  working.then(
    (value) => settled({ status: 'fulfilled', value }),
    (reason: unknown) => settled({ status: 'rejected', reason }),
  );
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: unknown) => {
      reject(reason); // before the work rejects because of the abort
      request.abort(reason);
    };
    signal?.addEventListener('abort', () => end(signal.reason), { signal: wait.signal });
    void clock.sleep(ms, wait.signal).then(() => {
      if (!wait.signal.aborted) end(error());
    });
  });
  try {
    return await Promise.race([working, ended]);
  } finally {
    wait.abort(SETTLED);
  }
}
