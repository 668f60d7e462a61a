import { SendError } from './queue/execution-queue';
import { WriteTimeoutError, IncompleteReadError } from './errors';

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
 * Whether an error says something about the moment (throttled, unreachable, no answer) and nothing about the item:
 * then the whole pass is repeated later. Anything else is the item's own, and must not hold up its neighbours.
 */
export function isRetryable(error: unknown): boolean {
  if (
    error instanceof WriteTimeoutError ||
    error instanceof SendError ||
    error instanceof IncompleteReadError
  )
    return true;
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
