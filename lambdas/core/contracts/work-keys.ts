import { type Priority, PRIORITIES } from './pools';
import { compactInstant, CONTROL_SORT, EXECUTIONS_KEY, SCHEDULE_KEY } from './tables';

/* Keys of the rows of work queues, in Schedule, and of logs, in Executions. */

/** A work queue of a project. */
export interface WorkQueueRef {
  userId: string;
  queue: string;
}

/** Prefix of the partition keys of all work queues. */
export const WORK_QUEUES = '#work#';
/** Partition key of the tickets of a work queue. */
export const workQueueKeyOf = ({ userId, queue }: WorkQueueRef): string =>
  `${WORK_QUEUES}${encodeURIComponent(userId)}/${queue}`;

/** What the place of an execution in its work queue follows from. */
export interface WorkTicketKey {
  jobKey: string;
  execId: string;
  dueAtMs: number;
  attempt: number;
  userRetries?: number | undefined;
  priority: Priority;
}

/** Prefix of the tickets of one priority: the most urgent one sorts first. */
export const workPriorityPrefix = (priority: Priority): string => `${PRIORITIES.indexOf(priority)}#`;

/**
 * Sort key of a ticket: by priority, then by due time. The same attempt of the same life has the same ticket,
 * however often its message comes.
 */
export const workTicketSortOf = ({
  jobKey,
  execId,
  dueAtMs,
  attempt,
  userRetries = 0,
  priority,
}: WorkTicketKey): string =>
  `${workPriorityPrefix(priority)}${compactInstant(dueAtMs)}#${jobKey}#${execId}#${userRetries}.${attempt}`;

/** Partition key of the workers that claim from a work queue; their sort keys are their names. */
export const workersKeyOf = (ref: WorkQueueRef): string =>
  `#workers#${encodeURIComponent(ref.userId)}/${ref.queue}`;

/** Key of the record of a claim with an `Idempotency-Key`. */
export const claimRowKeyOf = (userId: string, keyHash: string): Record<string, string> => ({
  [SCHEDULE_KEY.partition]: `#claim#${encodeURIComponent(userId)}/${keyHash}`,
  [SCHEDULE_KEY.sort]: CONTROL_SORT,
});

/** How many claims their function is taken to serve at once, if its concurrency is not reserved. */
export const SHARED_CLAIM_CONCURRENCY = 80;

/** Key of the row with the claims of a project, or of all, that wait for work. */
export const waitsRowKeyOf = (userId: string): Record<string, string> => ({
  [SCHEDULE_KEY.partition]: `#waits#${encodeURIComponent(userId)}`,
  [SCHEDULE_KEY.sort]: CONTROL_SORT,
});

/** Partition key, in Executions, of the log of an execution. */
export const logKeyOf = ({ jobKey, execId }: { jobKey: string; execId: string }): string =>
  `#log#${jobKey}#${execId}`;
/** Sort key of the row that sums the bytes of an attempt's log. It sorts before the chunks. */
export const logHeadSortOf = ({ attempt, fence }: { attempt: number; fence: number }): string =>
  `#head#${attempt}#${fence}`;
const NUMBER_DIGITS = 6;
/** Numbers of chunks that Quarterjack writes itself follow those that workers may use. */
export const MAX_CHUNK_NUMBER = 999_899;
/** The chunk with the response of the first target; those of others follow. */
export const RESPONSE_CHUNK = MAX_CHUNK_NUMBER + 1;
/** The chunk that says that the log is truncated: behind all others. */
export const TRUNCATED_CHUNK = 999_999;
const padded = (number: number): string => String(number).padStart(NUMBER_DIGITS, '0');
/** Sort key of a chunk: by fence, which rises with each attempt, then by its number. */
export const logChunkSortOf = (one: { attempt: number; fence: number; chunk: number }): string =>
  `${padded(one.fence)}#${padded(one.attempt)}#${padded(one.chunk)}`;

/** Key, in Executions, of the row that sums the bytes of a project's logs on a day: `20261201`. */
export const logDayKeyOf = (project: string, day: string): Record<string, string> => ({
  [EXECUTIONS_KEY.partition]: `#log-day#${encodeURIComponent(project)}`,
  [EXECUTIONS_KEY.sort]: day,
});
