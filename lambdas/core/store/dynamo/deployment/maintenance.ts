import { PutCommand } from '@aws-sdk/lib-dynamodb';

import { CONTROL_SORT, SCHEDULE_KEY, STOP_KEY } from '../../../contracts/tables';
import type { Stop } from '../../schedule-store';
import type { Row, TableAccess } from '../access';
import { readControlRow } from './control-row';

const stopKey: Row = { [SCHEDULE_KEY.partition]: STOP_KEY, [SCHEDULE_KEY.sort]: CONTROL_SORT };

/** Consistent. Cost: 1 read unit. */
export async function readStop(access: TableAccess): Promise<Stop | undefined> {
  const row = await readControlRow(access, stopKey);
  if (typeof row?.sinceMs !== 'number') return undefined;
  return { sinceMs: row.sinceMs, by: String(row.by) };
}

/** No condition: of two operators, the later one is right. Cost: 1 write unit. */
export async function writeStop(access: TableAccess, stop: Stop | undefined): Promise<void> {
  await access.documents.send(new PutCommand({ TableName: access.table, Item: { ...stopKey, ...stop } }));
}
