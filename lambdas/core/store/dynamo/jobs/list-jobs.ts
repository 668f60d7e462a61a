import { QueryCommand } from '@aws-sdk/lib-dynamodb';

import type { JobRows } from '../../job-store';
import type { TableAccess } from '../access';
import { allOf, namesIn } from '../expressions';
import { FIRST_JOB_ID, jobRowKey, jobOf } from './job-row';

const ofUser = '#userId = :userId';
const isJob = '#jobId >= :firstJobId';
const hasPrefix = 'begins_with(#jobId, :prefix)';

/**
 * Key: the user's partition, jobIds in order. Consistent, so that a client finds what it has just made.
 * Cost: 1 read unit each 4 KB of the page.
 */
export async function listJobs(
  access: TableAccess,
  userId: string,
  page: { after?: string; prefix?: string; limit: number },
): Promise<JobRows> {
  const prefix = page.prefix || undefined;
  if (prefix !== undefined && prefix < FIRST_JOB_ID) return { jobs: [] }; // no job's id begins so
  const lowest = prefix ?? FIRST_JOB_ID;
  // DynamoDB refuses a start key outside of the range that is asked for
  const after = page.after !== undefined && page.after >= lowest ? page.after : undefined;
  if (after !== undefined && prefix !== undefined && !after.startsWith(prefix)) return { jobs: [] };

  const condition = allOf(ofUser, prefix === undefined ? isJob : hasPrefix);
  const answer = await access.documents.send(
    new QueryCommand({
      TableName: access.table,
      KeyConditionExpression: condition,
      ExpressionAttributeNames: namesIn(condition),
      ExpressionAttributeValues: {
        ':userId': userId,
        ...(prefix === undefined ? { ':firstJobId': FIRST_JOB_ID } : { ':prefix': prefix }),
      },
      ExclusiveStartKey: after === undefined ? undefined : jobRowKey({ userId, jobId: after }),
      Limit: page.limit,
      ConsistentRead: true,
    }),
  );
  return {
    jobs: (answer.Items ?? []).map(jobOf),
    nextAfter: answer.LastEvaluatedKey?.jobId as string | undefined,
  };
}
