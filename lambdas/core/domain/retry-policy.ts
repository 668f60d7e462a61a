import { parseDuration } from '../schedule/duration';

export interface RetryPolicy {
  maxAttempts: number;
  initialDelay: string;
  maxDelay: string;
  multiplier: number;
  /** No attempt starts later than this after the due time. */
  maxAge: string;
}

/** `Retry-After` counts up to this. */
const MAX_RETRY_AFTER_MS = 6 * 3_600_000;

/** The longest backoff after `failures` failures; full jitter then takes a random part of it. */
function maxBackoffMs(policy: RetryPolicy, failures: number): number {
  const initialMs = parseDuration(policy.initialDelay);
  const maxMs = parseDuration(policy.maxDelay);
  return Math.min(maxMs, initialMs * policy.multiplier ** Math.max(0, failures - 1));
}

type RetryDecision =
  { retry: true; startAtMs: number } | { retry: false; reason: 'attempts-exhausted' | 'max-age' };

/**
 * Whether and when to try again after a retriable outcome.
 *
 * @param attempt.failures attempts that failed so far, that outcome included
 * @param attempt.fraction a random number in [0, 1): the full jitter
 * @param attempt.retryAfterMs the `Retry-After` of the target: a lower bound on the backoff, up to six hours
 */
export function decideRetry(
  policy: RetryPolicy,
  attempt: { failures: number; dueAtMs: number; nowMs: number; fraction: number; retryAfterMs?: number },
): RetryDecision {
  if (attempt.failures >= policy.maxAttempts) return { retry: false, reason: 'attempts-exhausted' };
  const backoffMs = Math.floor(attempt.fraction * maxBackoffMs(policy, attempt.failures));
  const askedMs = Math.min(attempt.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  const startAtMs = attempt.nowMs + Math.max(backoffMs, askedMs);
  if (startAtMs > attempt.dueAtMs + parseDuration(policy.maxAge)) return { retry: false, reason: 'max-age' };
  return { retry: true, startAtMs };
}
