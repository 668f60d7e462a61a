import { RetryableError } from './errors';

/** Names of errors that the AWS SDK throws for a throttled, unreachable or failing service. */
const RETRYABLE_NAMES = new Set([
  'AbortError',
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TimeoutError',
  'TransactionConflictException',
]);

/**
 * Whether an error is about the moment (throttled, unreachable, no answer) and says nothing about the item.
 * Then the stage repeats its whole pass later. Any other error is the item's own, and must not hold up other
 * items.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof RetryableError) return true;
  if (!(error instanceof Error)) return false;
  const { $metadata, $retryable, code } = error as {
    $metadata?: { httpStatusCode?: number };
    $retryable?: unknown;
    code?: string;
  };
  return (
    RETRYABLE_NAMES.has(error.name) ||
    $retryable !== undefined ||
    ($metadata?.httpStatusCode ?? 0) >= 500 ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'].includes(code ?? '')
  );
}
