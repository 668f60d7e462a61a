import type { CalendarKey, JobRef } from '../contracts/tables';
import type { CalendarPointer } from '../domain/calendar';
import type { Job } from '../domain/job';
import type { Usage } from '../quotas/usage';
import type { Use } from './uses-store';
import type { WriteOptions } from './write-options';

export interface JobRows {
  jobs: Job[];
  /** jobId to continue after; undefined at the end. */
  nextAfter?: string;
}

/** Jobs of a project by jobId, at most `limit`: those after an id, and none after `through`. */
export interface JobRange {
  after?: string | undefined;
  through?: string | undefined;
  limit: number;
}

export interface JobSlice {
  /** A project's jobs are adjacent, also from one slice to the next. */
  jobs: Job[];
  /** Rows of usage, each before the jobs of its user. `jobsBefore` is its position among `jobs`. */
  usages: { userId: string; usage: Usage; jobsBefore: number }[];
  /** What jobs use, before the jobs of their user. */
  uses: (Use & { jobsBefore: number })[];
  /** Pointers of calendars, before the jobs of their user. */
  calendars: { pointer: CalendarPointer; jobsBefore: number }[];
  /** Rows that are no job though they should be, with the reason, each after so many of `jobs`. */
  unreadable: (JobRef & { reason: string; jobsBefore: number })[];
  nextCursor?: string;
}

export interface JobsRead {
  jobs: Map<string, Job>;
  unread: Set<string>;
  unreadable: Set<string>;
  /** The pointers of `today`, for the decorator that plans the jobs by them. By `pointerName`. */
  pointers?: ReadonlyMap<string, CalendarPointer>;
}

/**
 * The Jobs table. Every write is conditional. A write whose answer was lost is recognised by
 * its `etag`, so a retry by the SDK never reports a conflict with itself.
 */
export interface JobStore {
  create(
    job: Job,
    options?: WriteOptions,
  ): Promise<{ outcome: 'created' } | { outcome: 'exists'; current: Job }>;
  /** Replaces the row, if it has `seenEtag`. */
  replace(
    job: Job,
    seenEtag: string,
    options?: WriteOptions,
  ): Promise<{ outcome: 'replaced' } | { outcome: 'changed'; current?: Job }>;
  /** Deletes the row; with `seenEtag`, only if the row has it. A missing row is `deleted` too. */
  remove(
    ref: JobRef,
    seenEtag?: string,
    options?: WriteOptions,
  ): Promise<{ outcome: 'deleted' } | { outcome: 'changed'; current: Job }>;
  /**
   * Records that another job may wait for ends of this one from `atMs` on. The etag stays. `missing`: there
   * is no such job.
   */
  setAwaited(ref: JobRef, atMs: number): Promise<'done' | 'missing'>;
  /** Takes that back, unless it has been recorded again since it was seen. */
  clearAwaited(ref: JobRef, seenMs: number): Promise<void>;
  /** Consistent. */
  get(ref: JobRef): Promise<Job | undefined>;
  /**
   * Many jobs by full id. `unread` has the keys without an answer (throttled, unprocessed). `unreadable` has
   * the rows that are no job: that fault is permanent, and must not hold up other jobs. A job in none of the
   * three is absent.
   *
   * With `today`, each job is planned by its calendars as they are now, even if it is not replanned yet. The
   * pointers of those named are read together with the jobs; the store reads further pointers then.
   */
  getMany(
    jobKeys: readonly string[],
    options: { consistent: boolean; today?: readonly CalendarKey[] },
  ): Promise<JobsRead>;
  /** A project's jobs in order of their jobId. */
  list(userId: string, page: JobRange): Promise<JobRows>;
  /** All jobs of all users, for the auditor: one slice of the table at a time. `cursor` is opaque. */
  scan(page: { cursor?: string; limit: number }): Promise<JobSlice>;
  /** The cursor of a scan that continues after this job. */
  cursorAt(ref: JobRef): string;
}
