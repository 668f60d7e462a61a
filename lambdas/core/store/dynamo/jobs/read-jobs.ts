import {
  type CalendarKey,
  CALENDARS,
  JOBS_KEY,
  jobKeyOf,
  jobRefOf,
  type JobRef,
} from '../../../contracts/tables';
import type { CalendarPointer } from '../../../domain/calendar';
import type { Job } from '../../../domain/job';
import type { TableAccess } from '../access';
import { readItems } from '../batch-get';
import { pointerKeyOf, pointerOf } from '../dynamo-calendar-store';
import { readRow } from '../read-row';
import { pointerName } from '../../job-calendars';
import type { JobsRead } from '../../job-store';
import { jobOf, jobRowKey } from './job-row';

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
