/**
 * The three tables: attribute names of their keys and the spelling of every key.
 * Imported by `lib/` (synth time) and by the stages (run time), so nothing heavy may enter.
 */

/** Attribute that DynamoDB's TTL reads, in every table: seconds since the epoch. */
export const TTL_ATTRIBUTE = 'expiresAtSec';

/** Jobs: `userId` = the token's subject; `jobId` = the job's id (rows that are not jobs start with `#`). */
export const JOBS_KEY = { partition: 'userId', sort: 'jobId' } as const;

/** Executions: `jobId` = the job's full id (`jobKeyOf`); `execId` sorts by due time. */
export const EXECUTIONS_KEY = { partition: 'jobId', sort: 'execId' } as const;

/**
 * Sparse index of Executions: only rows that failed or were skipped have these attributes. `failedOf` = user,
 * day of the due time and one of `FAILURE_SLOTS`; `failedAt` sorts by due time and is unique among a user's
 * (`failureSortOf`).
 */
export const FAILURES_INDEX = 'failures';
export const FAILURES_KEY = { partition: 'failedOf', sort: 'failedAt' } as const;
/** Partitions that one user's failures of one day are spread over. */
export const FAILURE_SLOTS = 8;

/** Schedule: `bucket` = minute and shard (`bucketKeyOf`); `entry` starts with the entry's time. */
export const SCHEDULE_KEY = { partition: 'bucket', sort: 'entry' } as const;

/** Begins the sort keys, in Jobs, of all overlap locks. */
export const OVERLAP_LOCKS = '#overlap#';
/** Sort key of a job's overlap lock, in Jobs beside the job. */
export const overlapLockSortOf = (jobId: string): string => `${OVERLAP_LOCKS}${jobId}`;

/** A job as its user names it. */
export interface JobRef {
  /** The token's subject, as given. */
  userId: string;
  /** `[A-Za-z0-9][A-Za-z0-9._-]{0,63}` */
  jobId: string;
}

/**
 * A job's full id, the key of Executions and a part of every entry's key: `<user>/<jobId>`.
 * The user is percent-encoded, so neither `/` nor `#` can be forged, and every key begins with its tenant.
 */
export const jobKeyOf = ({ userId, jobId }: JobRef): string => `${encodeURIComponent(userId)}/${jobId}`;

/** The inverse of `jobKeyOf`. Throws where `jobKey` was not made by it. */
export function jobRefOf(jobKey: string): JobRef {
  const slash = jobKey.indexOf('/');
  if (slash < 1) throw new Error(`not a job key: ${JSON.stringify(jobKey)}`);
  return { userId: decodeURIComponent(jobKey.slice(0, slash)), jobId: jobKey.slice(slash + 1) };
}

/** The user of a job key, percent-encoded. */
export const userPartOf = (jobKey: string): string => jobKey.slice(0, jobKey.indexOf('/'));

/** `20261201T083000.000Z`: sorts by time, and no `#` in it. Years 0000–9999 only. */
export const compactInstant = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]/g, '');

/** The inverse of `compactInstant`; the rest of a longer string is ignored. NaN where it is not one. */
export function parseCompactInstant(text: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z/.exec(text);
  if (!match) return Number.NaN;
  const [, year, month, day, hour, minute, second] = match;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

const MINUTE_MS = 60_000;

/** The bucket (minutes since the epoch) that holds an instant. */
export const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);
export const minuteStartMs = (minute: number): number => minute * MINUTE_MS;

/** Partition key of the Schedule table: `2026-12-01T08:30#7`. */
export const bucketKeyOf = (minute: number, shard: number): string =>
  `${new Date(minuteStartMs(minute)).toISOString().slice(0, 16)}#${shard}`;

/** Stages that keep a cursor per shard in the Schedule table. */
export type CursorKind = 'scan' | 'sweep';

/**
 * How many shards have their cursors in one row: idle ones move in one write. The row ordinarily stays below
 * 1 KB.
 */
export const SHARDS_A_CURSOR_ROW = 8;
/** Partition key of the row that holds a shard's cursor; its sort key is `CONTROL_SORT`. */
export const cursorRowKeyOf = (kind: CursorKind, shard: number): string =>
  `#cursors#${kind}#${Math.floor(shard / SHARDS_A_CURSOR_ROW)}`;
/** Its attribute in that row. */
export const cursorAttributeOf = (shard: number): string => `shard${shard}`;
/** Partition key of the row that holds the active shard count, and every count that ever was active. */
export const SHARDS_KEY = '#shards';
/**
 * Partition key of the row that says since when the deployment is in maintenance mode, and who enabled it.
 */
export const MAINTENANCE_KEY = '#maintenance';
/** Partition key of a slow pass's bookmark, beside the cursors. */
export const bookmarkKeyOf = (name: string): string => `#bookmark#${name}`;
export const CONTROL_SORT = '#';

/** Those of a user's executions that share an ordering key. */
export interface OrderingKeyRef {
  userId: string;
  orderingKey: string;
}
/** Begins the partition keys of all ordering queues. */
export const ORDERING_QUEUES = '#ordering#';
/**
 * Partition key of an ordering queue, in Schedule: the user percent-encoded, then the key. The key is free
 * text and comes last, so neither can pass for part of the other.
 */
export const orderingQueueKeyOf = ({ userId, orderingKey }: OrderingKeyRef): string =>
  `${ORDERING_QUEUES}${encodeURIComponent(userId)}/${orderingKey}`;
/** Sorts a user's executions by due time, then by job. */
const dueTimeSortOf = ({ jobKey, execId }: { jobKey: string; execId: string }): string =>
  `${execId}#${jobRefOf(jobKey).jobId}`;
/** Sort key of a ticket. The holder of the ordering key is at `CONTROL_SORT`, before all tickets. */
export const ticketSortOf = dueTimeSortOf;
/** Partition key of the failures index: `alice#20261201#3`. */
export const failurePartitionOf = (userId: string, day: string, slot: number): string =>
  `${encodeURIComponent(userId)}#${day}#${slot}`;
/** Sort key of the failures index. */
export const failureSortOf = dueTimeSortOf;
/** The day of an execId, or of what `compactInstant` makes: `20261201`. */
export const dayOf = (compact: string): string => compact.slice(0, 8);

/** execId of a planned occurrence: made from its due time, so the same occurrence always has the same id. */
export const execIdOfOccurrence = (dueAtMs: number): string => compactInstant(dueAtMs);
/** execId of a manual run: sorts among the occurrences, and can never equal one. */
export const execIdOfManualRun = (requestedAtMs: number, id: string): string =>
  `${compactInstant(requestedAtMs)}-${id}`;
