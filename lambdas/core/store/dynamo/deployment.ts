import {
  bookmarkKeyOf,
  compactInstant,
  CONTROL_SORT,
  MAINTENANCE_KEY,
  SCHEDULE_KEY,
  SHARDS_KEY,
  STOPS_KEY,
} from '../../contracts/tables';
import type { MaintenanceStop, PastStop, ShardCounts } from '../schedule-store';
import type { Row, TableAccess } from './access';
import { PutCommand } from './commands';
import { conditionalUpdate } from './conditional-write';
import { anyOf, updateOf } from './expressions';
import { queryRows } from './query-rows';
import { readRow } from './read-row';

const shardsKey: Row = { [SCHEDULE_KEY.partition]: SHARDS_KEY, [SCHEDULE_KEY.sort]: CONTROL_SORT };

const isUnset = 'attribute_not_exists(#count)';
const isLower = '#count < :count';
const isSame = '#count = :count';

/** Consistent. Cost: 1 read unit. */
export async function readShards(access: TableAccess): Promise<ShardCounts> {
  const row = await readRow(access, shardsKey);
  if (!row) return { count: 0, history: [] };
  const { count = 0, history = [], sweepsRequestedThroughMs } = row;
  return {
    count,
    history,
    ...(sweepsRequestedThroughMs !== undefined && { sweepsRequestedThroughMs }),
  } as ShardCounts;
}

/**
 * Condition: the active count is lower. Cost: 1 write unit. Lost race: another process raised it as far or
 * further. The new shards have no requested sweeps, so the record of those is removed.
 */
export async function raiseShardCount(access: TableAccess, count: number): Promise<void> {
  if (!Number.isInteger(count) || count < 1)
    throw new Error(`shard count is ${count}, must be a whole number from 1`);
  await conditionalUpdate(access, {
    Key: shardsKey,
    ConditionExpression: anyOf(isUnset, isLower),
    UpdateExpression: updateOf({
      set: ['#count = :count', '#history = list_append(if_not_exists(#history, :none), :raised)'],
      remove: ['sweepsRequestedThroughMs'],
    }),
    ExpressionAttributeValues: { ':count': count, ':none': [], ':raised': [count] },
  });
}

/**
 * Condition: the active count is `count`. Cost: 1 write unit. Lost race: the count was raised; nothing is
 * recorded.
 */
export async function recordSweepRequests(
  access: TableAccess,
  count: number,
  throughMs: number,
): Promise<void> {
  await conditionalUpdate(access, {
    Key: shardsKey,
    ConditionExpression: isSame,
    UpdateExpression: updateOf({ set: ['#sweepsRequestedThroughMs = :throughMs'] }),
    ExpressionAttributeValues: { ':count': count, ':throughMs': throughMs },
  });
}

const maintenanceKey: Row = { [SCHEDULE_KEY.partition]: MAINTENANCE_KEY, [SCHEDULE_KEY.sort]: CONTROL_SORT };

/** Consistent. Cost: 1 read unit. */
export async function readMaintenance(access: TableAccess): Promise<MaintenanceStop | undefined> {
  const row = await readRow(access, maintenanceKey);
  if (typeof row?.sinceMs !== 'number') return undefined;
  const { sinceMs, by, reason } = row;
  return { sinceMs, by: String(by), ...(typeof reason === 'string' && { reason }) };
}

/** No condition: the later of two operators wins. Cost: 1 write unit. */
export async function writeMaintenance(
  access: TableAccess,
  stop: MaintenanceStop | undefined,
): Promise<void> {
  await access.documents.send(
    new PutCommand({ TableName: access.table, Item: { ...maintenanceKey, ...stop } }),
  );
}

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
