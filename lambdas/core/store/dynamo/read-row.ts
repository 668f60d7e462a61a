import { GetCommand } from './commands';

import type { Row, TableAccess } from './access';

/** One row by its key, undefined if it does not exist. Consistent. Cost: 1 read unit each 4 KB. */
export async function readRow(access: TableAccess, key: Row): Promise<Row | undefined> {
  const { Item } = await access.documents.send(
    new GetCommand({ TableName: access.table, Key: key, ConsistentRead: true }),
  );
  return Item;
}
