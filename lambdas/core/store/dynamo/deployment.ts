import { CONTROL_SORT, SCHEDULE_KEY, SHARDS_KEY } from '../../contracts/tables';
import type { ShardCounts } from '../schedule-store';
import type { Row, TableAccess } from './access';
import { conditionalUpdate } from './conditional-write';
import { anyOf, updateOf } from './expressions';
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
