import {
  ConditionalCheckFailedException,
  InternalServerError,
  ProvisionedThroughputExceededException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';

import { attributesOf } from '../../../local/services/dynamodb/engine/attributes';
import type { Refusal } from '../../../local/services/dynamodb/engine/errors';

/** The SDK's own classes, as a real client throws them; the sender sets `$metadata.attempts`. */
const badRequest = () => ({ httpStatusCode: 400 });

/** The error of the SDK for a refusal of the tables. */
export function sdkErrorOf({ name, message, item }: Refusal): Error {
  const $metadata = badRequest();
  if (name !== 'ConditionalCheckFailedException')
    return Object.assign(new Error(message), { name, $metadata });
  return new ConditionalCheckFailedException({ message, $metadata, Item: item && attributesOf(item) });
}

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
