import {
  ConditionalCheckFailedException,
  InternalServerError,
  ProvisionedThroughputExceededException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';

import type { Item } from './paths';
import { attributesOf } from './values';

/** The SDK's own classes, as a real client throws them; The sender sets `$metadata.attempts`. */
const badRequest = () => ({ httpStatusCode: 400 });

export const conditionFailed = (row: Item | undefined): Error =>
  new ConditionalCheckFailedException({
    message: 'The conditional request failed',
    $metadata: badRequest(),
    Item: row && attributesOf(row),
  });

export const throttled = (): Error =>
  new ProvisionedThroughputExceededException({ message: 'Throughput exceeded', $metadata: badRequest() });

export const transactionConflict = (): Error =>
  new TransactionConflictException({ message: 'Transaction is ongoing', $metadata: badRequest() });

export const serverError = (): Error =>
  new InternalServerError({ message: 'Internal error', $metadata: { httpStatusCode: 500 } });

/** No answer: the request may or may not have been applied. */
export const noAnswer = (): Error =>
  Object.assign(new Error('no answer'), { name: 'TimeoutError', code: 'ETIMEDOUT' });

export const invalid = (message: string): Error =>
  Object.assign(new Error(message), { name: 'ValidationException', $metadata: badRequest() });

const RETRIED_NAMES = ['TimeoutError', 'ProvisionedThroughputExceededException', 'InternalServerError'];

/** Whether the SDK itself would send the request again. */
export const isRetriedBySdk = (error: unknown): boolean =>
  error instanceof Error && RETRIED_NAMES.includes(error.name);
