import type { RetryPolicy } from './job';
import { parseDuration } from '../schedule/duration';

/** `Retry-After` is honoured up to this, and never below the backoff's own zero. */
const MAX_RETRY_AFTER_MS = 6 * 3_600_000;

/** The longest that the backoff before attempt `failures + 1` may be, before jitter. */
export function backoffCeilingMs(policy: RetryPolicy, failures: number): number {
  const initialMs = parseDuration(policy.initialDelay);
  const maxMs = parseDuration(policy.maxDelay);
  return Math.min(maxMs, initialMs * policy.multiplier ** Math.max(0, failures - 1));
}

export type RetryDecision =
  { retry: true; startAtMs: number } | { retry: false; reason: 'attempts-exhausted' | 'max-age' };

/**
 * Whether and when to try again after a retriable outcome. `failures` counts that outcome too; `fraction` in [0, 1) is
 * full jitter; `retryAfterMs` is what the target asked for, a lower bound within `MAX_RETRY_AFTER_MS`.
 */
export function decideRetry(
  policy: RetryPolicy,
  attempt: { failures: number; dueAtMs: number; nowMs: number; fraction: number; retryAfterMs?: number },
): RetryDecision {
  if (attempt.failures >= policy.maxAttempts) return { retry: false, reason: 'attempts-exhausted' };
  const backoffMs = Math.floor(attempt.fraction * backoffCeilingMs(policy, attempt.failures));
  const askedMs = Math.min(attempt.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  const startAtMs = attempt.nowMs + Math.max(backoffMs, askedMs);
  if (startAtMs > attempt.dueAtMs + parseDuration(policy.maxAge)) return { retry: false, reason: 'max-age' };
  return { retry: true, startAtMs };
}
