import type { JobRef } from '../contracts/tables';
import type { Job } from '../domain/job';
import type { Usage } from '../quotas/usage';

export interface JobRows {
  jobs: Job[];
  /** jobId to go on after; undefined at the end. */
  nextAfter?: string;
}

export interface JobSlice {
  /** A user's jobs come one after the other, also from one slice to the next. */
  jobs: Job[];
  /** Rows of usage, each before the jobs of its user: after so many of `jobs`. */
  usages: { userId: string; usage: Usage; jobsBefore: number }[];
  /** Rows that are no job though they should be, with the reason, each after so many of `jobs`. */
  unreadable: (JobRef & { reason: string; jobsBefore: number })[];
  nextCursor?: string;
}

/**
 * The Jobs table. Every write is conditional, and recognises its own success where an SDK retry hid it
 * (by `etag`): no conflict is ever reported against oneself.
 */
export interface JobStore {
  create(job: Job): Promise<{ outcome: 'created' } | { outcome: 'exists'; current: Job }>;
  /** Replaces the row that bears `seenEtag`. */
  replace(
    job: Job,
    seenEtag: string,
  ): Promise<{ outcome: 'replaced' } | { outcome: 'changed'; current?: Job }>;
  /** Deletes the row, if `seenEtag` is given only where it bears it. Deleting what is gone is `deleted`. */
  remove(
    ref: JobRef,
    seenEtag?: string,
  ): Promise<{ outcome: 'deleted' } | { outcome: 'changed'; current: Job }>;
  /** Consistent. */
  get(ref: JobRef): Promise<Job | undefined>;
  /**
   * Reads many by their full ids. `unread` names keys that got no answer (throttled, unprocessed):
   * an absent job is one that is in neither. `unreadable` names rows that are there and are no job: their own fault, for
   * good, and no reason to hold up their neighbours.
   */
  getMany(
    jobKeys: readonly string[],
    options: { consistent: boolean },
  ): Promise<{ jobs: Map<string, Job>; unread: Set<string>; unreadable: Set<string> }>;
  /** A user's jobs by jobId; `prefix` bounds the jobId. */
  list(userId: string, page: { after?: string; prefix?: string; limit: number }): Promise<JobRows>;
  /**
   * All jobs of all users, for the auditor: a slice of the table at a time. `cursor` is opaque. `unreadable` tells of
   * rows that are no job though they should be: never to be lost from sight, never to stop the pass.
   */
  scan(page: { cursor?: string; limit: number }): Promise<JobSlice>;
  /** The cursor of a scan that goes on after this job. */
  cursorAt(ref: JobRef): string;
}
