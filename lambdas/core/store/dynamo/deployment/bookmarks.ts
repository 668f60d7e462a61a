import { PutCommand } from '../commands';

import { bookmarkKeyOf, CONTROL_SORT, SCHEDULE_KEY } from '../../../contracts/tables';
import type { Row, TableAccess } from '../access';
import { readRow } from '../read-row';

const bookmarkKey = (name: string): Row => ({
  [SCHEDULE_KEY.partition]: bookmarkKeyOf(name),
  [SCHEDULE_KEY.sort]: CONTROL_SORT,
});

/** Consistent. Cost: 1 read unit. */
export async function readBookmark(access: TableAccess, name: string): Promise<string | undefined> {
  const row = await readRow(access, bookmarkKey(name));
  return row?.position as string | undefined;
}

/** No condition: if two passes race, one repeats work of the other. Cost: 1 write unit. */
export async function writeBookmark(
  access: TableAccess,
  name: string,
  position: string | undefined,
): Promise<void> {
  const row: Row = { ...bookmarkKey(name), ...(position !== undefined && { position }) };
  await access.documents.send(new PutCommand({ TableName: access.table, Item: row }));
}
