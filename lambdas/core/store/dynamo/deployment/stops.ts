import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';

import { compactInstant, SCHEDULE_KEY, STOPS_KEY } from '../../../contracts/tables';
import type { PastStop } from '../../schedule-store';
import type { Row, TableAccess } from '../access';
import { namesIn } from '../expressions';

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
  const { Items } = await access.documents.send(
    new QueryCommand({
      TableName: access.table,
      KeyConditionExpression: ofStops,
      ExpressionAttributeNames: namesIn(ofStops),
      ExpressionAttributeValues: { ':stops': STOPS_KEY },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
    }),
  );
  return (Items ?? []).map((row) => ({
    sinceMs: Number(row.sinceMs),
    by: String(row.by),
    ...(row.reason !== undefined && { reason: String(row.reason) }),
    ...(row.startedAtMs !== undefined && { startedAtMs: Number(row.startedAtMs) }),
    ...(row.startedBy !== undefined && { startedBy: String(row.startedBy) }),
  }));
}
