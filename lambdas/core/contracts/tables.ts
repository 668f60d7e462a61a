/*
 * The three tables: attribute names of their keys, and the functions that make every key.
 * `lib/` imports this file at synth time and the stages at run time, so it must stay small.
 */

/** Attribute of every table that DynamoDB's TTL reads, in seconds since the epoch. */
export const TTL_ATTRIBUTE = 'expiresAtSec';

/**
 * Jobs: `userId` holds the project, here and wherever a name below the API has it; the table's key keeps its
 * name. By default, a project is the subject of one user's tokens. `jobId` is the job's id. Ids of rows that
 * are not jobs start with `#`.
 */
export const JOBS_KEY = { partition: 'userId', sort: 'jobId' } as const;

/** Executions: `jobId` is the job's full id (`jobKeyOf`); `execId` sorts by due time. */
export const EXECUTIONS_KEY = { partition: 'jobId', sort: 'execId' } as const;

/**
 * Sparse index of Executions: only failed and skipped rows have its attributes. `failedOf` is the project,
 * the day of the due time and one of `FAILURE_SLOTS`. `failedAt` sorts by due time and is unique in a project
 * (`failureSortOf`).
 */
export const FAILURES_INDEX = 'failures';
export const FAILURES_KEY = { partition: 'failedOf', sort: 'failedAt' } as const;
/** Number of partitions for one project's failures of one day. */
export const FAILURE_SLOTS = 8;

/** Schedule: `bucket` is minute and shard (`bucketKeyOf`); `entry` starts with the time of the entry. */
export const SCHEDULE_KEY = { partition: 'bucket', sort: 'entry' } as const;

/** Prefix of the partition keys of all API keys, in Jobs. */
export const API_KEY_ROWS = '#api-keys/';
/**
 * Key of an API key's row in Jobs. Each has a partition of its own: the authorizer knows the id alone, and
 * all its reads would otherwise meet in one partition.
 */
export const apiKeyRowKeyOf = (keyId: string): Record<string, string> => ({
  [JOBS_KEY.partition]: API_KEY_ROWS + keyId,
  [JOBS_KEY.sort]: CONTROL_SORT,
});
/** Prefix of the sort keys of a project's index of its API keys, in Jobs beside its jobs. */
export const API_KEY_INDEX = '#api-key#';

/**
 * First character of the ids of hidden jobs: those that Quarterjack makes for itself. No user's job has it.
 * It sorts after all other ids.
 */
export const HIDDEN = '~';
/** Prefix of the ids of the hidden jobs that deliver the messages of notifications. */
export const NOTIFICATION_JOBS = `${HIDDEN}n-`;
/** Id of the hidden job that delivers the messages of a notification. */
export const notificationJobIdOf = (notificationId: string): string => NOTIFICATION_JOBS + notificationId;
/**
 * Prefixes of the ids of the hidden jobs that call the targets of a job's `onEnd`. Their rest is the jobId.
 */
export const END_JOBS = { succeeded: `${HIDDEN}s-`, failed: `${HIDDEN}f-` } as const;
/** Whether a job is hidden, by its full id. */
export const isHiddenJob = (jobKey: string): boolean => jobKey.charAt(jobKey.indexOf('/') + 1) === HIDDEN;
/**
 * Partition key, in Jobs, of the projects that have notifications; their sort keys are `#` and the project.
 */
export const NOTIFYING_KEY = '#notifying';
/** Prefix of the sort keys, in Jobs, of what notifications know of jobs. */
export const ALERTS = '#alert#';
/** Sort key, in Jobs, of what one notification knows of one job. */
export const alertSortOf = (notificationId: string, jobId: string): string =>
  `${ALERTS}${notificationId}#${jobId}`;
/** Sort key, in Jobs, of the pending expectation of a job with `expectEvery`. */
export const expectationSortOf = (jobId: string): string => `#expectation#${jobId}`;
/** Sort key, in Jobs, of the number of messages of one notification in one minute. */
export const alertMinuteSortOf = (notificationId: string, minute: number): string =>
  `#alert-minute#${notificationId}#${minute}`;

