import type { TargetResult } from '../../domain/target-result';

/** Statuses of the 4xx that may go away by themselves; a resource that is being changed answers 409. */
const RETRIABLE_STATUSES = [408, 409, 425, 429];
/** Limits are named, not numbered: most services answer them with 400. */
const LIMITS = /Throttl|TooManyRequests|LimitExceeded|OverLimit|SlowDown/;

/** What an error of an AWS call says about the attempt: refused requests are final, limits, faults and silence are not. */
export function failureOf(error: unknown, signal: AbortSignal): TargetResult {
  if (signal.aborted) return { outcome: 'retriable', error: 'call aborted' };
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  const statusCode = $metadata?.httpStatusCode;
  return {
    outcome: isFinal(statusCode, name) ? 'fatal' : 'retriable',
    statusCode,
    error: `${name}: ${message}`,
  };
}

const isFinal = (status: number | undefined, name: string): boolean =>
  status !== undefined &&
  status >= 400 &&
  status < 500 &&
  !RETRIABLE_STATUSES.includes(status) &&
  !LIMITS.test(name);

/** Whether an error code that comes inside of a successful answer names a limit or a fault of the service. */
export const isPassing = (code: string): boolean => LIMITS.test(code) || /Internal/.test(code);
