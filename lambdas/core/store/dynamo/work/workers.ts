import { GetCommand, UpdateCommand } from '../commands';

import { SCHEDULE_KEY, TTL_ATTRIBUTE } from '../../../contracts/tables';
import { workersKeyOf, type WorkQueueRef } from '../../../contracts/work-keys';
import type { TableAccess } from '../access';
import { namesIn } from '../expressions';
import { queryRows } from '../query-rows';

const { partition, sort } = SCHEDULE_KEY;
const ofQueue = `#${partition} = :queue`;
const seenSince = '#seenAtMs >= :sinceMs';
const seeing = `SET #seenAtMs = :nowMs, #${TTL_ATTRIBUTE} = :expiresAtSec`;

/** Cost: half a read unit, and 1 write unit if the worker was not noted since. */
export async function noteWorker(
  access: TableAccess,
  queue: WorkQueueRef,
  worker: string,
  { nowMs, unlessSinceMs, expiresAtSec }: { nowMs: number; unlessSinceMs: number; expiresAtSec: number },
): Promise<void> {
  const key = { [partition]: workersKeyOf(queue), [sort]: worker };
  const { Item } = await access.documents.send(new GetCommand({ TableName: access.table, Key: key }));
  if (Item && (Item.seenAtMs as number) >= unlessSinceMs) return;
  await access.documents.send(
    new UpdateCommand({
      TableName: access.table,
      Key: key,
      UpdateExpression: seeing,
      ExpressionAttributeNames: namesIn(seeing),
      ExpressionAttributeValues: { ':nowMs': nowMs, ':expiresAtSec': expiresAtSec },
    }),
  );
}

/** Cost: half a read unit each 4 KB. */
export async function workersSince(
  access: TableAccess,
  queue: WorkQueueRef,
  sinceMs: number,
  limit: number,
): Promise<{ worker: string; seenAtMs: number }[]> {
  const { rows } = await queryRows(access, {
    condition: ofQueue,
    filter: seenSince,
    values: { ':queue': workersKeyOf(queue), ':sinceMs': sinceMs },
    consistent: false,
  });
  return rows
    .slice(0, limit)
    .map((row) => ({ worker: row[sort] as string, seenAtMs: row.seenAtMs as number }));
}
