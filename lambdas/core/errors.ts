/**
 * An error about the moment, not about the item: throttled, unreachable or unanswered. The stage repeats its
 * whole pass later. See `isRetryable` for errors of the AWS SDK that mean the same.
 */
export abstract class RetryableError extends Error {}

/** A write got no answer in time. It may or may not have happened. */
export class WriteTimeoutError extends RetryableError {
  override readonly name = 'WriteTimeoutError';
}

/** Some keys of a read got no answer. They must not pass for absent. */
export class IncompleteReadError extends RetryableError {
  override readonly name = 'IncompleteReadError';
  /** @param what the items in the plural, as in `5 jobs got no answer` */
  constructor(what: string, count: number) {
    super(`${count} ${what} got no answer`);
  }
}
