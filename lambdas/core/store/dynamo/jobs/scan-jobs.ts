import { ScanCommand } from '@aws-sdk/lib-dynamodb';

import { JOBS_KEY } from '../../../contracts/tables';
import type { Job } from '../../../domain/job';
import type { Row, TableAccess } from '../access';
import { namesIn } from '../expressions';
import { FIRST_JOB_ID, jobOf } from './job-row';

const isJob = '#jobId >= :firstJobId';

/**
 * A slice of the whole table, in no order. Eventually consistent: who finds fault reads the row again.
 * Cost: half a read unit each 4 KB. Rows that cannot be read are named, and stop nothing.
 */
export async function scanJobs(
  access: TableAccess,
  page: { cursor?: string; limit: number },
): Promise<{ jobs: Job[]; unreadable: string[]; nextCursor?: string }> {
  const answer = await access.documents.send(
    new ScanCommand({
      TableName: access.table,
      FilterExpression: isJob,
      ExpressionAttributeNames: namesIn(isJob),
      ExpressionAttributeValues: { ':firstJobId': FIRST_JOB_ID },
      ExclusiveStartKey: page.cursor === undefined ? undefined : keyOfCursor(page.cursor),
      Limit: page.limit,
    }),
  );
  const jobs: Job[] = [];
  const unreadable: string[] = [];
  for (const row of answer.Items ?? []) {
    try {
      jobs.push(jobOf(row));
    } catch (error) {
      unreadable.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { jobs, unreadable, nextCursor: answer.LastEvaluatedKey && cursorOf(answer.LastEvaluatedKey) };
}

const cursorOf = (key: Row): string => JSON.stringify([key[JOBS_KEY.partition], key[JOBS_KEY.sort]]);

function keyOfCursor(cursor: string): Row {
  const [userId, jobId] = JSON.parse(cursor) as [string, string];
  return { [JOBS_KEY.partition]: userId, [JOBS_KEY.sort]: jobId };
}
