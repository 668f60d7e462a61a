import { EXECUTIONS_KEY } from '../../../contracts/tables';
import type { Execution } from '../../../domain/execution';
import { executionMapKey, type ExecutionRef, type ExecutionStatusRow } from '../../execution-store';
import type { TableAccess } from '../access';
import { type ItemMapping, readItems } from '../batch-get';
import type { RefusedWrite } from '../conditional-write';
import { readRow } from '../read-row';
import { executionOf, executionRowKey, refOfRow } from './execution-row';

/** Consistent. Cost: 1 read unit each 4 KB. */
export async function readExecution(access: TableAccess, ref: ExecutionRef): Promise<Execution | undefined> {
  const row = await readRow(access, executionRowKey(ref));
  return row && executionOf(row);
}

/** The execution after a refused write: as DynamoDB returned it, else by a consistent read. */
export async function currentExecution(
  access: TableAccess,
  ref: ExecutionRef,
  { current }: RefusedWrite,
): Promise<Execution | undefined> {
  return current ? executionOf(current) : readExecution(access, ref);
}

/** A hundred a call. Cost: 1 read unit for each key and 4 KB, half of that if not consistent. */
export async function readManyExecutions(
  access: TableAccess,
  refs: readonly ExecutionRef[],
  options: { consistent: boolean },
): Promise<{ executions: Map<string, Execution>; unread: Set<string>; unreadable: Set<string> }> {
  const { items: executions, ...rest } = await readItems(access, refs, mappingTo(executionOf), options);
  return { executions, ...rest };
}

/** Cost: half a read unit for each key and 4 KB of its row. */
export async function readStatuses(
  access: TableAccess,
  refs: readonly ExecutionRef[],
): Promise<Map<string, ExecutionStatusRow>> {
  const { items } = await readItems(
    access,
    refs,
    mappingTo((row) => {
      const attributes = STATUS_ATTRIBUTES.map((name) => [name, row[name]]);
      return Object.fromEntries(attributes) as unknown as ExecutionStatusRow;
    }),
    {
      consistent: false,
      attributes: [EXECUTIONS_KEY.partition, EXECUTIONS_KEY.sort, ...STATUS_ATTRIBUTES],
      inBackground: true,
    },
  );
  return items;
}

const STATUS_ATTRIBUTES = [
  'status',
  'fence',
  'finishedAtMs',
  'orderingKey',
  'blocksKey',
  'occupiesJob',
  'awaited',
  'watched',
  'concurrencyKey',
  'reason',
  'skipped',
  'userRetries',
  'revision',
  'parent',
] as const satisfies readonly (keyof ExecutionStatusRow)[];

const mappingTo = <Item>(
  itemOf: ItemMapping<ExecutionRef, Item>['itemOf'],
): ItemMapping<ExecutionRef, Item> => ({
  idOf: executionMapKey,
  keyOf: executionRowKey,
  refOf: refOfRow,
  itemOf,
});
