import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import { HEARTBEAT_TIMEOUT_MS } from '../domain/lease';
import { handlerWith, MAX_ATTEMPTS } from './client-settings';

const DYNAMO_TIMEOUT_MS = 3_000;
const SQS_TIMEOUT_MS = 5_000;

/** Walks the whole input and output of each call, even where nobody logs them. */
const UNREAD_LOG = 'loggerMiddleware';

function unlogged<Client extends { middlewareStack: { remove(name: string): boolean } }>(
  client: Client,
): Client {
  client.middlewareStack.remove(UNREAD_LOG);
  return client;
}

/** For everything but heartbeats. */
export const dynamoClient = (overrides: DynamoDBClientConfig = {}): DynamoDBClient =>
  unlogged(
    new DynamoDBClient({
      maxAttempts: MAX_ATTEMPTS,
      requestHandler: handlerWith(DYNAMO_TIMEOUT_MS),
      ...overrides,
    }),
  );

/**
 * For heartbeats alone: one try, so that "no answer" is known in time, and sockets and a retry budget that no flood of
 * other writes can use up.
 */
export const heartbeatClient = (overrides: DynamoDBClientConfig = {}): DynamoDBClient =>
  unlogged(
    new DynamoDBClient({ maxAttempts: 1, requestHandler: handlerWith(HEARTBEAT_TIMEOUT_MS), ...overrides }),
  );

/** The stores' view of a client: plain values in and out. */
export const documentsOf = (client: DynamoDBClient): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

export const sqsClient = (overrides: SQSClientConfig = {}): SQSClient =>
  unlogged(
    new SQSClient({ maxAttempts: MAX_ATTEMPTS, requestHandler: handlerWith(SQS_TIMEOUT_MS), ...overrides }),
  );
