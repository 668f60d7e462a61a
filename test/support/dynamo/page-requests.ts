import { meets } from './conditions';
import { type Database, type Input, keyIn, type Output, project, tableOf } from './database';
import { invalid } from './errors';
import type { MemoryTable, Stored } from './memory-table';
import type { Item } from './paths';
import { queryRange } from './query-range';
import { type Plan, planOf } from './requests';

export function query(database: Database, input: Input): Output {
  const table = indexOf(
    input,
    tableOf(database, input, [
      'IndexName',
      'KeyConditionExpression',
      'FilterExpression',
      'ProjectionExpression',
      'ExclusiveStartKey',
      'ScanIndexForward',
      'Limit',
      'ConsistentRead',
    ]),
  );
  const plan = planOf(input);
  const start = input.ExclusiveStartKey && keyIn(table, input.ExclusiveStartKey as Item);
  const range = queryRange(
    table,
    plan,
    start as [string, string] | undefined,
    input.ScanIndexForward !== false,
  );
  return page(database, table, range, plan, input);
}

function indexOf({ IndexName, ConsistentRead, ExclusiveStartKey }: Input, table: MemoryTable): MemoryTable {
  if (IndexName === undefined) return table;
  if (ConsistentRead) throw invalid('Consistent reads are not supported on global secondary indexes');
  if (ExclusiveStartKey) throw new Error('a start key in an index is not supported');
  return table.index(IndexName as string);
}

export function scan(database: Database, input: Input): Output {
  const table = tableOf(database, input, [
    'FilterExpression',
    'ExclusiveStartKey',
    'Limit',
    'ConsistentRead',
  ]);
  const start = input.ExclusiveStartKey && keyIn(table, input.ExclusiveStartKey as Item);
  return page(database, table, table.all(start as [string, string] | undefined), planOf(input), input);
}

/** One page. It ends at the limit or at a number of bytes, and then names the last key that it read. */
function page(
  database: Database,
  table: MemoryTable,
  range: Iterable<Stored>,
  plan: Plan,
  input: Input,
): Output {
  const limit = (input.Limit as number | undefined) ?? Number.POSITIVE_INFINITY;
  if (limit < 1) throw invalid(`Limit is ${limit}, must be 1 or more`);
  const items: Item[] = [];
  let bytes = 0;
  let readRows = 0;
  let last: Item | undefined;
  for (const stored of range) {
    readRows += 1;
    bytes += stored.bytes;
    if (!plan.filter || meets(plan.filter, stored.item, plan.bindings))
      items.push(project(stored.item, plan));
    if (readRows >= limit || bytes >= database.pageBytes) {
      last = stored.item;
      break;
    }
  }
  database.usage.read(table.name, bytes, input.ConsistentRead === true);
  const { partition, sort } = table.key;
  const LastEvaluatedKey = last && { [partition]: last[partition], [sort]: last[sort] };
  return { Items: items, Count: items.length, ScannedCount: readRows, LastEvaluatedKey };
}