/** Prefix of the sort keys of all overlap locks, in Jobs. */
export const OVERLAP_LOCKS = '#overlap#';
/** Sort key of a job's overlap lock, in Jobs beside the job. */
export const overlapLockSortOf = (jobId: string): string => `${OVERLAP_LOCKS}${jobId}`;

/** Sort key, in Jobs, of the versions of a project's legacy signing secret. */
export const PROJECT_SORT = '#user';
/** Prefix of the sort keys of the versions of hosts' signing secrets, in Jobs. */
export const SIGNING_HOSTS = '#signing#';
/** Sort key, in Jobs, of the versions of a host's signing secret. */
export const signingHostSortOf = (host: string): string => `${SIGNING_HOSTS}${host}`;

/** Sort key of the row in Jobs that says: this project has secrets. The rows themselves are in Executions. */
export const HAS_SECRETS_SORT = '#secrets';

/** Sort key, in Jobs, of how long the project's calls held executors of a pool lately. */
export const callLoadSortOf = (pool: string): string => `#calls#${pool}`;

/**
 * What a job uses or waits for: by name, by id or by jobId. All are of its project. `job`: its end starts
 * this one. `await`: a task of this one waits for it. `flow`: a version of its workflow. `calendar-version`:
 * the calendar, in place of a job, may name this version no more.
 */
export type UsedKind = UsedByJob | 'calendar-version';
type UsedByJob = 'secret' | 'concurrency-key' | 'calendar' | 'event' | 'job' | 'await' | 'queue' | 'flow';
/** Prefix of the sort keys, in Jobs, of the rows that say what jobs use. */
export const USES = '#uses#';
/** Prefix of the rows of all jobs that use one thing: `#uses#secret/crm/`. */
export const usesPrefixOf = (kind: UsedKind, name: string): string => `${USES}${kind}/${name}/`;

/** Prefix of the sort keys of a project's calendars, in Jobs beside its jobs. */
export const CALENDARS = '#calendar#';
/** A calendar by its project and id. */
export interface CalendarKey {
  userId: string;
  /** Spelled as a job's id. */
  calendarId: string;
}
/** Sort key of the row in Jobs that names the present version of a calendar. */
export const calendarSortOf = (calendarId: string): string => `${CALENDARS}${calendarId}`;
/** Partition key, in Executions, of the versions of a calendar; their sort keys are the versions. */
export const calendarVersionsKeyOf = ({ userId, calendarId }: CalendarKey): string =>
  `${CALENDARS}${encodeURIComponent(userId)}/${calendarId}`;

/** A job by its project and id. */
export interface JobRef {
  /** The project, unchanged. */
  userId: string;
  /** `[A-Za-z0-9][A-Za-z0-9._-]{0,63}` */
  jobId: string;
}

/**
 * A job's full id: `<project>/<jobId>`. It is the partition key of Executions and a part of every entry's
 * key. The project is percent-encoded, so it cannot contain `/` or `#`. Every key begins with it.
 */
export const jobKeyOf = ({ userId, jobId }: JobRef): string => `${encodeURIComponent(userId)}/${jobId}`;

/** The percent-encoded project of a job key, for keys and counts of a project. */
export const userPartOf = (jobKey: string): string => jobKey.slice(0, jobKey.indexOf('/'));

/** The inverse of `jobKeyOf`. Throws for a text that `jobKeyOf` cannot have made. */
export function jobRefOf(jobKey: string): JobRef {
  const slash = jobKey.indexOf('/');
  if (slash < 1) throw new Error(`not a job key: ${JSON.stringify(jobKey)}`);
  return { userId: decodeURIComponent(jobKey.slice(0, slash)), jobId: jobKey.slice(slash + 1) };
}

/** `20261201T083000.000Z`: sorts by time and has no `#`. Years 0000–9999 only. */
export const compactInstant = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]/g, '');

/**
 * The inverse of `compactInstant`. Ignores the rest of a longer text; NaN if the text does not begin with
 * one.
 */
