import type { JobRef } from '../contracts/tables';
import type { Alert } from '../domain/alert';
import type { FiledExpectation } from '../domain/expectation';

/** What one notification knows of one job. */
export interface AlertRef {
  project: string;
  notification: string;
  jobId: string;
}

/** The messages of one notification in one minute. */
export interface AlertMinute {
  count: number;
  /** The summary of the minute is filed. */
  hasSummary: boolean;
}

/** A minute of a notification, in minutes since the epoch. */
export interface AlertMinuteRef {
  project: string;
  notification: string;
  minute: number;
}

/** The state of alerts. Its rows expire. */
export interface AlertStore {
  /** Consistent. */
  get(ref: AlertRef): Promise<Alert | undefined>;
  /** Replaces the version seen; undefined: there is none. `changed`: another process was faster. */
  put(ref: AlertRef, alert: Alert, seenVersion: number | undefined): Promise<'put' | 'changed'>;
  /** The ids of the jobs of a project that have an open alert. Eventually consistent. */
  openJobs(project: string): Promise<ReadonlySet<string>>;
  /** The ids of the jobs that have an open alert of one notification. Consistent. */
  openOf(project: string, notification: string): Promise<string[]>;
  /** Counts one more message of a minute. Returns the count with it. */
  countMessage(ref: AlertMinuteRef): Promise<AlertMinute>;
  noteSummary(ref: AlertMinuteRef): Promise<void>;
  /** Consistent. */
  minute(ref: AlertMinuteRef): Promise<AlertMinute>;
  /** The expectation that a recheck has filed last for a job; undefined: none yet. Consistent. */
  expectation(ref: JobRef): Promise<FiledExpectation | undefined>;
  putExpectation(ref: JobRef, filed: FiledExpectation): Promise<void>;
}
