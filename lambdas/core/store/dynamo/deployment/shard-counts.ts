import { CONTROL_SORT, SCHEDULE_KEY, SHARDS_KEY } from '../../../contracts/tables';
import type { ShardCounts } from '../../schedule-store';
import type { Row, TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { anyOf, updateOf } from '../expressions';
import { readRow } from '../read-row';

const shardsKey: Row = { [SCHEDULE_KEY.partition]: SHARDS_KEY, [SCHEDULE_KEY.sort]: CONTROL_SORT };

const isUnset = 'attribute_not_exists(#count)';
const isLower = '#count < :count';

/** Consistent. Cost: 1 read unit. */
export async function readShards(access: TableAccess): Promise<ShardCounts> {
  const row = await readRow(access, shardsKey);
  return row ? { count: row.count as number, history: row.history as number[] } : { count: 0, history: [] };
}

/**
 * Condition: the active count is lower. Cost: 1 write unit. Lost race: another process raised it as far or
 * further.
 */
export async function raiseShardCount(access: TableAccess, count: number): Promise<void> {
  if (!Number.isInteger(count) || count < 1)
    throw new Error(`shard count is ${count}, must be a whole number from 1`);
  await conditionalUpdate(access, {
    Key: shardsKey,
    ConditionExpression: anyOf(isUnset, isLower),
    UpdateExpression: updateOf({
      set: ['#count = :count', '#history = list_append(if_not_exists(#history, :none), :raised)'],
    }),
    ExpressionAttributeValues: { ':count': count, ':none': [], ':raised': [count] },
  });
}
