import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import { BEAT_TIMEOUT_MS } from '../domain/lease';

/**
 * The SDK has no request time-out of its own: without one, a socket that died while the sandbox was frozen holds a call
 * for minutes. Region and credentials come from the environment. Sockets are kept alive by default.
 */
const CONNECT_TIMEOUT_MS = 1_000;
const DYNAMO_TIMEOUT_MS = 3_000;
const SQS_TIMEOUT_MS = 5_000;
/** A little more than the function's own time-out. */
const INVOKE_TIMEOUT_MS = 30_000;
const MAX_ATTEMPTS = 5;
const MAX_SOCKETS = 100;

const handlerWith = (requestTimeout: number) => ({
  connectionTimeout: CONNECT_TIMEOUT_MS,
  requestTimeout,
  throwOnRequestTimeout: true, // else the SDK only warns
  httpAgent: { maxSockets: MAX_SOCKETS },
  httpsAgent: { maxSockets: MAX_SOCKETS },
});

/** Walks the whole input and output of each call, even where nobody logs them. */
const UNREAD_LOG = 'loggerMiddleware';

function unlogged<Client extends { middlewareStack: { remove(name: string): boolean } }>(
  client: Client,
): Client {
  client.middlewareStack.remove(UNREAD_LOG);
  return client;
}

/** For everything but beats. */
export const dynamoClient = (overrides: DynamoDBClientConfig = {}): DynamoDBClient =>
  unlogged(
    new DynamoDBClient({
      maxAttempts: MAX_ATTEMPTS,
      requestHandler: handlerWith(DYNAMO_TIMEOUT_MS),
      ...overrides,
    }),
  );

/**
 * For beats alone: one try, so that "no answer" is known in time, and sockets and a retry budget that no flood of
 * other writes can use up.
 */
export const beatClient = (overrides: DynamoDBClientConfig = {}): DynamoDBClient =>
  unlogged(
    new DynamoDBClient({ maxAttempts: 1, requestHandler: handlerWith(BEAT_TIMEOUT_MS), ...overrides }),
  );

/** The stores' view of a client: plain values in and out. */
export const documentsOf = (client: DynamoDBClient): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

export const sqsClient = (overrides: SQSClientConfig = {}): SQSClient =>
  unlogged(
    new SQSClient({ maxAttempts: MAX_ATTEMPTS, requestHandler: handlerWith(SQS_TIMEOUT_MS), ...overrides }),
  );

export const secretsClient = (): SecretsManagerClient =>
  new SecretsManagerClient({ maxAttempts: MAX_ATTEMPTS, requestHandler: handlerWith(SQS_TIMEOUT_MS) });

/** For functions that answer: one try, since an invocation that timed out may still be at work. */
export const lambdaClient = (): LambdaClient =>
  new LambdaClient({ maxAttempts: 1, requestHandler: handlerWith(INVOKE_TIMEOUT_MS) });

/** Two tries of a few seconds: whoever waits for it has its own work done. */
export const eventBridgeClient = (): EventBridgeClient =>
  new EventBridgeClient({ maxAttempts: 2, requestHandler: handlerWith(DYNAMO_TIMEOUT_MS) });

export const schedulerClient = (): SchedulerClient =>
  new SchedulerClient({ maxAttempts: MAX_ATTEMPTS, requestHandler: handlerWith(SQS_TIMEOUT_MS) });
