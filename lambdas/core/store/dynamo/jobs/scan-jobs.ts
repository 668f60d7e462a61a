import { ScanCommand } from '../commands';

import { CALENDARS, JOBS_KEY, type JobRef, USES } from '../../../contracts/tables';
import type { Job } from '../../../domain/job';
import type { JobSlice } from '../../job-store';
import type { Row, TableAccess } from '../access';
import { namesIn } from '../expressions';
import { FIRST_JOB_ID, jobOf } from './job-row';
import { pointerOf } from '../dynamo-calendar-store';
import { useOf } from '../dynamo-uses-store';
import { storedUsageIn, USAGE_SORT } from '../dynamo-usage-store';

const isWanted =
  '#jobId >= :firstJobId OR #jobId = :usage OR begins_with(#jobId, :uses) OR begins_with(#jobId, :calendars)';

/**
 * A slice of the whole table: users in no order, the rows of each user in order of their sort keys.
 * Eventually consistent: the auditor reads a row again before it repairs anything.
 * Cost: half a read unit each 4 KB. `unreadable` has the error of each row that cannot be read.
 */
export async function scanJobs(
  access: TableAccess,
  page: { cursor?: string; limit: number },
): Promise<JobSlice> {
  const answer = await access.documents.send(
    new ScanCommand({
      TableName: access.table,
      FilterExpression: isWanted,
      ExpressionAttributeNames: namesIn(isWanted),
      ExpressionAttributeValues: {
        ':firstJobId': FIRST_JOB_ID,
        ':usage': USAGE_SORT,
        ':uses': USES,
        ':calendars': CALENDARS,
      },
      ExclusiveStartKey: page.cursor === undefined ? undefined : keyOfCursor(page.cursor),
      Limit: page.limit,
    }),
  );
  const jobs: Job[] = [];
  const usages: JobSlice['usages'] = [];
  const unreadable: JobSlice['unreadable'] = [];
  const uses: JobSlice['uses'] = [];
  const calendars: JobSlice['calendars'] = [];
  for (const row of answer.Items ?? []) {
    if (row[JOBS_KEY.sort] === USAGE_SORT) {
      const { userId } = keyOf(row);
      usages.push({ userId, usage: storedUsageIn(row), jobsBefore: jobs.length });
      continue;
    }
    if ((row[JOBS_KEY.sort] as string).startsWith(USES)) {
      uses.push({ ...useOf(row), jobsBefore: jobs.length });
      continue;
    }
    if ((row[JOBS_KEY.sort] as string).startsWith(CALENDARS)) {
      calendars.push({ pointer: pointerOf(row), jobsBefore: jobs.length });
      continue;
    }
    try {
      jobs.push(jobOf(row));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      unreadable.push({ ...keyOf(row), reason, jobsBefore: jobs.length });
    }
  }
  return {
    jobs,
    usages,
    uses,
    calendars,
    unreadable,
    nextCursor: answer.LastEvaluatedKey && cursorAt(answer.LastEvaluatedKey as unknown as JobRef),
  };
}

const keyOf = (row: Row): JobRef => ({
  userId: row[JOBS_KEY.partition] as string,
  jobId: row[JOBS_KEY.sort] as string,
});

export const cursorAt = ({ userId, jobId }: JobRef): string => JSON.stringify([userId, jobId]);

function keyOfCursor(cursor: string): Row {
  const [userId, jobId] = JSON.parse(cursor) as [string, string];
  return { [JOBS_KEY.partition]: userId, [JOBS_KEY.sort]: jobId };
}
