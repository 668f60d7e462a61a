import { withTimeout } from '../async/with-timeout';
import type { Clock } from '../clock/clock';
import { WRITE_DEADLINE_MS } from '../domain/timing';
import { WriteTimeoutError } from '../errors';
import type { WriteOptions } from './write-options';
import type { Log } from '../telemetry/telemetry';

/** A clock reading, which is stamped on entries, and the deadline of the writes that belong to it. */
export interface WriteDeadline {
  nowMs: number;
  /** Milliseconds until such a write is given up; at least 0. */
  leftMs(): number;
}

export function startDeadline(clock: Clock): WriteDeadline {
  const startedAtMs = clock.monotonicMs();
  return {
    nowMs: clock.nowMs(),
    leftMs: () => Math.max(0, WRITE_DEADLINE_MS - (clock.monotonicMs() - startedAtMs)),
  };
}

/**
 * Writes before the deadline. Throws `WriteTimeoutError` if the deadline passes before the write, which then
 * did not happen, or during it. Such a write is aborted, so that the SDK makes no further try, also not after
 * Lambda has frozen the process. A try that is on the wire may still be applied. Its outcome is logged.
 */
export async function withinDeadline<T>(
  deadline: WriteDeadline,
  write: (options: WriteOptions) => Promise<T>,
  { clock, log }: { clock: Clock; log: Log },
): Promise<T> {
  const leftMs = deadline.leftMs();
  if (leftMs === 0) throw new WriteTimeoutError('no time was left for the write');
  return withTimeout(leftMs, (abortSignal) => write({ abortSignal }), clock, {
    error: () =>
      new WriteTimeoutError(
        `a write was not acknowledged within ${WRITE_DEADLINE_MS} ms of its clock reading`,
      ),
    onLate: (outcome) => {
      if (outcome.status === 'fulfilled') log.warn('a write was acknowledged after it had been given up');
      else log.warn('a write that had been given up was ended', { error: String(outcome.reason) });
    },
  });
}
