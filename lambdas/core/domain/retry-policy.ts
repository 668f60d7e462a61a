import { HOUR_MS } from '../clock/clock';
import { parseDuration } from '../schedule/duration';

/** A status of a response, or a class of them. `5xx` includes those below 100 and above 599. */
export type RetriedStatus = number | '3xx' | '4xx' | '5xx';

export interface RetryPolicy {
  maxAttempts: number;
  initialDelay: string;
  maxDelay: string;
  multiplier: number;
  /** No attempt starts later than this after the due time. */
  maxAge: string;
  /** `full`: a random part of the longest delay. `none`: the longest delay. Absent: `full`. */
  jitter?: 'full' | 'none';
  /** The statuses of responses of HTTP targets that are retried. Absent: `DEFAULT_RETRY_ON`. */
  on?: RetriedStatus[];
}

export const DEFAULT_MAX_AGE = '24h';
/** The longest age of executions that wait for the end of work. */
export const MAX_ERRAND_AGE = '366d';

/**
 * `maxAge` of work whose end is waited for, if its job gives none. So an attempt that takes its whole time is
 * not the last one.
 */
export function errandAgeOf(timeout: string): string {
  const hours = Math.ceil((parseDuration(timeout) + parseDuration(DEFAULT_MAX_AGE)) / HOUR_MS);
  return hours * HOUR_MS > parseDuration(MAX_ERRAND_AGE) ? MAX_ERRAND_AGE : `${hours}h`;
}

/** `Retry-After` counts up to this. */
const MAX_RETRY_AFTER_MS = 6 * HOUR_MS;

/** Statuses that may be temporary. They are retried if a policy does not say which. */
export const DEFAULT_RETRY_ON: readonly RetriedStatus[] = [408, 425, 429, '5xx'];

/** Whether a response with this status is retried. A 2xx is a success, and is never asked about. */
export const isRetriedStatus = (status: number, on: readonly RetriedStatus[] = DEFAULT_RETRY_ON): boolean =>
  on.some((one) => one === status || one === classOf(status));

/** Statuses below 100 and above 599 count as server errors (RFC 9110, section 15). */
const classOf = (status: number): string =>
  `${status < 100 || status > 599 ? 5 : Math.floor(status / 100)}xx`;

/** A policy as rows hold it: without `jitter` and `on` if they are the default. */
export function storedPolicy({ jitter, on, ...policy }: RetryPolicy): RetryPolicy {
  return {
    ...policy,
    ...(jitter === 'none' && { jitter }),
    ...(on && JSON.stringify(on) !== JSON.stringify(DEFAULT_RETRY_ON) && { on }),
  };
}

/** A policy with every default filled in. */
export const completePolicy = (policy: RetryPolicy): Required<RetryPolicy> => ({
  ...policy,
  jitter: policy.jitter ?? 'full',
  on: [...(policy.on ?? DEFAULT_RETRY_ON)],
});

/** The longest backoff after `failures` failures; full jitter then takes a random part of it. */
function maxBackoffMs(policy: RetryPolicy, failures: number): number {
  const initialMs = parseDuration(policy.initialDelay);
  const maxMs = parseDuration(policy.maxDelay);
  return Math.min(maxMs, initialMs * policy.multiplier ** Math.max(0, failures - 1));
}

type RetryDecision =
  | { retry: true; startAtMs: number }
  | { retry: false; reason: 'attempts-exhausted' | 'max-age' };

/**
 * Whether and when to try again after a retriable outcome. Never before the due time: the clock that decides
 * may be behind the one that called.
 *
 * @param attempt.failures attempts that failed so far, that outcome included
 * @param attempt.fraction a random number in [0, 1): the full jitter; without jitter it is not used
 * @param attempt.retryAfterMs the `Retry-After` of the target: a lower bound on the backoff, up to six hours
 */
export function decideRetry(
  policy: RetryPolicy,
  attempt: { failures: number; dueAtMs: number; nowMs: number; fraction: number; retryAfterMs?: number },
): RetryDecision {
  if (attempt.failures >= policy.maxAttempts) return { retry: false, reason: 'attempts-exhausted' };
  const part = policy.jitter === 'none' ? 1 : attempt.fraction;
  const backoffMs = Math.floor(part * maxBackoffMs(policy, attempt.failures));
  const askedMs = Math.min(attempt.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  const startAtMs = Math.max(attempt.dueAtMs, attempt.nowMs + Math.max(backoffMs, askedMs));
  if (startAtMs > attempt.dueAtMs + parseDuration(policy.maxAge)) return { retry: false, reason: 'max-age' };
  return { retry: true, startAtMs };
}
