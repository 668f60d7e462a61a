import { DeleteCommand } from '../commands';

import { SCHEDULE_KEY } from '../../../contracts/tables';
import { type Entry, entryBucketKey, entrySortKey } from '../../../domain/entry';
import type { TableAccess } from '../access';

/** Key: the entry's own. No condition, and no race to lose. Cost: 1 write unit. */
export async function removeEntry(access: TableAccess, entry: Entry): Promise<void> {
  const Key = {
    [SCHEDULE_KEY.partition]: entryBucketKey(entry),
    [SCHEDULE_KEY.sort]: entrySortKey(entry),
  };
  await access.documents.send(new DeleteCommand({ TableName: access.table, Key }));
}
