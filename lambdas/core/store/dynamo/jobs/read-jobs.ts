import {
  type CalendarKey,
  CALENDARS,
  HIDDEN,
  jobKeyOf,
  type JobRef,
  jobRefOf,
  JOBS_KEY,
  USES,
} from '../../../contracts/tables';
import type { CalendarPointer } from '../../../domain/calendar';
import type { Job } from '../../../domain/job';
import { pointerName } from '../../job-calendars';
import type { JobRange, JobRows, JobSlice, JobsRead } from '../../job-store';
import type { Row, TableAccess } from '../access';
import { readItems } from '../batch-get';
import { QueryCommand, ScanCommand } from '../commands';
import { pointerKeyOf, pointerOf } from '../dynamo-calendar-store';
import { storedUsageIn, USAGE_SORT } from '../dynamo-usage-store';
import { useOf } from '../dynamo-uses-store';
import { allOf, namesIn } from '../expressions';
import { readRow } from '../read-row';
import { FIRST_JOB_ID, jobOf, jobRowKey } from './job-row';

/** Consistent. Cost: 1 read unit each 4 KB. */
export async function readJob(access: TableAccess, ref: JobRef): Promise<Job | undefined> {
  const row = await readRow(access, jobRowKey(ref));
  return row && jobOf(row);
}

/**
 * By full id, a hundred a call, and the pointers of calendars in the same calls. Cost: 1 read unit for each
 * key and 4 KB, half of that if not consistent.
 */
export async function readManyJobs(
  access: TableAccess,
  jobKeys: readonly string[],
  { consistent, today = [] }: { consistent: boolean; today?: readonly CalendarKey[] },
): Promise<JobsRead> {
  const { items, ...rest } = await readItems(access, [...jobKeys, ...today], BY_KEY, { consistent });
  const jobs = new Map<string, Job>();
  const pointers = new Map<string, CalendarPointer>();
  for (const [name, item] of items) {
    if ('jobId' in item) jobs.set(name, item);
    else pointers.set(name, item);
  }
  for (const key of today) rest.unread.delete(pointerName(key)); // the decorator reads it once more
  return today.length > 0 ? { jobs, ...rest, pointers } : { jobs, ...rest };
}

type Key = string | CalendarKey;

const isPointer = (row: Readonly<Record<string, unknown>>): boolean =>
  (row[JOBS_KEY.sort] as string).startsWith(CALENDARS);

const BY_KEY = {
  idOf: (key: Key) => (typeof key === 'string' ? key : pointerName(key)),
  keyOf: (key: Key) => (typeof key === 'string' ? jobRowKey(jobRefOf(key)) : pointerKeyOf(key)),
  refOf: (row: Readonly<Record<string, unknown>>): Key => {
    const userId = row[JOBS_KEY.partition] as string;
    const sort = row[JOBS_KEY.sort] as string;
    return isPointer(row)
      ? { userId, calendarId: sort.slice(CALENDARS.length) }
      : jobKeyOf({ userId, jobId: sort });
  },
  itemOf: (row: Readonly<Record<string, unknown>>): Job | CalendarPointer =>
    isPointer(row) ? pointerOf(row) : jobOf(row),
};

const areJobsOfUser = allOf('#userId = :userId', '#jobId BETWEEN :firstJobId AND :through');

/**
 * Key: the project's partition, jobIds in order. Consistent, so a client finds the jobs that it has just
 * created.
 * Hidden jobs are left out. Cost: 1 read unit each 4 KB of the page.
 */
export async function listJobs(access: TableAccess, userId: string, page: JobRange): Promise<JobRows> {
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
        ':through': page.through ?? HIDDEN,
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
