import { bucketKeyOf, compactInstant, minuteOf } from '../contracts/tables';

/**
 * A row of the Schedule table: "look at this job at this time". Key: bucket (minute of `checkAtMs` and shard) /
 * `<lookAt>#<jobKey>#…`. Entries are written, looked at (by the scanner ahead of time where one is in time, by the
 * sweeper 20 s after it, always) and left to TTL; they are never changed and never deleted by a stage.
 */
export type Entry = OccurrenceEntry | AttemptEntry;

interface EntryBase {
  jobKey: string;
  shard: number;
  /** When to look. What is found late has its entry at now, so this may lie after the due times. */
  checkAtMs: number;
  /** Looks so far that found only a long queue, or a turn not yet come: the pause before the next look doubles. */
  rechecks?: number;
}

/**
 * The planned occurrences of a job from `dueAtMs` through `throughMs`: those that fall into one bucket. It names each of
 * them, so that they can be accounted for when the schedule that planned them is gone.
 */
export interface OccurrenceEntry extends EntryBase {
  kind: 'occurrence';
  generation: number;
  revision: string;
  dueAtMs: number;
  /** The last due time that this entry stands for; equal to `dueAtMs` unless several fall into one bucket. */
  throughMs: number;
  /** Where there are several: the others, as offsets from `dueAtMs`, ascending; the last is `throughMs`. */
  offsetsMs?: readonly number[];
  /** Planned occurrences of this revision before `dueAtMs`, skipped ones included: what `maxRuns` bounds. */
  runsBefore: number;
  /**
   * A missed occurrence that shall run, at `checkAtMs`. Such an entry carries no chain (nothing follows it) and no
   * misfire is decided on it again.
   */
  catchUp?: true;
}

/** An execution that waits for an attempt: a retry, a takeover or a manual run. */
export interface AttemptEntry extends EntryBase {
  kind: 'attempt';
  execId: string;
  attempt: number;
}

/** The due times that an entry stands for, ascending. */
export const dueTimesOf = ({ dueAtMs, offsetsMs = [] }: OccurrenceEntry): number[] => [
  dueAtMs,
  ...offsetsMs.map((offsetMs) => dueAtMs + offsetMs),
];

export const entryBucketKey = (entry: Entry): string => bucketKeyOf(minuteOf(entry.checkAtMs), entry.shard);

/** Sorts after every entry of an instant, and before those of the next one. */
export const sortKeyAfter = (checkAtMs: number): string => `${compactInstant(checkAtMs)}~`;

/** Sort key. Deterministic: the same look written twice is one row. */
export function entrySortKey(entry: Entry): string {
  const what =
    entry.kind === 'occurrence'
      ? `${entry.catchUp ? 'c' : 'o'}#${entry.revision}#${compactInstant(entry.dueAtMs)}`
      : `a#${entry.execId}#${entry.attempt}`;
  return `${compactInstant(entry.checkAtMs)}#${entry.jobKey}#${what}`;
}
