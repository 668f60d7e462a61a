import type { Notification } from '../domain/notification';

/** What a process knows of notifications, at most a minute old. */
export interface Alerting {
  notificationsOf(project: string): Promise<readonly Notification[]>;
  /** The ids of the jobs of a project that have an open alert. */
  openJobsOf(project: string): Promise<ReadonlySet<string>>;
  /** `https://…/console`, without a slash at the end: where the links of messages lead. */
  readonly consoleUrl: string;
}
