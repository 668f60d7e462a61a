import { QueryCommand } from '../commands';

import { DAY_MS } from '../../../clock/clock';
import {
  compactInstant,
  dayOf,
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
import { isTaskExecution } from '../../../domain/workflow/task-id';
import type { ExecutionStatus } from '../../../domain/transitions';
import { executionMapKey, type ExecutionRef, type FailuresPage } from '../../execution-store';
import type { Row, TableAccess } from '../access';
import { allOf, namesIn } from '../expressions';
import { executionOf } from './execution-row';

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
const inRange = '#failedAt BETWEEN :from AND :to';
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
  const condition = allOf(ofDay, inRange);
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
