import { handlerWith } from '../../../lambdas/core/platform/client-settings';
import { callByMessages } from '../../../local/invoke/calls-by-messages';
import { startAwsEndpoint } from '../../../local/services/aws-endpoint';
import { Callers } from '../../../local/services/callers';
import { startDynamoDb } from '../../../local/services/dynamodb/dynamodb';
import { portOpener } from '../../../local/services/port-endpoint';
import type { RowKey, TableKey } from '../../../local/services/dynamodb/engine/rows';
import type { TableSpec } from '../../../local/template/stack';
import type { DynamoBackend } from './backend';
import { TABLES } from './memory-backend';
import { backendAt } from './sdk-backend';
import { TABLE_KEYS } from './table-keys';

const AWS = { region: 'us-east-1', accountId: '000000000000' };
const MAX_WAIT_MS = 60_000;

/**
 * The embedded DynamoDB of the local run at its endpoint, with the three tables. It is called by HTTP, or by
 * messages as functions call it.
 */
export async function openLocalBackend(
  storePath?: string,
  transport: 'http' | 'messages' = 'http',
): Promise<DynamoBackend> {
  const failed = (cause: unknown): never => {
    throw new Error('the embedded DynamoDB failed', { cause });
  };
  const callers = new Callers();
  const endpoint = await startAwsEndpoint(callers, failed);
  const clock = { nowMs: Date.now };
  const dynamoDb = await startDynamoDb(specs(), { ...AWS, storePath, clock, err: failed, onFailure: failed });
  endpoint.serve(dynamoDb);
  const undo =
    transport === 'http' ? undefined : callByMessages(portOpener(endpoint.respond)(), endpoint.url);
  const settings = {
    endpoint: endpoint.url,
    region: AWS.region,
    credentials: callers.issue(),
    requestHandler: handlerWith(MAX_WAIT_MS),
  };
  return backendAt(TABLES, settings, async () => {
    undo?.();
    await endpoint.stop();
    await dynamoDb.stop();
  });
}

const keys = ['jobs', 'executions', 'schedule'] as const;

const specs = (): TableSpec[] => keys.map((table) => specOf(TABLES[table], TABLE_KEYS[table]));

function specOf(name: string, key: TableKey): TableSpec {
  const { indexes = {} } = key;
  const attributes = [key, ...Object.values(indexes)].flatMap(({ partition, sort }) => [partition, sort]);
  return {
    logicalId: name,
    name,
    arn: `arn:aws:dynamodb:${AWS.region}:${AWS.accountId}:table/${name}`,
    properties: {
      AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: schemaOf(key),
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, indexKey]) => ({
        IndexName,
        KeySchema: schemaOf(indexKey),
        Projection: { ProjectionType: 'ALL' },
      })),
    },
  };
}

const schemaOf = ({ partition, sort }: RowKey): TableSpec['properties']['KeySchema'] => [
  { AttributeName: partition, KeyType: 'HASH' },
  { AttributeName: sort, KeyType: 'RANGE' },
];
