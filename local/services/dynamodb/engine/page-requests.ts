import { type Condition, meets, operandIn } from './conditions';
import { type Database, type Input, type Output, spell, tableOf } from './database';
import { invalid } from './errors';
import type { MemoryTable } from './memory-table';
import { type Item, nameOf } from './paths';
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

/**
 * The rows of a key condition, in order, after the row of the start key, which may be gone. A condition is
 * `partition = :x`, alone or with one on the sort key. As DynamoDB does, it rejects a start key outside of
 * the range, and a range whose bounds are swapped.
 */
function* queryRange(rows: Rows, plan: Plan, start: Item | undefined, forward: boolean): Generator<Stored> {
  const { partition, bound } = split(rows, plan);
  if (start && (start[rows.key.partition] !== partition || (bound && !meets(bound, start, plan.bindings)))) {
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  }
  const startAt = start && rows.positionOf(start);
  const range = forward
    ? rows.ascending(partition, startAt ?? lowestOf(bound, plan))
    : rows.descending(partition, startAt ?? highestOf(bound, plan));
  let entered = false;
  for (const [position, stored] of range) {
    if (position === startAt) continue;
    if (!bound || meets(bound, stored.item, plan.bindings)) {
      entered = true;
      yield stored;
    } else if (entered || start) {
      return; // a range of sort keys has no gaps
    }
  }
}

function split({ key }: Rows, plan: Plan): { partition: string; bound?: Condition } {
  if (!plan.keyCondition) throw invalid('KeyConditionExpression must be given');
  const parts = plan.keyCondition.kind === 'and' ? plan.keyCondition.parts : [plan.keyCondition];
  if (parts.length > 2) throw invalid('KeyConditionExpressions must only contain one condition per key');
  const isPartition = (part: Condition) => keyNameIn(part, plan) === key.partition;
  const first = parts.find(isPartition);
  const bound = parts.find((part) => !isPartition(part));
  if (first?.kind !== 'compare' || first.comparator !== '=')
    throw invalid('Query condition missed key schema element');
  if (bound && keyNameIn(bound, plan) !== key.sort) throw invalid('Query key condition not supported');
  if (bound?.kind === 'between' && valueIn(bound.low, plan) > valueIn(bound.high, plan)) {
    throw invalid('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
  }
  return { partition: valueIn(first.right, plan), bound };
}

function keyNameIn(part: Condition, { bindings }: Plan): string | number | undefined {
  const operand =
    part.kind === 'compare'
      ? part.left
      : part.kind === 'between'
        ? part.value
        : part.kind === 'begins-with'
          ? part
          : undefined;
  return operand && 'path' in operand ? nameOf(operand.path[0]!, bindings) : undefined;
}

const valueIn = (operand: Parameters<typeof operandIn>[0], { bindings }: Plan): string =>
  operandIn(operand, {}, bindings) as string;

/** Where to begin: no row that the bound allows lies below. */
function lowestOf(bound: Condition | undefined, plan: Plan): string {
  if (bound?.kind === 'between') return valueIn(bound.low, plan);
  if (bound?.kind === 'begins-with') return valueIn(bound.operand, plan);
  if (bound?.kind === 'compare' && bound.comparator !== '<' && bound.comparator !== '<=')
    return valueIn(bound.right, plan);
  return '';
}

const LAST_CHARACTER = '\uffff';
/** Sorts after each position that begins with a sort key and goes on as that of an index does. */
const AFTER_POSITIONS = `\0${LAST_CHARACTER}`;

/** Where to begin backwards: no row that the bound allows lies above; undefined where that is not known. */
function highestOf(bound: Condition | undefined, plan: Plan): string | undefined {
  if (bound?.kind === 'between') return valueIn(bound.high, plan) + AFTER_POSITIONS;
  if (bound?.kind === 'compare' && bound.comparator !== '>' && bound.comparator !== '>=')
    return valueIn(bound.right, plan) + AFTER_POSITIONS;
  if (bound?.kind === 'begins-with') return valueIn(bound.operand, plan) + LAST_CHARACTER;
  return undefined;
}
