import { bucketKeyOf, compactInstant, minuteOf } from '../contracts/tables';

/**
 * A row of the Schedule table: "check this job at this time". Key: bucket (minute of `checkAtMs` and shard) /
 * `<checkAt>#<jobKey>#…`. The scanner reads an entry ahead of its time, if it was written in time. The
 * sweeper rechecks every entry 20 s after its time. No stage changes one. TTL removes it, or the API
 * if it is far ahead when its job changes.
 */
export type Entry = OccurrenceEntry | AttemptEntry;

interface EntryBase {
  jobKey: string;
  shard: number;
  /** When to check. An entry written late is filed at now, so this may be after the due times. */
  checkAtMs: number;
  /**
   * Rechecks so far that found only a long queue, or another execution ahead. The pause before the next one
   * doubles. Present, even as 0, on entries that only the sweeper shall read.
   */
  rechecks?: number;
  /**
   * Only if it was filed again: a recheck has found that an execution of it waits at a gate or in a long
   * queue. What is late since then is no misfire, though its job may have changed, and names another.
   */
  hasWaited?: true;
}

/**
 * The planned occurrences of a job from `dueAtMs` through `throughMs`: those of one bucket. It names each of
 * them, so that each gets a record even if the schedule that planned it is gone.
 */
export interface OccurrenceEntry extends EntryBase {
  kind: 'occurrence';
  generation: number;
  revision: string;
  dueAtMs: number;
  /** The last due time of this entry; equal to `dueAtMs` unless several fall into the bucket. */
  throughMs: number;
  /** If there are several: the others, as offsets from `dueAtMs`, ascending; the last is `throughMs`. */
  offsetsMs?: readonly number[];
  /**
   * Planned occurrences before `dueAtMs`, skipped ones included, since the schedule last changed. `maxRuns`
   * bounds it.
   */
  runsBefore: number;
  /**
   * Only if it was filed again: a change has ended its series, and what that had planned after this entry is
   * decided.
   */
  restDecided?: true;
  /**
   * A missed occurrence that shall run at `checkAtMs`. If there are several, the last one runs then, and the
   * others shortly before. It has no next entry, and no misfire is decided on it again.
   */
  catchUp?: true;
}

/** An execution that waits for an attempt: a retry, a takeover or a manual run. */
export interface AttemptEntry extends EntryBase {
  kind: 'attempt';
  execId: string;
  attempt: number;
  /** The user retry that the attempt belongs to. Absent: the user has not retried the execution. */
  userRetries?: number;
  /**
   * The job that a message of a notification is about. The process that wrote the entry may have died before
   * the row of the message: the alert of this job then names the message.
   */
  aboutJobKey?: string;
}

/** The due times of an entry, ascending. */
export const dueTimesOf = ({ dueAtMs, offsetsMs = [] }: OccurrenceEntry): number[] => [
  dueAtMs,
  ...offsetsMs.map((offsetMs) => dueAtMs + offsetMs),
];

export const entryBucketKey = (entry: Entry): string => bucketKeyOf(minuteOf(entry.checkAtMs), entry.shard);

/** Sorts after every entry of an instant, and before those of the next one. */
export const sortKeyAfter = (checkAtMs: number): string => `${compactInstant(checkAtMs)}~`;

/** Sort key. Deterministic: the same entry written twice is one row. */
export function entrySortKey(entry: Entry): string {
  const what =
    entry.kind === 'occurrence'
      ? `${entry.catchUp ? 'c' : 'o'}#${entry.revision}#${compactInstant(entry.dueAtMs)}`
      : `a#${entry.execId}#${entry.attempt}`;
  return `${compactInstant(entry.checkAtMs)}#${entry.jobKey}#${what}`;
}
