import type { Clock } from '../../core/clock/clock';
import { WRITE_DEADLINE_MS } from '../../core/domain/timing';
import { WriteTimeoutError } from '../../core/errors';
import type { Log } from '../../core/telemetry/telemetry';

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

const TIMED_OUT = Symbol('timed out');

/**
 * Writes before the deadline. Throws `WriteTimeoutError` if the deadline passes before the write, which then
 * did not happen, or during it, when it may still happen. The end of a write that was given up is logged.
 */
export async function withinDeadline<T>(
  deadline: WriteDeadline,
  write: () => Promise<T>,
  { clock, log }: { clock: Clock; log: Log },
): Promise<T> {
  const leftMs = deadline.leftMs();
  if (leftMs === 0) throw new WriteTimeoutError('no time was left for the write');
  const settled = new AbortController();
  const writing = write();
  const timer = clock.sleep(leftMs, settled.signal).then(() => TIMED_OUT);
  try {
    const first = await Promise.race([writing, timer]);
    if (first !== TIMED_OUT) return first as T;
  } finally {
    settled.abort();
  }
  writing.then(
    () => log.warn('a write was acknowledged after it had been given up'),
    (error: unknown) => log.error('a write failed after it had been given up', error),
  );
  throw new WriteTimeoutError(
    `a write was not acknowledged within ${WRITE_DEADLINE_MS} ms of its clock reading`,
  );
}
