import { IncompleteReadError, WriteTimeoutError } from '../../../lambdas/core/errors';
import { isRetryable } from '../../../lambdas/core/is-retryable';
import { SendError } from '../../../lambdas/core/queue/execution-queue';

const errorWith = (fields: object): Error => Object.assign(new Error('refused'), fields);

test.each<[string, unknown, boolean]>([
  ['a write without an answer', new WriteTimeoutError('entries: no answer within 10000 ms'), true],
  ['a read that left keys out', new IncompleteReadError('jobs', 3), true],
  ['messages that their queue rejected', new SendError([]), true],
  ['a throttled request', errorWith({ name: 'ThrottlingException' }), true],
  ['a request that timed out', errorWith({ name: 'TimeoutError' }), true],
  ['an error that the SDK would retry', errorWith({ $retryable: { throttling: false } }), true],
  ['a fault of the service', errorWith({ $metadata: { httpStatusCode: 503 } }), true],
  ['a refused connection', errorWith({ code: 'ECONNREFUSED' }), true],
  ['a throttled queue', errorWith({ name: 'RequestThrottled', $metadata: { httpStatusCode: 400 } }), true],
  ['any answer with status 429', errorWith({ $metadata: { httpStatusCode: 429 } }), true],
  ['a queue that asks to slow down', errorWith({ name: 'SlowDown' }), true],
  ['a name server without an answer', errorWith({ code: 'EAI_AGAIN' }), true],
  ['a network that cannot be reached', errorWith({ code: 'ENETUNREACH' }), true],
  ['an error that a lost connection caused', new Error('no', { cause: errorWith({ code: 'EPIPE' }) }), true],
  ['a conflict of transactions', errorWith({ name: 'TransactionConflictException' }), true],
  [
    'a missing permission',
    errorWith({ name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } }),
    true,
  ],
  ['credentials that have expired', errorWith({ name: 'ExpiredTokenException' }), true],
  ['a function without credentials', errorWith({ name: 'CredentialsProviderError' }), true],
  ['an answer with status 403', errorWith({ $metadata: { httpStatusCode: 403 } }), true],
  ['a fault of the request', errorWith({ $metadata: { httpStatusCode: 400 } }), false],
  ['a row that cannot be read', new Error('row ["alice","nightly"] of Jobs cannot be read'), false],
  ['a defect', new TypeError('undefined is not a function'), false],
  ['a value that is no error', 'ThrottlingException', false],
])('%s', (_, error, expected) => {
  expect(isRetryable(error)).toBe(expected);
});
