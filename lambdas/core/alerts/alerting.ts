import { cached, cachedByKey } from '../async/cached';
import { type Clock, MINUTE_MS } from '../clock/clock';
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
 * Reads which projects have notifications once a minute, and then the notifications of those that are asked
 * for. Projects without notifications read nothing.
 */
export function alertingOf({ notifications, alerts, clock, consoleUrl }: AlertingParts): Alerting {
  const perProject = { ttlMs: MINUTE_MS, clock, maxKeys: MAX_PROJECTS };
  const projects = cached(MINUTE_MS, clock, () => notifications.projects());
  const listOf = cachedByKey((project: string) => notifications.list(project), perProject);
  return {
    notificationsOf: async (project) => ((await projects()).has(project) ? listOf(project) : NONE),
    openJobsOf: cachedByKey((project: string) => alerts.openJobs(project), perProject),
    consoleUrl,
  };
}

/** The same while the deployment has no notification: reads nothing. */
export const silentAlerting = ({ consoleUrl }: Alerting): Alerting => ({
  notificationsOf: async () => NONE,
  openJobsOf: async () => new Set(),
  consoleUrl,
});
