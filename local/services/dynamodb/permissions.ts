import type { Permission } from '../aws-call';

interface Account {
  region: string;
  accountId: string;
}

/** The attribute of a table's partition key; undefined for a table that is not of the stack. */
type PartitionOf = (tableName: string) => string | undefined;

/**
 * Operations on a single table. Each needs the IAM action of its name. Reads of an index need it for the
 * index.
 */
const ON_A_TABLE: ReadonlySet<string> = new Set([
  'DeleteItem',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
]);
const ON_TABLES: ReadonlySet<string> = new Set(['BatchGetItem', 'BatchWriteItem']);
/** Parts of a transaction and the IAM action that each needs. */
const PARTS: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

type KeyValues = Record<string, { S?: string }>;

/** What of a request tells the permissions that it needs. */
export interface PermissionInput {
  TableName?: string;
  IndexName?: string;
  Key?: KeyValues;
  Item?: KeyValues;
  RequestItems?: Record<string, unknown>;
  TransactItems?: Record<string, { TableName: string }>[];
}

/** Permissions that a DynamoDB call needs; none for an operation that is not listed above. */
export function dynamoDbPermissions(
  action: string,
  input: PermissionInput,
  account: Account,
  partitionOf: PartitionOf,
): Permission[] {
  const on = (table: string, name: string, index?: string): Permission => ({
    action: `dynamodb:${name}`,
    resource: tableArn(table, account) + (index === undefined ? '' : `/index/${index}`),
  });
  if (ON_A_TABLE.has(action))
    return input.TableName
      ? [{ ...on(input.TableName, action, input.IndexName), ...leadingKey(input, partitionOf) }]
      : [];
  if (ON_TABLES.has(action)) return Object.keys(input.RequestItems ?? {}).map((table) => on(table, action));
  if (action === 'TransactGetItems' || action === 'TransactWriteItems')
    return (input.TransactItems ?? []).flatMap((item) =>
      Object.entries(item).map(([part, { TableName }]) => on(TableName, PARTS[part] ?? part)),
    );
  return [];
}

/**
 * The condition key of a call that names one row. Other calls have none here, so a grant with this condition
 * does not cover them.
 */
function leadingKey(
  { TableName = '', Key, Item }: PermissionInput,
  partitionOf: PartitionOf,
): Pick<Permission, 'context'> {
  const value = (Key ?? Item)?.[partitionOf(TableName) ?? '']?.S;
  return value === undefined ? {} : { context: { 'dynamodb:leadingkeys': value } };
}

/** A request names a table by its name or its ARN. */
const tableArn = (table: string, { region, accountId }: Account): string =>
  table.startsWith('arn:') ? table : `arn:aws:dynamodb:${region}:${accountId}:table/${table}`;
