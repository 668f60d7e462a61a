import { cached, cachedByKey } from '../async/cached';
import { type Clock, MINUTE_MS, SECOND_MS } from '../clock/clock';
import type { Notification } from '../domain/notification';
import type { AlertStore } from '../store/alert-store';
import type { Alerting } from '../store/alerting';
import type { NotificationStore } from '../store/notification-store';

const NONE: readonly Notification[] = [];
const MAX_PROJECTS = 1_000;

interface AlertingParts {
  notifications: NotificationStore;
  alerts: AlertStore;
  clock: Clock;
  consoleUrl: string;
}

/**
 * A process knows a notification so long after it was written. The API answers no sooner: what happens after
 * its answer is told.
 */
export const NOTIFICATIONS_KNOWN_WITHIN_MS = SECOND_MS;

/**
 * Reads which projects have notifications, and then the notifications of those that are asked for. Projects
 * without notifications read nothing of their own.
 */
export function alertingOf({ notifications, alerts, clock, consoleUrl }: AlertingParts): Alerting {
  const cachedFor = (ttlMs: number) => ({ ttlMs, clock, maxKeys: MAX_PROJECTS });
  const projects = cached(NOTIFICATIONS_KNOWN_WITHIN_MS, clock, () => notifications.projects());
  const listOf = cachedByKey(
    (project: string) => notifications.list(project),
    cachedFor(NOTIFICATIONS_KNOWN_WITHIN_MS),
  );
  return {
    notificationsOf: async (project) => ((await projects()).has(project) ? listOf(project) : NONE),
    openJobsOf: cachedByKey((project: string) => alerts.openJobs(project), cachedFor(MINUTE_MS)),
    consoleUrl,
  };
}
