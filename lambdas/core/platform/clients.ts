import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';

import { HEARTBEAT_TIMEOUT_MS } from '../domain/lease';
import { withCheapSends } from './calls/sends';
import { handlerWith, MAX_ATTEMPTS } from './client-settings';

export { documentsOf } from './calls/documents';

const DYNAMO_TIMEOUT_MS = 3_000;
const SQS_TIMEOUT_MS = 5_000;

/** For all requests except heartbeats. */
export const dynamoClient = (overrides: DynamoDBClientConfig = {}): DynamoDBClient =>
  new DynamoDBClient({
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: handlerWith(DYNAMO_TIMEOUT_MS),
    ...overrides,
  });

/**
 * For heartbeats alone. It makes one try, so that a missing answer is known in time. Its sockets and its
 * retry budget are its own, so that many other writes cannot use them up.
 */
export const heartbeatClient = (overrides: DynamoDBClientConfig = {}): DynamoDBClient =>
  new DynamoDBClient({ maxAttempts: 1, requestHandler: handlerWith(HEARTBEAT_TIMEOUT_MS), ...overrides });

export const sqsClient = (overrides: SQSClientConfig = {}): SQSClient =>
  withCheapSends(
    new SQSClient({ maxAttempts: MAX_ATTEMPTS, requestHandler: handlerWith(SQS_TIMEOUT_MS), ...overrides }),
  );
