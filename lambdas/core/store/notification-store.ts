import type { Notification } from '../domain/notification';

/**
 * The notifications of projects. The row of one is at the same time the hidden job that delivers its
 * messages.
 */
export interface NotificationStore {
  /** Consistent. */
  get(project: string, id: string): Promise<Notification | undefined>;
  /** All of a project by id. Consistent. */
  list(project: string): Promise<Notification[]>;
  /**
   * Replaces the notification with the etag seen; undefined: there is none. Before that, the project is noted
   * as one that has notifications. `changed`: another request was faster. The row of one that is marked as
   * deleted expires.
   */
  put(notification: Notification, seenEtag: string | undefined): Promise<'put' | 'changed'>;
  remove(project: string, id: string): Promise<void>;
  /** The projects that have, or once had, notifications. Consistent. */
  projects(): Promise<ReadonlySet<string>>;
}
