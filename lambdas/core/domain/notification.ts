import { DAY_MS, MINUTE_MS } from '../clock/clock';
import { jobRefOf, notificationJobIdOf } from '../contracts/tables';
import { hiddenJob } from './hidden-job';
import { DEFAULT_POOL } from '../contracts/pools';
import { parseDuration } from '../schedule/duration';
import type { Actor } from './actor';
import type { Execution } from './execution';
import { type IncidentKind, isIncidentTarget, type Severity } from './incident';
import type { Reason } from './reason';
import type { Job } from './job';
import type { Target } from './target';
import type { Pace } from './timing';

/** What a notification may tell of. */
export const NOTIFICATION_KINDS = [
  'failed',
  'skipped',
  'late',
  'slow',
  'quick',
  'recovered',
  'succeeded',
  'waiting-approval',
  'calendar-ends',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export const NOTIFICATION_FORMATS = ['json', 'slack', 'teams', 'cloudevents'] as const;
export type NotificationFormat = (typeof NOTIFICATION_FORMATS)[number];

/** How many notifications a project has at most, and how many of them by email. */
export const MAX_NOTIFICATIONS = 50;
export const MAX_EMAILS = 20;
/** How many addresses a project may have asked on a day in UTC: each of them gets a mail. */
export const MAX_NEW_ADDRESSES_PER_DAY = 20;

/** What began before a notification of incidents was deleted has ended so long after that. */
export const DELETION_SEEN_MS = 2 * MINUTE_MS;
/** Its row stays for its last messages. */
const DELETED_KEPT_MS = 2 * DAY_MS;

/** When the row of a deleted notification expires; undefined: it does not. */
export const expiresAtMsOf = ({ deletedAtMs }: Pick<Notification, 'deletedAtMs'>): number | undefined =>
  deletedAtMs === undefined ? undefined : deletedAtMs + DELETED_KEPT_MS;

/** What a user says about a notification, with every default filled in. Durations as given. */
export interface NotificationDefinition {
  on: readonly NotificationKind[];
  filter?: { tag: string };
  /** Present if `on` has `late`: an execution is late that has not ended this long after its due time. */
  lateAfter?: string;
  target: Target;
  /** Time between two messages about the problems of one job. */
  minInterval: string;
  format: NotificationFormat;
  /** How severe the incidents of a kind are. Absent: by `INCIDENT_SEVERITIES`. */
  severity?: Partial<Record<IncidentKind, Severity>>;
}

/** A notification. Its row in Jobs is at the same time the hidden job that delivers its messages. */
export interface Notification extends NotificationDefinition {
  project: string;
  id: string;
  /** Random; new with each change. */
  etag: string;
  createdAtMs: number;
  updatedAtMs: number;
  by: Actor;
  /** It is deleted, and stays until its incidents are resolved. */
  deletedAtMs?: number;
}

/** Reasons of skipped executions that no user asked for. */
const SKIPPED_BY_FAULT: ReadonlySet<Reason> = new Set(['misfire', 'overlap']);

/** What an end is to notifications; undefined: nothing. */
export function kindOfEnd({
  status,
  reason,
}: Pick<Execution, 'status' | 'reason'>): 'failed' | 'skipped' | 'succeeded' | undefined {
  if (status === 'failed' || status === 'succeeded') return status;
  const isFault = status === 'skipped' && reason !== undefined && SKIPPED_BY_FAULT.has(reason);
  return isFault ? 'skipped' : undefined;
}

/**
 * What an end is to one notification. A success out of its bounds is a problem to those that tell of it. To
 * all others it is a success.
 */
export const kindOfEndFor = (
  { on }: Pick<Notification, 'on'>,
  end: Pick<Execution, 'status' | 'reason' | 'pace'>,
): ReturnType<typeof kindOfEnd> | Pace => (end.pace && on.includes(end.pace) ? end.pace : kindOfEnd(end));

export const PROBLEMS = ['failed', 'skipped', 'late', 'slow', 'quick'] as const;
/** What makes an alert open. */
export type Problem = (typeof PROBLEMS)[number];

/** Whether a problem opens an alert. A notification of recoveries alone recovers from failures. */
export function opensAlert({ on }: Pick<Notification, 'on'>, problem: Problem): boolean {
  const named = PROBLEMS.filter((kind) => on.includes(kind));
  return named.length > 0 ? named.includes(problem) : problem === 'failed' && on.includes('recovered');
}

/** Whether a notification opens and resolves incidents. */
export const keepsIncidents = ({ target }: Pick<Notification, 'target'>): boolean => isIncidentTarget(target);

/**
 * Whether what opened an incident still concerns anyone: its job is there and has the notification's tag.
 * While a user has the job paused, it has no incident. A pause by `pauseAfter` ends none.
 */
export function causeStands(notification: Notification, job: Job | undefined, problemMs: number): boolean {
  if (!job || notification.deletedAtMs !== undefined || job.createdAtMs > problemMs) return false;
  const isPausedByUser = job.status === 'paused' && job.pausedVia !== 'system';
  return !isPausedByUser && passesFilter(notification, job);
}

/** Whether the job has the tag of the notification's filter. A deleted job has none. */
export function passesFilter({ filter }: Pick<Notification, 'filter'>, job: Job | undefined): boolean {
  if (!filter) return true;
  const colon = filter.tag.indexOf(':');
  return job?.tags[filter.tag.slice(0, colon)] === filter.tag.slice(colon + 1);
}

/** When an execution becomes late; undefined if the notification does not tell of late ones. */
export const lateAtMs = ({ on, lateAfter }: Notification, dueAtMs: number): number | undefined =>
  on.includes('late') && lateAfter !== undefined ? dueAtMs + parseDuration(lateAfter) : undefined;

/** In the format `cloudevents`, the content type of what an HTTP target gets says so. */
const targetOf = ({ target, format }: Notification): Target =>
  target.type === 'http' && format === 'cloudevents' ? { ...target, cloudEvents: 'structured' } : target;

/** The hidden job that delivers the messages of a notification. */
export const hiddenJobOf = (notification: Notification): Job =>
  hiddenJob({
    ...notification,
    target: targetOf(notification),
    userId: notification.project,
    jobId: notificationJobIdOf(notification.id),
    pool: DEFAULT_POOL,
  });

/** The notification's id in the id of its hidden job. */
export const notificationIdOf = (jobKey: string): string =>
  jobRefOf(jobKey).jobId.slice(notificationJobIdOf('').length);
