import { meets } from './conditions';
import { type Database, type Input, keyIn, type Output, spell, tableOf } from './database';
import { invalid, Refusal, Unsupported } from './errors';
import type { MemoryTable } from './memory-table';
import type { Item } from './paths';
import { type Plan, planOf } from './requests';
import type { Stored } from './rows';
import { updated } from './updates';

export function get(database: Database, input: Input): Output {
  const table = tableOf(database, input, ['Key', 'ConsistentRead', 'ProjectionExpression']);
  const stored = table.get(...keyIn(database, table, input.Key as Item));
  database.usage.read(table.name, stored?.bytes ?? 0, input.ConsistentRead === true);
  const plan = planOf(input, database.notation);
  return { Item: stored && spell(stored.item, database.notation, plan) };
}

export function put(database: Database, input: Input): Output {
  const table = tableOf(database, input, [
    'Item',
    'ConditionExpression',
    'ReturnValues',
    'ReturnValuesOnConditionCheckFailure',
  ]);
  if (input.ReturnValues !== undefined) throw new Unsupported('ReturnValues of a put is not supported');
  const item = database.notation.itemIn(input.Item as Item);
  const before = table.get(...table.keyOf(item));
  check(database, table, before, planOf(input, database.notation), input);
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
  const plan = planOf(input, database.notation);
  const key = keyIn(database, table, input.Key as Item);
  const before = table.get(...key);
  check(database, table, before, plan, input);
  const row = before?.item ?? { [table.key.partition]: key[0], [table.key.sort]: key[1] };
  const item = plan.update ? change(table, before?.item ?? {}, row, plan) : row;
  written(database, table, before, table.put(item));
  if (input.ReturnValues === 'ALL_NEW') return { Attributes: spell(item, database.notation) };
  if (input.ReturnValues === 'ALL_OLD')
    return { Attributes: before && spell(before.item, database.notation) };
  if (input.ReturnValues !== undefined) throw new Unsupported('only ALL_NEW and ALL_OLD are supported');
  return {};
}

export function remove(database: Database, input: Input): Output {
  const table = tableOf(database, input, [
    'Key',
    'ConditionExpression',
    'ReturnValuesOnConditionCheckFailure',
  ]);
  const key = keyIn(database, table, input.Key as Item);
  const before = table.get(...key);
  check(database, table, before, planOf(input, database.notation), input);
  table.delete(...key);
  written(database, table, before, undefined);
  return {};
}

/** A write costs by the larger of the row before and after, and as much again in each index that has it. */
function written(database: Database, table: MemoryTable, before?: Stored, after?: Stored): void {
  database.usage.write(table.name, Math.max(before?.bytes ?? 0, after?.bytes ?? 0));
  for (const bytes of table.indexWrites(before, after)) database.usage.write(table.name, bytes);
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
  const message = 'The conditional request failed';
  throw new Refusal('ConditionalCheckFailedException', message, returnsRow ? before?.item : undefined);
}

function change(table: MemoryTable, before: Item, row: Item, plan: Plan): Item {
  const { partition, sort } = table.key;
  const after = updated(plan.update!, before, row, plan.bindings);
  if (after[partition] !== row[partition] || after[sort] !== row[sort]) {
    throw invalid('Cannot update attribute. This attribute is part of the key');
  }
  return after;
}
