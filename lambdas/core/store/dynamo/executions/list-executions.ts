import { QueryCommand } from '../commands';

import type { Execution } from '../../../domain/execution';
import type { TableAccess } from '../access';
import { allOf, namesIn } from '../expressions';
import { executionOf, executionRowKey } from './execution-row';

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
