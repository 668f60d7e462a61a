import { JOBS_KEY, type JobRef } from '../../../contracts/tables';
import type { UsedCalendar } from '../../../domain/calendar';
import type { Job } from '../../../domain/job';
import type { WorkflowRef } from '../../../domain/workflow/definition';
import type { Row } from '../access';

/**
 * A row of Jobs is the domain's Job, but fields with keys or values of the user's choice are JSON text. A
 * DynamoDB map is no JSON object: it has at most 32 levels, no number beyond 2^53, and the SDK fails on a key
 * `constructor`.
 */
const AS_JSON = ['payload', 'payloadSchema', 'target', 'tags', 'onEnd'] as const;

export const jobRowKey = ({ userId, jobId }: JobRef): Row => ({
  [JOBS_KEY.partition]: userId,
  [JOBS_KEY.sort]: jobId,
});

/** Lower bound of job ids. Rows that are not jobs start with `#` and sort before it. */
export const FIRST_JOB_ID = '0';

export function jobRowOf({ workflow, ...job }: Job): Row {
  const row: Row = { ...job };
  if (workflow) row.workflow = refIn(workflow);
  for (const name of AS_JSON) {
    if (job[name] !== undefined) row[name] = JSON.stringify(job[name]);
  }
  row.schedule = scheduleToRow(job.schedule);
  if (job.calendars) row.calendars = job.calendars.map(calendarRowOf);
  return row;
}

/** Without the content, which the version names. */
const calendarRowOf = ({ id, version, sinceMs, earlier }: UsedCalendar): Row => ({
  id,
  version,
  sinceMs,
  ...(earlier && { earlier: earlier.map((one) => ({ version: one.version, untilMs: one.untilMs })) }),
});

/** The fields that an event has to have are of the user's choice too. */
const scheduleToRow = (schedule: Job['schedule']): unknown =>
  typeof schedule !== 'string' && schedule.type === 'event' && schedule.where
    ? { ...schedule, where: JSON.stringify(schedule.where) }
    : schedule;

function scheduleOfRow(schedule: unknown): unknown {
  const { where } = Object(schedule) as { where?: unknown };
  return typeof where === 'string' ? { ...Object(schedule), where: JSON.parse(where) } : schedule;
}

/** Throws an error that names the row, if it is not a job. Calendars are without content. */
export function jobOf(row: Row): Job {
  const job: Row = { ...row };
  try {
    for (const name of AS_JSON) {
      if (row[name] !== undefined) job[name] = JSON.parse(row[name] as string);
    }
    job.schedule = scheduleOfRow(row.schedule);
  } catch (cause) {
    throw new Error(`${nameOf(row)} cannot be read`, { cause });
  }
  const isComplete =
    typeof job.generation === 'number' &&
    typeof job.revision === 'string' &&
    typeof job.etag === 'string' &&
    job.schedule !== undefined &&
    (job.target !== undefined || job.workflow !== undefined);
  if (!isComplete) throw new Error(`${nameOf(row)} cannot be read: it lacks a required field`);
  return job as unknown as Job;
}

/** The workflow itself is a row of Executions. */
const refIn = ({ content: _, ...ref }: WorkflowRef): Row => ref;

const nameOf = (row: Row): string => `row ${JSON.stringify([row.userId, row.jobId])} of Jobs`;
