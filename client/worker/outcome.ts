import { FatalError, reasonOf, ReleaseError, RetryAfter } from './errors';
import type { Failure } from './attempt-calls';
import type { StopReason } from './lease-rules';

/** How a handler ended. */
export type Handled = { value: unknown } | { error: unknown };

/** What to report about an attempt. */
export type Report =
  | { report: 'complete'; result: unknown }
  | ({ report: 'fail' } & Failure)
  | { report: 'release' }
  /** The lease lapses, and another worker takes over. That is no failure against the job's `retry`. */
  | { report: 'nothing' };

const MAX_ERROR_CHARACTERS = 4_000;

/**
 * What to report after a handler has ended. A result counts even if the handler was asked to stop. An error
 * after the lease was lost is the abort itself.
 */
export function reportOf(handled: Handled, stopped: StopReason | undefined): Report {
  if ('value' in handled) return { report: 'complete', result: handled.value };
  if (stopped === 'lost') return { report: 'nothing' };
  if (handled.error instanceof ReleaseError) return { report: 'release' };
  const retriable = !(handled.error instanceof FatalError);
  const error = textOf(handled.error, stopped);
  const reason = reasonOf(handled.error);
  return {
    ...{ report: 'fail', error, retriable, ...(reason && { reason }) },
    ...(handled.error instanceof RetryAfter && { retryAfter: handled.error.delay }),
  };
}

function textOf(error: unknown, stopped: StopReason | undefined): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text || stopped || 'the handler failed without a message').slice(0, MAX_ERROR_CHARACTERS);
}
