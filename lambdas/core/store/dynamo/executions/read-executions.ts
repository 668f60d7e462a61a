import { DAY_MS } from '../../../clock/clock';
import {
  compactInstant,
  dayOf,
  EXECUTIONS_KEY,
  FAILURE_SLOTS,
  failurePartitionOf,
  FAILURES_INDEX,
  FAILURES_KEY,
  failureSortOf,
  jobRefOf,
  parseCompactInstant,
} from '../../../contracts/tables';
import type { Execution } from '../../../domain/execution';
import { shardOf } from '../../../domain/shard';
import type { ExecutionStatus } from '../../../domain/transitions';
import { isTaskExecution } from '../../../domain/workflow/task-id';
import { executionMapKey, type ExecutionRef, type ExecutionStatusRow } from '../../execution-store';
import type { FailuresPage } from '../../failures-page';
import type { Row, TableAccess } from '../access';
import { type ItemMapping, readItems } from '../batch-get';
import { QueryCommand } from '../commands';
import type { RefusedWrite } from '../conditional-write';
import { allOf, namesIn } from '../expressions';
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
  'dueAtMs',
  'status',
  'fence',
  'finishedAtMs',
  'orderingKey',
  'blocksKey',
  'occupiesJob',
  'awaited',
  'watched',
  'pace',
  'concurrencyKey',
  'reason',
  'skipped',
  'userRetries',
  'timesMoved',
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

const ofJob = '#jobId = :jobId';
const inRange = '#execId BETWEEN :fromExecId AND :toExecId';

/** Below and above every execId, which starts with a digit. */
const LOWEST_EXEC_ID = '0';
const HIGHEST_EXEC_ID = ':';

/**
 * Key: the job's partition, execIds in order. Consistent, so that no existing execution is taken for missing.
 * Cost: 1 read unit each 4 KB of the page.
 */
export async function listExecutions(
  access: TableAccess,
  jobKey: string,
  page: { order: 'asc' | 'desc'; after?: string; fromExecId?: string; toExecId?: string; limit: number },
): Promise<{ executions: Execution[]; nextAfter?: string }> {
  const ascending = page.order === 'asc';
  let from = page.fromExecId ?? LOWEST_EXEC_ID;
  let to = page.toExecId ?? HIGHEST_EXEC_ID;
  let after = page.after;
  // DynamoDB rejects a start key outside of the range, and an empty range.
  if (after !== undefined && ascending && after >= from) from = after;
  else if (after !== undefined && !ascending && after <= to) to = after;
  else after = undefined;
  if (from > to) return { executions: [] };

  const condition = allOf(ofJob, inRange);
  const answer = await access.documents.send(
    new QueryCommand({
      TableName: access.table,
      KeyConditionExpression: condition,
      ExpressionAttributeNames: namesIn(condition),
      ExpressionAttributeValues: { ':jobId': jobKey, ':fromExecId': from, ':toExecId': to },
      ExclusiveStartKey: after === undefined ? undefined : executionRowKey({ jobKey, execId: after }),
      ScanIndexForward: ascending,
      Limit: page.limit,
      ConsistentRead: true,
    }),
  );
  return {
    executions: (answer.Items ?? []).map(executionOf),
    nextAfter: answer.LastEvaluatedKey?.execId as string | undefined,
  };
}

/**
 * The attributes that put a row into the failures index. None for a status that is no failure, and none for a
 * task: its run is listed, once.
 */
export function failureKeyOf(ref: ExecutionRef, status: ExecutionStatus): Row {
  if ((status !== 'failed' && status !== 'skipped') || isTaskExecution(ref.execId)) return {};
  const { userId } = jobRefOf(ref.jobKey);
  const slot = shardOf(executionMapKey(ref), FAILURE_SLOTS);
  return {
    [FAILURES_KEY.partition]: failurePartitionOf(userId, dayOf(ref.execId), slot),
    [FAILURES_KEY.sort]: failureSortOf(ref),
  };
}

const ofDay = '#failedOf = :failedOf';
const isOfDays = '#failedAt BETWEEN :from AND :to';
const SLOTS = Array.from({ length: FAILURE_SLOTS }, (_, slot) => slot);
/** Most days that one request reads. An empty month costs 248 half read units. */
const MAX_DAYS = 31;

/**
 * Key: the index, day by day in the order asked for, a day's partitions in parallel. Eventually consistent,
 * as every index.
 * Cost: half a read unit for each partition and 4 KB.
 */
export async function listFailures(
  access: TableAccess,
  userId: string,
  page: FailuresPage,
): Promise<{ executions: Execution[]; nextAfter?: string }> {
  const isAscending = page.order === 'asc';
  const from = (isAscending ? page.after : undefined) ?? compactInstant(page.fromMs);
  const to = (isAscending ? undefined : page.after) ?? compactInstant(page.toMs);
  const found: Execution[] = [];
  let day = dayOf(isAscending ? from : to);
  for (let days = 0; days < MAX_DAYS; days++, day = dayBeside(day, isAscending ? 1 : -1)) {
    // The window has moved past the cursor.
    if (from > to || day < dayOf(from) || day > dayOf(to)) return { executions: found };
    const limit = page.limit - found.length + 1; // one more shows whether there is a next page
    const range = { from, to, limit, isAscending };
    const slots = await Promise.all(
      SLOTS.map((slot) => readSlot(access, failurePartitionOf(userId, day, slot), range)),
    );
    const rows = slots.flat().filter((row) => failureSortOf(row) > from && failureSortOf(row) < to);
    found.push(...rows.toSorted((a, b) => (failureSortOf(a) < failureSortOf(b) === isAscending ? -1 : 1)));
    const last = found.length > page.limit ? found[page.limit - 1] : undefined;
    if (last) return { executions: found.slice(0, page.limit), nextAfter: failureSortOf(last) };
  }
  return { executions: found, nextAfter: isAscending ? day : `${day}Z` }; // below, or above, its rows
}

/**
 * BETWEEN includes both bounds. The row at one bound was on the page before, and the caller drops it.
 */
async function readSlot(
  access: TableAccess,
  partition: string,
  { from, to, limit, isAscending }: { from: string; to: string; limit: number; isAscending: boolean },
): Promise<Execution[]> {
  const condition = allOf(ofDay, isOfDays);
  const { Items = [] } = await access.documents.send(
    new QueryCommand({
      TableName: access.table,
      IndexName: FAILURES_INDEX,
      KeyConditionExpression: condition,
      ExpressionAttributeNames: namesIn(condition),
      ExpressionAttributeValues: { ':failedOf': partition, ':from': from, ':to': to },
      ScanIndexForward: isAscending,
      Limit: limit + 1,
    }),
  );
  return Items.map(executionOf);
}

const dayBeside = (day: string, days: 1 | -1): string =>
  dayOf(compactInstant(parseCompactInstant(`${day}T000000.000Z`) + days * DAY_MS));
