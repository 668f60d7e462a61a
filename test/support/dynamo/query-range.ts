import { type Condition, meets, operandIn } from './conditions';
import { invalid } from './errors';
import type { MemoryTable, Stored } from './memory-table';
import { nameOf } from './paths';
import type { Plan } from './requests';

/**
 * The rows of a key condition, in order, after the start key. A condition is `partition = :x`, alone or with
 * one on the sort key. As DynamoDB does, it rejects a start key outside of the range, and a range whose
 * bounds are swapped.
 */
export function* queryRange(
  table: MemoryTable,
  plan: Plan,
  start: [string, string] | undefined,
  forward: boolean,
): Generator<Stored> {
  const { partition, bound } = split(table, plan);
  if (start && (start[0] !== partition || (bound && !meets(bound, startItem(table, start), plan.bindings)))) {
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  }
  const rows = forward
    ? table.ascending(partition, start?.[1] ?? lowestOf(bound, plan))
    : table.descending(partition, start?.[1] ?? highestOf(bound, plan));
  let entered = false;
  for (const stored of rows) {
    if (start && stored.item[table.key.sort] === start[1]) continue;
    if (!bound || meets(bound, stored.item, plan.bindings)) {
      entered = true;
      yield stored;
    } else if (entered || start) {
      return; // a range of sort keys has no gaps
    }
  }
}

function split(table: MemoryTable, plan: Plan): { partition: string; bound?: Condition } {
  if (!plan.keyCondition) throw invalid('KeyConditionExpression must be given');
  const parts = plan.keyCondition.kind === 'and' ? plan.keyCondition.parts : [plan.keyCondition];
  if (parts.length > 2) throw invalid('KeyConditionExpressions must only contain one condition per key');
  const isPartition = (part: Condition) => keyNameIn(part, plan) === table.key.partition;
  const first = parts.find(isPartition);
  const bound = parts.find((part) => !isPartition(part));
  if (first?.kind !== 'compare' || first.comparator !== '=')
    throw invalid('Query condition missed key schema element');
  if (bound && keyNameIn(bound, plan) !== table.key.sort) throw invalid('Query key condition not supported');
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

/** Where to begin backwards: no row that the bound allows lies above; undefined where that is not known. */
function highestOf(bound: Condition | undefined, plan: Plan): string | undefined {
  if (bound?.kind === 'between') return valueIn(bound.high, plan);
  if (bound?.kind === 'compare' && bound.comparator !== '>' && bound.comparator !== '>=')
    return valueIn(bound.right, plan);
  return undefined;
}

const startItem = (table: MemoryTable, [partition, sort]: [string, string]) => ({
  [table.key.partition]: partition,
  [table.key.sort]: sort,
});
