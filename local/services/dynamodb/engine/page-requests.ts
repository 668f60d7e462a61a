import { meets } from './conditions';
import { type Database, type Input, type Output, spell, tableOf } from './database';
import { invalid } from './errors';
import type { MemoryTable } from './memory-table';
import type { Item } from './paths';
import { queryRange } from './query-range';
import { type Plan, planOf } from './requests';
import type { Rows, Stored } from './rows';

export function query(database: Database, input: Input): Output {
  const rows = rowsOf(
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
  const plan = planOf(input, database.notation);
  const start = startIn(database, rows, input);
  return page(database, rows, queryRange(rows, plan, start, input.ScanIndexForward !== false), plan, input);
}

function rowsOf({ IndexName, ConsistentRead }: Input, table: MemoryTable): Rows {
  if (IndexName === undefined) return table;
  if (ConsistentRead) throw invalid('Consistent reads are not supported on global secondary indexes');
  return table.index(IndexName as string);
}

export function scan(database: Database, input: Input): Output {
  const table = tableOf(database, input, [
    'FilterExpression',
    'ProjectionExpression',
    'ExclusiveStartKey',
    'Limit',
    'ConsistentRead',
  ]);
  const start = startIn(database, table, input);
  const rows = table.all(start && table.keyOf(start));
  return page(database, table, rows, planOf(input, database.notation), input);
}

/** The key of the row after which a page begins. It names the keys of the table and of the index. */
function startIn({ notation }: Database, { startKey }: Rows, input: Input): Item | undefined {
  if (!input.ExclusiveStartKey) return undefined;
  const start = notation.itemIn(input.ExclusiveStartKey as Item);
  if (
    Object.keys(start).length !== startKey.length ||
    startKey.some((name) => typeof start[name] !== 'string')
  )
    throw invalid('The provided starting key is invalid');
  return start;
}

/** One page. It ends at the limit or at a number of bytes, and then names the last key that it read. */
function page(database: Database, rows: Rows, range: Iterable<Stored>, plan: Plan, input: Input): Output {
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
      items.push(spell(stored.item, database.notation, plan));
    if (readRows >= limit || bytes >= database.pageBytes) {
      last = stored.item;
      break;
    }
  }
  database.usage.read(rows.name, bytes, input.ConsistentRead === true);
  const LastEvaluatedKey = last && keyAfter(last, rows, database);
  return { Items: items, Count: items.length, ScannedCount: readRows, LastEvaluatedKey };
}

const keyAfter = (last: Item, { startKey }: Rows, { notation }: Database): Item =>
  Object.fromEntries(startKey.map((name) => [name, notation.valueOut(last[name])]));
