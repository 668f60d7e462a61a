import type { Clock } from '../../core/clock/clock';
import { WRITE_DEADLINE_MS } from '../../core/domain/timing';
import { WriteTimeoutError } from '../../core/errors';
import type { Log } from '../../core/telemetry/telemetry';

/** A reading of the clock that entries are stamped with, and what is left of the time to write them. */
export interface WriteDeadline {
  nowMs: number;
  /** Milliseconds until a write that bears the stamp is given up; at least 0. */
  leftMs(): number;
}

export function startDeadline(clock: Clock): WriteDeadline {
  const takenAtMs = clock.monotonicMs();
  return {
    nowMs: clock.nowMs(),
    leftMs: () => Math.max(0, WRITE_DEADLINE_MS - (clock.monotonicMs() - takenAtMs)),
  };
}

const TOO_LATE = Symbol('too late');

/**
 * Does a write within the stamp's time. Throws `WriteTimeoutError` where that is over: before the write, which
 * then has not happened, or during it, when it may still happen; how it ended is logged.
 */
export async function withinDeadline<T>(
  stamp: WriteDeadline,
  write: () => Promise<T>,
  { clock, log }: { clock: Clock; log: Log },
): Promise<T> {
  const leftMs = stamp.leftMs();
  if (leftMs === 0) throw new WriteTimeoutError('no time was left for the write');
  const settled = new AbortController();
  const writing = write();
  const timer = clock.sleep(leftMs, settled.signal).then(() => TOO_LATE);
  try {
    const first = await Promise.race([writing, timer]);
    if (first !== TOO_LATE) return first as T;
  } finally {
    settled.abort();
  }
  writing.then(
    () => log.warn('a write was acknowledged after it had been given up'),
    (error: unknown) => log.error('a write failed after it had been given up', error),
  );
  throw new WriteTimeoutError(`a write was not acknowledged within ${WRITE_DEADLINE_MS} ms of its stamp`);
}
