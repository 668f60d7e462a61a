import { createHash } from 'node:crypto';

import { compactInstant } from '../contracts/tables';
import { isExternal, type AfterSpec, type EventSpec, type ScheduleSpec } from '../schedule/spec';

/** What started an execution, if neither the clock nor a user did. */
export type Cause = AfterCause | EventCause;

/** An execution of an upstream job has ended. */
export interface AfterCause {
  type: 'after';
  jobId: string;
  execId: string;
  /** How it ended. */
  status: 'succeeded' | 'failed' | 'cancelled';
  /** How often its user had run it again before this end. Absent: never. */
  userRetries?: number;
}

/** A client has sent an event. */
export interface EventCause {
  type: 'event';
  name: string;
  eventId: string;
  key?: string;
}

/** Whether a job waits for an end of an upstream job. */
export const waitsFor = (schedule: ScheduleSpec, { jobId, status }: AfterCause): boolean =>
  isAfter(schedule) &&
  schedule.jobs.includes(jobId) &&
  ((schedule.on ?? 'succeeded') === 'done' || (schedule.on ?? 'succeeded') === status);

/** Whether a job waits for an event with this data. `where` compares fields of an object; strictly. */
export function waitsForEvent(schedule: ScheduleSpec, name: string, data: unknown): schedule is EventSpec {
  if (!isEvent(schedule) || schedule.name !== name) return false;
  const conditions = Object.entries(schedule.where ?? {});
  if (conditions.length === 0) return true;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false;
  const fields = data as Record<string, unknown>;
  return conditions.every(([field, value]) => Object.hasOwn(fields, field) && fields[field] === value);
}

/** Whether the schedule still names what started an execution, whatever its conditions are by now. */
export const namesCause = (schedule: ScheduleSpec, cause: Cause): boolean =>
  cause.type === 'after'
    ? isAfter(schedule) && schedule.jobs.includes(cause.jobId)
    : isEvent(schedule) && schedule.name === cause.name;

export const isAfter = (schedule: ScheduleSpec): schedule is AfterSpec =>
  isExternal(schedule) && schedule.type === 'after';

const isEvent = (schedule: ScheduleSpec): schedule is EventSpec =>
  isExternal(schedule) && schedule.type === 'event';

const ID_LENGTH = 26;

/**
 * execId of the run that a cause starts: the same for the same cause and job, so the run starts once. It
 * sorts among the executions of the job by `atMs`.
 */
export const execIdOfCause = (atMs: number, cause: Cause, jobKey: string): string => {
  const parts =
    cause.type === 'after'
      ? [cause.type, cause.jobId, cause.execId, cause.userRetries ?? 0, jobKey]
      : [cause.type, cause.name, cause.eventId, jobKey];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${compactInstant(atMs)}-${hash.slice(0, ID_LENGTH)}`;
};
