import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  isServerError,
  isThrottlingError,
  isTransientError,
  type StandardRetryStrategy,
} from '@smithy/core/retry';

type SdkError = Parameters<typeof isTransientError>[0];
type RetryToken = Awaited<ReturnType<StandardRetryStrategy['acquireInitialRetryToken']>>;
type ErrorType = Parameters<StandardRetryStrategy['refreshRetryTokenForRetry']>[1]['errorType'];

/**
 * Makes a call until it succeeds or the client's retry strategy gives it up. The strategy has the waits, the
 * budget of retries that all calls of the client share, and the number of tries.
 *
 * @throws the error of the last try, with the number of tries in `$metadata.attempts`; an `AbortError` if the
 * signal aborts, also while the strategy waits
 */
export async function withRetries<Output>(
  config: Pick<DynamoDBClient['config'], 'retryStrategy'>,
  signal: AbortSignal | undefined,
  call: () => Promise<Output>,
): Promise<Output> {
  const strategy = (await config.retryStrategy()) as StandardRetryStrategy;
  let token: RetryToken = await strategy.acquireInitialRetryToken('');
  for (let attempts = 1; ; attempts++) {
    if (signal?.aborted) throw aborted();
    try {
      const output = await call();
      strategy.recordSuccess(token);
      return output;
    } catch (thrown) {
      const error = thrown as SdkError;
      Object.assign(error, { $metadata: { ...error.$metadata, attempts } });
      const waited = strategy.refreshRetryTokenForRetry(token, { error, errorType: errorTypeOf(error) });
      token = await unlessAborted(waited, signal).catch((refused: unknown) => {
        throw isAbort(refused) ? refused : error;
      });
    }
  }
}

function errorTypeOf(error: SdkError): ErrorType {
  if (isThrottlingError(error)) return 'THROTTLING';
  if (isTransientError(error)) return 'TRANSIENT';
  return isServerError(error) ? 'SERVER_ERROR' : 'CLIENT_ERROR';
}

function unlessAborted<T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return waited;
  return new Promise((resolve, reject) => {
    const abort = () => reject(aborted());
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    const leave = () => signal.removeEventListener('abort', abort);
    // After an abort too: a rejection that nothing handles would end the process.
    waited.finally(leave).then(resolve, reject);
  });
}

const aborted = (): Error => Object.assign(new Error('Request aborted'), { name: 'AbortError' });
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