export function parseCompactInstant(text: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z/.exec(text);
  if (!match) return Number.NaN;
  const [, year, month, day, hour, minute, second] = match;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

const BUCKET_MS = 60_000;

/** The bucket of a time, in minutes since the epoch. */
export const minuteOf = (ms: number): number => Math.floor(ms / BUCKET_MS);
export const minuteStartMs = (minute: number): number => minute * BUCKET_MS;

/** Partition key of the Schedule table: `2026-12-01T08:30#7`. */
export const bucketKeyOf = (minute: number, shard: number): string =>
  `${new Date(minuteStartMs(minute)).toISOString().slice(0, 16)}#${shard}`;

/** Passes that have a cursor per shard in the Schedule table. */
export type CursorKind = 'scan' | 'sweep';

/**
 * Number of shards whose cursors share a row, so that one write moves the cursors of idle shards. The row
 * usually stays below 1 KB.
 */
export const SHARDS_A_CURSOR_ROW = 8;
/** Partition key of the row that holds a shard's cursor; its sort key is `CONTROL_SORT`. */
export const cursorRowKeyOf = (kind: CursorKind, shard: number): string =>
  `#cursors#${kind}#${Math.floor(shard / SHARDS_A_CURSOR_ROW)}`;
/** The attribute of a shard's cursor in that row. */
export const cursorAttributeOf = (shard: number): string => `shard${shard}`;
/** Partition key of the row with the active shard count and all earlier counts. */
export const SHARDS_KEY = '#shards';
/** Partition key of the row that exists in maintenance mode: since when, and by whom. */
export const MAINTENANCE_KEY = '#maintenance';
/** Partition key of the stops so far; their sort keys are their times. */
export const STOPS_KEY = '#stops';
/** Partition key of the bookmark of a pass that takes several invocations. */
export const bookmarkKeyOf = (name: string): string => `#bookmark#${name}`;
/**
 * Sort key of all these rows, and of the holder of an ordering queue. It sorts before every entry and ticket.
 */
export const CONTROL_SORT = '#';

/** The executions of a project that share an ordering key. */
export interface OrderingKeyRef {
  userId: string;
  orderingKey: string;
}
/** Prefix of the partition keys of all ordering queues. */
export const ORDERING_QUEUES = '#ordering#';
/**
 * Partition key of an ordering queue in Schedule. The project is percent-encoded and the ordering key, which
 * is free text, comes last: so neither can be mistaken for a part of the other.
 */
export const orderingQueueKeyOf = ({ userId, orderingKey }: OrderingKeyRef): string =>
  `${ORDERING_QUEUES}${encodeURIComponent(userId)}/${orderingKey}`;
/** Sort key of an execution among all executions of its project: by due time, then by job. */
export const sortWithinUserOf = ({ jobKey, execId }: { jobKey: string; execId: string }): string =>
  `${execId}#${jobRefOf(jobKey).jobId}`;
/** The executions of a project that share a concurrency key. */
export interface ConcurrencyKeyRef {
  userId: string;
  concurrencyKey: string;
}
/** Prefix of the partition keys, in Schedule, of slots and of what waits for one. */
export const SLOTS = '#slots#';
/** Partition key, in Schedule, of the slots of a concurrency key and of the tickets that wait for one. */
export const slotsKeyOf = ({ userId, concurrencyKey }: ConcurrencyKeyRef): string =>
  `${SLOTS}${encodeURIComponent(userId)}/${concurrencyKey}`;
const SLOT_DIGITS = 3;
/** Sort key of a slot: `#007`. All slots sort before the tickets. */
export const slotSortOf = (slot: number): string => `#${String(slot).padStart(SLOT_DIGITS, '0')}`;
/** Sort key of the starts of a rate: after all slots, before the tickets. */
export const STARTS_SORT = '#rate';
/** Prefix of the sort keys, in Jobs, of a project's concurrency keys. */
export const CONCURRENCY_KEYS = '#concurrency#';

/** Partition key of the failures index: `alice#20261201#3`. */
export const failurePartitionOf = (userId: string, day: string, slot: number): string =>
  `${encodeURIComponent(userId)}#${day}#${slot}`;
/** Sort key of the failures index. */
export const failureSortOf = sortWithinUserOf;
/** The day of an execId or of a compact instant: `20261201`. */
export const dayOf = (compact: string): string => compact.slice(0, 8);

/**
 * Partition key of a project's audit records in Executions. A job key never begins with `#`.
 *
 * @param project `''` for the records of the deployment
 */
export const auditKeyOf = (project: string): string => `#audit#${encodeURIComponent(project)}`;

/** Partition key, in Executions, of the acknowledged causes of failures; their sort keys are fingerprints. */
export const failureAcksKeyOf = (project: string): string => `#ack#${encodeURIComponent(project)}`;
/** Partition key of an errand, in Executions; its sort key is `CONTROL_SORT`. */
export const errandKeyOf = (name: string): string => `#errand#${name}`;
/** Partition key of the states that a job had, in Executions. A job key never begins with `#`. */
export const changesKeyOf = (jobKey: string): string => `#change#${jobKey}`;
const CHANGE_DIGITS = 10;
/** The highest number of a change that a sort key has room for. */
export const MAX_CHANGE_NUMBER = 10 ** CHANGE_DIGITS - 1;
/**
 * Sort key of a state: by the job's creation, then by number. Without an etag, it sorts before all states of
 * that number.
 */
export const changeSortOf = (id: { createdAtMs: number; number: number; etag?: string }): string =>
  `${compactInstant(id.createdAtMs)}#${String(id.number).padStart(CHANGE_DIGITS, '0')}#${id.etag ?? ''}`;

/** Partition key, in Executions, of the open runs of a job's debounced events. */
export const debounceKeyOf = (jobKey: string): string => `#debounce#${jobKey}`;

/** Partition key, in Executions, of the runs that the keys of a job's users name. */
export const runKeysKeyOf = (jobKey: string): string => `#run-key#${jobKey}`;

/** Partition key of the versions of a job's workflow, in Executions; their sort keys are their names. */
export const flowsKeyOf = (jobKey: string): string => `#flow#${jobKey}`;

/** Partition key, in Executions, of what the runs of a job were given; sort keys begin with their execIds. */
export const runInputsKeyOf = (jobKey: string): string => `#input#${jobKey}`;

/** Partition key, in Executions, of the backfills of a job; their sort keys are the execIds of their runs. */
export const backfillsKeyOf = (jobKey: string): string => `#backfill#${jobKey}`;
/** Partition key, in Executions, of the backfills of all jobs of a project. */
export const projectBackfillsKeyOf = (project: string): string => `#backfills#${encodeURIComponent(project)}`;
/** Sort key there: by the time when the backfill was asked for, then by job. */
export const projectBackfillSortOf = sortWithinUserOf;

/** Partition key, in Executions, of what waits for the users of a project. */
export const waitingKeyOf = (project: string): string => `#waiting#${encodeURIComponent(project)}`;
/** Sort key of a run, or of a task, that waits for a user. */
export const waitingSortOf = ({ jobKey, execId }: { jobKey: string; execId: string }): string =>
  `${jobRefOf(jobKey).jobId}#${execId}`;

/** Partition key, in Executions, of the tasks that wait for executions of a job. */
export const awaitsKeyOf = (jobKey: string): string => `#await#${jobKey}`;
/** Sort key there: by the end of the window, so that a window that is over is not read. */
export const awaitSortOf = (task: { jobKey: string; execId: string; toMs: number }): string =>
  `${compactInstant(task.toMs)}#${waitingSortOf(task)}`;
/** Sorts after the tasks whose windows have ended by then, and before the others. */
export const awaitSortAfter = (atMs: number): string => `${compactInstant(atMs)}~`;

/** execId of a planned occurrence. It is its due time, so an occurrence always has the same id. */
export const execIdOfOccurrence = (dueAtMs: number): string => compactInstant(dueAtMs);
/** execId of a manual run. It sorts among the occurrences and never equals the id of one. */
export const execIdOfManualRun = (requestedAtMs: number, id: string): string =>
  `${compactInstant(requestedAtMs)}-${id}`;

/** Partition key of a project's secrets in Executions; their sort keys are their names. */
export const secretsKeyOf = (project: string): string => `#secret#${encodeURIComponent(project)}`;
/** Partition key, in Executions, of the access tokens that were fetched with a project's secrets. */
export const accessTokensKeyOf = (project: string): string => `#token#${encodeURIComponent(project)}`;
