import type { Permission } from '../aws-call';

interface Place {
  region: string;
  accountId: string;
}

/** What IAM wants for each operation on a table: an action of its own name. Reads of an index name the index. */
const ON_A_TABLE: ReadonlySet<string> = new Set([
  'DeleteItem',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
]);
const ON_TABLES: ReadonlySet<string> = new Set(['BatchGetItem', 'BatchWriteItem']);
/** Transactions are allowed by the actions of their parts. */
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

/** What a call of DynamoDB must be allowed; nothing for operations that are not known here. */
export function dynamoDbPermissions(action: string, body: string, place: Place): Permission[] {
  const input = JSON.parse(body) as Input;
  const on = (table: string, name: string, index?: string): Permission => ({
    action: `dynamodb:${name}`,
    resource: tableArn(table, place) + (index === undefined ? '' : `/index/${index}`),
  });
  if (ON_A_TABLE.has(action)) return input.TableName ? [on(input.TableName, action, input.IndexName)] : [];
  if (ON_TABLES.has(action)) return Object.keys(input.RequestItems ?? {}).map((table) => on(table, action));
  if (action === 'TransactGetItems' || action === 'TransactWriteItems')
    return (input.TransactItems ?? []).flatMap((item) =>
      Object.entries(item).map(([part, { TableName }]) => on(TableName, PARTS[part] ?? part)),
    );
  return [];
}

/** A table may be named by its ARN too. */
const tableArn = (table: string, { region, accountId }: Place): string =>
  table.startsWith('arn:') ? table : `arn:aws:dynamodb:${region}:${accountId}:table/${table}`;
