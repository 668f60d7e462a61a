import { meets } from './conditions';
import { type Database, type Input, keyIn, type Output, project, tableOf } from './database';
import { conditionFailed, invalid } from './errors';
import type { MemoryTable, Stored } from './memory-table';
import type { Item } from './paths';
import { type Plan, planOf } from './requests';
import { updated } from './updates';
import { copyItemIn, copyOut } from './values';

export function get(database: Database, input: Input): Output {
  const table = tableOf(database, input, ['Key', 'ConsistentRead', 'ProjectionExpression']);
  const stored = table.get(...keyIn(table, input.Key as Item));
  database.usage.read(table.name, stored?.bytes ?? 0, input.ConsistentRead === true);
  return { Item: stored && project(stored.item, planOf(input)) };
}

export function put(database: Database, input: Input): Output {
  const table = tableOf(database, input, [
    'Item',
    'ConditionExpression',
    'ReturnValues',
    'ReturnValuesOnConditionCheckFailure',
  ]);
  if (input.ReturnValues !== undefined) throw new Error('ReturnValues of a put is not supported');
  const item = copyItemIn(input.Item as Item);
  const before = table.get(...table.keyOf(item));
  check(database, table, before, planOf(input), input);
  written(database, table, before, table.put(item));
  return {};
}

export function update(database: Database, input: Input): Output {
  const table = tableOf(database, input, [
    'Key',
    'UpdateExpression',
    'ConditionExpression',
    'ReturnValues',
    'ReturnValuesOnConditionCheckFailure',
  ]);
  const plan = planOf(input);
  const key = keyIn(table, input.Key as Item);
  const before = table.get(...key);
  check(database, table, before, plan, input);
  const row = before?.item ?? { [table.key.partition]: key[0], [table.key.sort]: key[1] };
  const item = plan.update ? change(table, before?.item ?? {}, row, plan) : row;
  written(database, table, before, table.put(item));
  if (input.ReturnValues === 'ALL_NEW') return { Attributes: copyOut(item) };
  if (input.ReturnValues === 'ALL_OLD') return { Attributes: before && copyOut(before.item) };
  if (input.ReturnValues !== undefined) throw new Error('only ALL_NEW and ALL_OLD are supported');
  return {};
}

export function remove(database: Database, input: Input): Output {
  const table = tableOf(database, input, [
    'Key',
    'ConditionExpression',
    'ReturnValuesOnConditionCheckFailure',
  ]);
  const key = keyIn(table, input.Key as Item);
  const before = table.get(...key);
  check(database, table, before, planOf(input), input);
  table.delete(...key);
  written(database, table, before, undefined);
  return {};
}

/** A write costs by the larger of the row before and after, and as much again in each index that has it. */
function written(database: Database, table: MemoryTable, before?: Stored, after?: Stored): void {
  database.usage.write(table.name, Math.max(before?.bytes ?? 0, after?.bytes ?? 0));
  for (const bytes of table.indexWrites(before?.item, after?.item)) database.usage.write(table.name, bytes);
}

/** A failed condition costs as much as the write to the row that is there. */
function check(
  database: Database,
  table: MemoryTable,
  before: Stored | undefined,
  plan: Plan,
  input: Input,
): void {
  if (!plan.condition || meets(plan.condition, before?.item ?? {}, plan.bindings)) return;
  database.usage.write(table.name, before?.bytes ?? 0);
  const returnsRow = database.allOld && input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  throw conditionFailed(returnsRow ? before?.item : undefined);
}

function change(table: MemoryTable, before: Item, row: Item, plan: Plan): Item {
  const { partition, sort } = table.key;
  const after = updated(plan.update!, before, row, plan.bindings);
  if (after[partition] !== row[partition] || after[sort] !== row[sort]) {
    throw invalid('Cannot update attribute. This attribute is part of the key');
  }
  return after;
}
