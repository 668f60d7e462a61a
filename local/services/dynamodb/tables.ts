import { setTimeout as sleep } from 'node:timers/promises';

import { LocalRunError } from '../../run/errors';
import type { TableSpec } from '../../template/stack';
import type { DynamoDbCall } from './dynamodb-call';

interface TableDescription {
  TableStatus: string;
  KeySchema: unknown;
  AttributeDefinitions: { AttributeName: string }[];
  GlobalSecondaryIndexes?: { IndexName: string; KeySchema: unknown; Projection: unknown }[];
  LocalSecondaryIndexes?: { IndexName: string; KeySchema: unknown; Projection: unknown }[];
}

/** Creates missing tables. Throws a `LocalRunError` if a table exists with different keys or indexes. */
export async function ensureTables(specs: TableSpec[], call: DynamoDbCall): Promise<void> {
  for (const spec of specs) {
    const existing = await describe(spec.name, call);
    if (!existing) await create(spec, call);
    else if (shapeOf(existing) !== shapeOf(spec.properties))
      throw new LocalRunError(
        `table ${spec.name} in the data directory has different keys or indexes from the template; use another --data`,
      );
  }
}

async function create({ name, properties }: TableSpec, call: DynamoDbCall): Promise<void> {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes } = properties;
  const index = ({
    IndexName,
    KeySchema,
    Projection,
  }: NonNullable<typeof GlobalSecondaryIndexes>[number]) => ({
    IndexName,
    KeySchema,
    Projection,
  });
  await call('CreateTable', {
    TableName: name,
    AttributeDefinitions,
    KeySchema,
    BillingMode: 'PAY_PER_REQUEST',
    ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(index) }),
    ...(LocalSecondaryIndexes && { LocalSecondaryIndexes: LocalSecondaryIndexes.map(index) }),
  });
  for (let left = 200; left > 0; left--) {
    if ((await describe(name, call))?.TableStatus === 'ACTIVE') return;
    await sleep(10);
  }
  throw new LocalRunError(`table ${name} did not become active`);
}

async function describe(TableName: string, call: DynamoDbCall): Promise<TableDescription | undefined> {
  try {
    return (await call('DescribeTable', { TableName })).Table as TableDescription;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

/** Keys and indexes as a string that can be compared. */
function shapeOf(table: Omit<TableDescription, 'TableStatus'>): string {
  const indexes = (list: TableDescription['GlobalSecondaryIndexes'] = []) =>
    list
      .map(({ IndexName, KeySchema, Projection }) => JSON.stringify([IndexName, KeySchema, Projection]))
      .sort();
  const attributes = table.AttributeDefinitions.map((definition) => JSON.stringify(definition)).sort();
  return JSON.stringify([
    table.KeySchema,
    attributes,
    indexes(table.GlobalSecondaryIndexes),
    indexes(table.LocalSecondaryIndexes),
  ]);
}
