import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';

import { RetryableError } from './errors';

/** What the SDK does not retry by itself, and a later pass does. */
const RETRYABLE_NAMES = new Set([
  'AbortError', // a request that our own time-out ended
  'InternalServerError',
  'ServiceUnavailable',
  'TransactionConflictException',
]);

/**
 * A missing permission, or credentials that are absent, expired or wrong. That is the fault of the
 * deployment, which an operator repairs. It says nothing about the item.
 */
const ACCESS_NAMES = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'AuthFailure',
  'CredentialsProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'IncompleteSignature',
  'InvalidClientTokenId',
  'InvalidSecurity',
  'InvalidSignatureException',
  'KmsAccessDenied',
  'MissingAuthenticationToken',
  'MissingAuthenticationTokenException',
  'NotAuthorized',
  'OptInRequired',
  'RequestExpired',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
]);
const ACCESS_STATUSES = [401, 403];

/**
 * Whether an error is about the moment or the deployment (throttled, unreachable, no answer, no permission),
 * and says nothing about the item. Then the stage repeats its whole pass later. Any other error is the item's
 * own, and must not hold up other items. The rules for errors of AWS are those by which the SDK retries.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof RetryableError) return true;
  if (!(error instanceof Error)) return false;
  const sdkError = error as Parameters<typeof isTransientError>[0];
  return (
    RETRYABLE_NAMES.has(error.name) ||
    ACCESS_NAMES.has(error.name) ||
    ACCESS_STATUSES.includes(sdkError.$metadata?.httpStatusCode ?? 0) ||
    isThrottlingError(sdkError) ||
    isTransientError(sdkError) ||
    isServerError(sdkError)
  );
}
