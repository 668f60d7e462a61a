import { GetCommand } from '@aws-sdk/lib-dynamodb';

import { EXECUTIONS_KEY } from '../../../contracts/tables';
import type { Execution } from '../../../domain/execution';
import { executionMapKey, type ExecutionRef, type ExecutionStatusRow } from '../../execution-store';
import type { Row, TableAccess } from '../access';
import { batchGet } from '../batch-get';
import { executionOf, executionRowKey, refOfRow } from './execution-row';

/** Consistent. Cost: 1 read unit each 4 KB. */
export async function readRow(access: TableAccess, ref: ExecutionRef): Promise<Row | undefined> {
  const { Item } = await access.documents.send(
    new GetCommand({ TableName: access.table, Key: executionRowKey(ref), ConsistentRead: true }),
  );
  return Item;
}

/** Consistent. Cost: 1 read unit each 4 KB. */
export async function readExecution(access: TableAccess, ref: ExecutionRef): Promise<Execution | undefined> {
  const row = await readRow(access, ref);
  return row && executionOf(row);
}

/**
 * A hundred a call. Cost: a read unit for each key and 4 KB, half where not consistent.
 */
export async function readManyExecutions(
  access: TableAccess,
  refs: readonly ExecutionRef[],
  options: { consistent: boolean },
): Promise<{ executions: Map<string, Execution>; unread: Set<string>; unreadable: Set<string> }> {
  const answer = await batchGet(access, distinctKeys(refs), options);
  const unread = new Set(answer.unread.map(mapKeyOf));
  const unreadable = new Set<string>();
  const executions = new Map<string, Execution>();
  for (const row of answer.rows) {
    try {
      executions.set(mapKeyOf(row), executionOf(row));
    } catch {
      unreadable.add(mapKeyOf(row));
    }
  }
  return { executions, unread, unreadable };
}

/** Cost: half a read unit for each key and 4 KB of its row. */
export async function readStatuses(
  access: TableAccess,
  refs: readonly ExecutionRef[],
): Promise<Map<string, ExecutionStatusRow>> {
  const { rows } = await batchGet(access, distinctKeys(refs), {
    consistent: false,
    attributes: [EXECUTIONS_KEY.partition, EXECUTIONS_KEY.sort, ...STATUS_ATTRIBUTES],
    gently: true,
  });
  return new Map(
    rows.map((row) => [
      mapKeyOf(row),
      Object.fromEntries(STATUS_ATTRIBUTES.map((name) => [name, row[name]])) as unknown as ExecutionStatusRow,
    ]),
  );
}

const STATUS_ATTRIBUTES = [
  'status',
  'fence',
  'finishedAtMs',
  'orderingKey',
  'blocksKey',
  'occupiesJob',
  'reason',
  'skipped',
] as const satisfies readonly (keyof ExecutionStatusRow)[];

const distinctKeys = (refs: readonly ExecutionRef[]): Row[] => [
  ...new Map(refs.map((ref) => [executionMapKey(ref), executionRowKey(ref)])).values(),
];

const mapKeyOf = (row: Row): string => executionMapKey(refOfRow(row));
