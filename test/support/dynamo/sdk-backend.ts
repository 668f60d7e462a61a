import type { IncomingMessage } from 'node:http';

import {
  CreateTableCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  type DynamoDBClientConfig,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';

import { handlerWith } from '../../../lambdas/core/platform/client-settings';
import { documentsOf, dynamoClient } from '../../../lambdas/core/platform/clients';
import type { DocumentClient } from '../../../lambdas/core/store/dynamo/access';
import type { DynamoBackend, FaultyClient } from './backend';
import { noAnswer, transactionConflict } from './errors';
import type { TableKey } from '../../../local/services/dynamodb/engine/rows';
import { TABLE_KEYS } from './table-keys';

const MAX_WAIT_SEC = 60;

/** The three tables at an endpoint (undefined: AWS itself), under names that begin with `prefix`. */
export async function openSdkBackend(prefix: string, endpoint?: string): Promise<DynamoBackend> {
  // What is tested is the answer: on a busy machine it may come after the limit of the functions.
  const requestHandler = handlerWith(60_000);
  const admin = dynamoClient({ endpoint, requestHandler });
  const tables = {
    jobs: `${prefix}-jobs`,
    executions: `${prefix}-executions`,
    schedule: `${prefix}-schedule`,
  };
  const names = Object.keys(TABLE_KEYS) as (keyof typeof TABLE_KEYS)[];
  await Promise.all(names.map((name) => createTable(admin, tables[name], TABLE_KEYS[name])));
  return backendAt(tables, { endpoint, requestHandler }, async () => {
    await Promise.all(
      Object.values(tables).map((TableName) => admin.send(new DeleteTableCommand({ TableName }))),
    );
    admin.destroy();
  });
}

/** Three tables that exist, for clients with these settings. `onClose` is called at the end. */
export function backendAt(
  tables: DynamoBackend['tables'],
  settings: DynamoDBClientConfig,
  onClose: () => Promise<void>,
): DynamoBackend {
  const clients: DynamoDBClient[] = [];
  return {
    tables,
    client() {
      const client = dynamoClient(settings);
      clients.push(client);
      return faultySdkClient(client);
    },
    async close() {
      await onClose();
      for (const client of clients) client.destroy();
    },
  };
}

async function createTable(client: DynamoDBClient, TableName: string, key: TableKey): Promise<void> {
  const { indexes = {} } = key;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [key, ...Object.values(indexes)].flatMap(({ partition, sort }) =>
        [partition, sort].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      ),
      KeySchema: keySchema(key),
      ...(Object.keys(indexes).length > 0 && {
        GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, indexKey]) => ({
          IndexName,
          KeySchema: keySchema(indexKey),
          Projection: { ProjectionType: 'ALL' as const },
        })),
      }),
    }),
  );
  await waitUntilTableExists(
    { client, maxWaitTime: MAX_WAIT_SEC, minDelay: 0.02, maxDelay: 1 },
    { TableName },
  );
}

const keySchema = ({ partition, sort }: TableKey) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
];

type RequestItems = Record<string, unknown[] | { Keys: unknown[] }>;
type Batch = { input: { RequestItems?: RequestItems } };

function faultySdkClient(client: DynamoDBClient): FaultyClient {
  let requests = 0;
  let fault: 'request' | 'answer' | 'conflict' | undefined;
  let leaving = false;

  const { requestHandler } = client.config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = async (...args) => {
    requests += 1;
    const now = fault;
    fault = undefined;
    if (now === 'request') throw noAnswer();
    if (now === 'conflict') throw transactionConflict();
    if (now !== 'answer') return handle(...args);
    const { response } = await handle(...args); // whatever the answer was, a refusal too
    (response.body as IncomingMessage).resume();
    throw noAnswer();
  };
  const documents = documentsOf(client);
  const withLeftovers = async (command: Batch, options?: object) => {
    if (!leaving || !command.input.RequestItems) return documents.send(command as never, options);
    leaving = false;
    const { served, left } = splitBatch(command.input.RequestItems);
    const Command = command.constructor as new (input: object) => Batch;
    const output = await documents.send(
      new Command({ ...command.input, RequestItems: served }) as never,
      options,
    );
    return { ...(output as object), UnprocessedItems: left, UnprocessedKeys: left };
  };
  return {
    documents: { send: withLeftovers as unknown as DocumentClient['send'] },
    loseNextAnswer: () => (fault = 'answer'),
    loseNextRequest: () => (fault = 'request'),
    conflictNext: () => (fault = 'conflict'),
    leaveNextBatch: () => (leaving = true),
    get requests() {
      return requests;
    },
  };
}

/** The first request of a batch on one table, and the rest. */
function splitBatch(batch: RequestItems): Record<'served' | 'left', RequestItems> {
  const [[table, requests]] = Object.entries(batch) as [[string, unknown[] | { Keys: unknown[] }]];
  if (Array.isArray(requests)) {
    return { served: { [table]: requests.slice(0, 1) }, left: { [table]: requests.slice(1) } };
  }
  return {
    served: { [table]: { ...requests, Keys: requests.Keys.slice(0, 1) } },
    left: { [table]: { ...requests, Keys: requests.Keys.slice(1) } },
  };
}
