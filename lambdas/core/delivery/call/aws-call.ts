import type { AwsTarget } from '../../domain/target';
import { abortedCall, type TargetResult } from '../../domain/target-result';
import type { Delivery } from '../delivery';
import type { CallContext } from './aws-client';

/** Calls the resource that a target names, once. What it throws becomes a result: `failureOf`. */
export type AwsCall<T extends AwsTarget> = (
  target: T,
  delivery: Delivery,
  to: CallContext & { signal: AbortSignal },
) => Promise<TargetResult>;

/** 4xx statuses that may be temporary. AWS returns 409 for a resource that is being changed. */
const RETRIABLE_STATUSES = [408, 409, 425, 429];
/**
 * Names of errors about limits, or about a request that is still being worked on. Most services return them
 * with status 400.
 */
const LIMITS =
  /Throttl|TooManyRequests|LimitExceeded|ThroughputExceeded|OverLimit|SlowDown|PriorRequestNotComplete|TransactionInProgress|RequestTimeout/;

/** The result of a call that threw. Rejected requests are fatal. Limits, faults and silence are retriable. */
export function failureOf(error: unknown, signal: AbortSignal): TargetResult {
  if (signal.aborted) return abortedCall();
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  const statusCode = $metadata?.httpStatusCode;
  return {
    outcome: isFatal(statusCode, name) ? 'fatal' : 'retriable',
    statusCode,
    error: `${name}: ${message}`,
  };
}

const isFatal = (status: number | undefined, name: string): boolean =>
  status !== undefined &&
  status >= 400 &&
  status < 500 &&
  !RETRIABLE_STATUSES.includes(status) &&
  !LIMITS.test(name);

/** Whether an error code inside a successful response names a limit or a fault of the service. */
export const isTemporary = (code: string): boolean => LIMITS.test(code) || /Internal/.test(code);

/** Whether the error says that there were too many requests. */
export const isThrottled = (error: unknown): boolean => error instanceof Error && LIMITS.test(error.name);

/** Whether a call got no answer, or one that does not say whether it was done. */
export function isSilent(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted) return true;
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return status === undefined || (status >= 500 && !isThrottled(error));
}
