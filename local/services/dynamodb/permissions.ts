import type { Permission } from '../aws-call';

interface Account {
  region: string;
  accountId: string;
}

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

interface Input {
  TableName?: string;
  IndexName?: string;
  RequestItems?: Record<string, unknown>;
  TransactItems?: Record<string, { TableName: string }>[];
}

/** Permissions that a DynamoDB call needs; none for an operation that is not listed above. */
export function dynamoDbPermissions(action: string, body: string, account: Account): Permission[] {
  const input = JSON.parse(body) as Input;
  const on = (table: string, name: string, index?: string): Permission => ({
    action: `dynamodb:${name}`,
    resource: tableArn(table, account) + (index === undefined ? '' : `/index/${index}`),
  });
  if (ON_A_TABLE.has(action)) return input.TableName ? [on(input.TableName, action, input.IndexName)] : [];
  if (ON_TABLES.has(action)) return Object.keys(input.RequestItems ?? {}).map((table) => on(table, action));
  if (action === 'TransactGetItems' || action === 'TransactWriteItems')
    return (input.TransactItems ?? []).flatMap((item) =>
      Object.entries(item).map(([part, { TableName }]) => on(TableName, PARTS[part] ?? part)),
    );
  return [];
}

/** A request names a table by its name or its ARN. */
const tableArn = (table: string, { region, accountId }: Account): string =>
  table.startsWith('arn:') ? table : `arn:aws:dynamodb:${region}:${accountId}:table/${table}`;
