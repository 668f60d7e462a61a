import type { Notification } from '../domain/notification';

/** What a process knows of notifications. */
export interface Alerting {
  /** They include each whose PUT has been answered. */
  notificationsOf(project: string): Promise<readonly Notification[]>;
  /** The ids of the jobs of a project that have an open alert, at most a minute old. */
  openJobsOf(project: string): Promise<ReadonlySet<string>>;
  /** `https://…/console`, without a slash at the end: where the links of messages lead. */
  readonly consoleUrl: string;
}
