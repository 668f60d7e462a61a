import { QueryCommand } from '../commands';

import { HIDDEN } from '../../../contracts/tables';
import type { JobRows } from '../../job-store';
import type { TableAccess } from '../access';
import { allOf, namesIn } from '../expressions';
import { FIRST_JOB_ID, jobOf, jobRowKey } from './job-row';

const areJobsOfUser = allOf('#userId = :userId', '#jobId BETWEEN :firstJobId AND :hidden');

/**
 * Key: the project's partition, jobIds in order. Consistent, so a client finds the jobs that it has just
 * created.
 * Hidden jobs are left out. Cost: 1 read unit each 4 KB of the page.
 */
export async function listJobs(
  access: TableAccess,
  userId: string,
  page: { after?: string; limit: number },
): Promise<JobRows> {
  // DynamoDB rejects a start key outside of the range.
  const after = page.after !== undefined && page.after >= FIRST_JOB_ID ? page.after : undefined;
  const answer = await access.documents.send(
    new QueryCommand({
      TableName: access.table,
      KeyConditionExpression: areJobsOfUser,
      ExpressionAttributeNames: namesIn(areJobsOfUser),
      ExpressionAttributeValues: {
        ':userId': userId,
        ':firstJobId': FIRST_JOB_ID,
        ':hidden': HIDDEN,
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
