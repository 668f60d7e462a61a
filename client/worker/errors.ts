import { ArgumentError, QuarterjackError } from '../errors';
import { durationMs } from './duration';
import type { StopReason } from './lease-rules';

/** If the execution fails by it, it ends with this reason. */
interface Reasoned {
  reason?: 'unknown-job' | 'bad-payload' | undefined;
}

/** Thrown by a handler: the execution has failed, and no further attempt can change that. */
export class FatalError extends QuarterjackError {
  override name = 'FatalError';
  readonly reason: Reasoned['reason'];

  constructor(message?: string, options?: ErrorOptions & Reasoned) {
    super(message, options);
    this.reason = options?.reason;
  }
}

/** Thrown by a handler: a failure that may be retried, but not before `delay`, such as `5m`: at most `6h`. */
export class RetryAfter extends QuarterjackError {
  override name = 'RetryAfter';
  readonly reason: Reasoned['reason'];

  constructor(
    readonly delay: string,
    message = `try again after ${delay}`,
    options?: ErrorOptions & Reasoned,
  ) {
    super(message, options);
    this.reason = options?.reason;
    const ms = typeof delay === 'string' ? durationMs(delay) : undefined;
    if (ms === undefined || ms > LONGEST_DELAY_MS)
      throw new ArgumentError('delay', delay, 'a duration such as 5m, at most 6h');
  }
}

/** The reason that an error of a handler says, if any. */
export const reasonOf = (error: unknown): Reasoned['reason'] =>
  error instanceof FatalError || error instanceof RetryAfter ? error.reason : undefined;

const LONGEST_DELAY_MS = 6 * 3_600_000;

/** Thrown by a handler that has not begun: the work goes back to its queue, and costs no attempt. */
export class ReleaseError extends QuarterjackError {
  override name = 'ReleaseError';
}

/** The reason of the signal that a handler gets. */
export class StoppedError extends QuarterjackError {
  override name = 'StoppedError';

  constructor(readonly reason: StopReason) {
    super(SAYS[reason]);
  }
}

const SAYS: Record<StopReason, string> = {
  cancelled: 'the execution was cancelled',
  lost: 'the lease of the attempt is lost',
  'timed-out': 'the attempt timed out',
  stopped: 'the worker was stopped',
};
