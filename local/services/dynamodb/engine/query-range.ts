import { type Condition, meets, operandIn } from './conditions';
import { invalid } from './errors';
import { type Item, nameOf } from './paths';
import type { Plan } from './requests';
import type { Rows, Stored } from './rows';

/**
 * The rows of a key condition, in order, after the row of the start key, which may be gone. A condition is
 * `partition = :x`, alone or with one on the sort key. As DynamoDB does, it rejects a start key outside of
 * the range, and a range whose bounds are swapped.
 */
export function* queryRange(
  rows: Rows,
  plan: Plan,
  start: Item | undefined,
  forward: boolean,
): Generator<Stored> {
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
