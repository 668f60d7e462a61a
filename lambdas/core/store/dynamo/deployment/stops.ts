import { PutCommand } from '../commands';

import { compactInstant, SCHEDULE_KEY, STOPS_KEY } from '../../../contracts/tables';
import type { PastStop } from '../../schedule-store';
import type { Row, TableAccess } from '../access';
import { queryRows } from '../query-rows';

const ofStops = `#${SCHEDULE_KEY.partition} = :stops`;

/** Key: the stop's, by its time. No condition: it is written by the operators alone. Cost: 1 write unit. */
export async function putStop(access: TableAccess, stop: PastStop): Promise<void> {
  const key: Row = {
    [SCHEDULE_KEY.partition]: STOPS_KEY,
    [SCHEDULE_KEY.sort]: compactInstant(stop.sinceMs),
  };
  await access.documents.send(new PutCommand({ TableName: access.table, Item: { ...key, ...stop } }));
}

/** The newest first. Consistent. Cost: 1 read unit each 4 KB. */
export async function listStops(access: TableAccess, limit: number): Promise<PastStop[]> {
  const values = { ':stops': STOPS_KEY };
  const { rows } = await queryRows(access, { condition: ofStops, values, limit, backwards: true });
  return rows.map((row) => ({
    sinceMs: Number(row.sinceMs),
    by: String(row.by),
    ...(row.reason !== undefined && { reason: row.reason as string }),
    ...(row.startedAtMs !== undefined && { startedAtMs: Number(row.startedAtMs) }),
    ...(row.startedBy !== undefined && { startedBy: row.startedBy as string }),
  }));
}
