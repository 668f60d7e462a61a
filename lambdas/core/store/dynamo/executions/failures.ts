import { QueryCommand } from '@aws-sdk/lib-dynamodb';

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
import { executionMapKey, type ExecutionRef } from '../../execution-store';
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
 * Key: the index, day by day backwards, a day's partitions in parallel. Eventually consistent, as every
 * index.
 * Cost: half a read unit for each partition and 4 KB.
 */
export async function listFailures(
  access: TableAccess,
  userId: string,
  page: { fromMs: number; toMs: number; after?: string; limit: number },
): Promise<{ executions: Execution[]; nextAfter?: string }> {
  const from = compactInstant(page.fromMs);
  const to = page.after ?? compactInstant(page.toMs);
  const found: Execution[] = [];
  let day = dayOf(to);
  for (let days = 0; days < MAX_DAYS; days++, day = dayBefore(day)) {
    if (from > to || day < dayOf(from)) return { executions: found }; // the window has moved past the cursor
    const limit = page.limit - found.length + 1; // one more shows whether there is a next page
    const slots = await Promise.all(
      SLOTS.map((slot) => readSlot(access, failurePartitionOf(userId, day, slot), { from, to, limit })),
    );
    const rows = slots.flat().filter((row) => failureSortOf(row) < to);
    found.push(...rows.toSorted((a, b) => (failureSortOf(a) < failureSortOf(b) ? 1 : -1)));
    const last = found.length > page.limit ? found[page.limit - 1] : undefined;
    if (last) return { executions: found.slice(0, page.limit), nextAfter: failureSortOf(last) };
  }
  return { executions: found, nextAfter: `${day}Z` }; // above every row of that day
}

/**
 * BETWEEN includes both bounds. The row at the upper bound was on the page before, and the caller drops it.
 */
async function readSlot(
  access: TableAccess,
  partition: string,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<Execution[]> {
  const condition = allOf(ofDay, inRange);
  const { Items = [] } = await access.documents.send(
    new QueryCommand({
      TableName: access.table,
      IndexName: FAILURES_INDEX,
      KeyConditionExpression: condition,
      ExpressionAttributeNames: namesIn(condition),
      ExpressionAttributeValues: { ':failedOf': partition, ':from': from, ':to': to },
      ScanIndexForward: false,
      Limit: limit + 1,
    }),
  );
  return Items.map(executionOf);
}

const dayBefore = (day: string): string =>
  dayOf(compactInstant(parseCompactInstant(`${day}T000000.000Z`) - DAY_MS));
