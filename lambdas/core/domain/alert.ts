import { createHash } from 'node:crypto';

import { type Problem, PROBLEMS } from './notification';

/** One message that is decided on. What it says is read when it is filed. */
export interface Tell {
  kind: Problem | 'recovered' | 'succeeded' | 'withdrawn';
  /** The execution that it is about, and its fence. */
  execId: string;
  fence: number;
  /** The time of what it tells: the end, or the moment at which it became late. */
  atMs: number;
  /** Since when the job has problems, and how many of them were seen. */
  sinceMs: number;
  count: number;
}

/** What one notification knows of one job. A row under 1 KB. */
export interface Alert {
  /** Rises with each write. */
  version: number;
  /** Whether the job has problems now. */
  isOpen: boolean;
  /** The first problem since the last success, and how many there were. */
  sinceMs: number;
  count: number;
  /** The time of the newest problem: a success that ended before it is no recovery. */
  lastMs: number;
  /** Whether a message was about these problems. */
  isNotified: boolean;
  /** When its incident was opened: it names the rechecks that watch it. Absent: none is open. */
  openedMs?: number;
  /** When a problem, and when a success, was last the subject of a message. */
  notifiedMs: number;
  successNotifiedMs: number;
  /** The message that was filed last, or is in the summary of its minute. */
  last?: Tell;
  /** A message that may not be filed yet. No other is decided on before it is. */
  pending?: Tell;
  /** Problems that were counted, the newest last: a repeated recheck counts none again. */
  counted: readonly string[];
}

/** An end, or a late execution, as an alert sees it. `withdrawn`: the cause of an incident is gone. */
export interface Sighting {
  kind: Problem | 'succeeded' | 'withdrawn';
  execId: string;
  fence: number;
  atMs: number;
}

/** What a notification says about its messages. */
export interface AlertRules {
  opens(problem: Problem): boolean;
  tells(kind: Tell['kind']): boolean;
  minIntervalMs: number;
  /** The first problem opens an incident, whatever the interval. */
  opensIncidents?: boolean;
}

const NEW: Alert = {
  version: 0,
  isOpen: false,
  sinceMs: 0,
  count: 0,
  lastMs: 0,
  isNotified: false,
  notifiedMs: 0,
  successNotifiedMs: 0,
  counted: [],
};
/** So many keys fit beside the rest of the row into 1 KB. */
const MAX_COUNTED = 40;
const KEY_LENGTH = 6;

/**
 * Two problems of one job have the same key with a chance of 1 in 10^10. What was never claimed may fail, be
 * retried by its user, and fail again, with the fence that it had.
 */
const keyOf = ({ kind, execId, fence, atMs }: Sighting): string => {
  // The end of a skipped range moves as the range grows, and the range is one problem.
  const isUnclaimed = kind === 'failed' && fence === 0;
  return createHash('sha256')
    .update(`${kind === 'late' ? 'late' : 'end'}#${execId}#${fence}${isUnclaimed ? `#${atMs}` : ''}`)
    .digest('base64url')
    .slice(0, KEY_LENGTH);
};

/**
 * The next state of an alert after one sighting; undefined: a repeated sighting, and some others, change
 * nothing. The caller writes the state, files its pending message, and writes it as `filed`. If another
 * process was faster, the caller reads it, and calls again.
 *
 * @param current without a pending message
 */
export function seen(
  current: Alert | undefined,
  sighting: Sighting,
  rules: AlertRules,
  nowMs: number,
): Alert | undefined {
  const alert = current ?? NEW;
  const { kind } = sighting;
  if (kind === 'succeeded') return success(alert, sighting, rules, nowMs);
  return kind === 'withdrawn'
    ? withdrawal(alert, sighting)
    : problem(alert, { ...sighting, kind }, rules, nowMs);
}

function problem(
  alert: Alert,
  sighting: Sighting & { kind: Problem },
  rules: AlertRules,
  nowMs: number,
): Alert | undefined {
  const key = keyOf(sighting);
  if (!rules.opens(sighting.kind) || alert.counted.includes(key)) return undefined;
  const begins = !alert.isOpen;
  const sinceMs = begins ? sighting.atMs : Math.min(alert.sinceMs, sighting.atMs);
  const count = begins ? 1 : alert.count + 1;
  // A notification of another kind may have told it before its target was one of incidents.
  const isUnopened = !alert.isNotified || alert.openedMs === undefined;
  const isFirst = rules.opensIncidents === true && (begins || isUnopened);
  const isDue = rules.tells(sighting.kind) && (isFirst || nowMs - alert.notifiedMs >= rules.minIntervalMs);
  return {
    ...alert,
    version: alert.version + 1,
    isOpen: true,
    sinceMs,
    count,
    lastMs: Math.max(alert.lastMs, sighting.atMs),
    isNotified: (!begins && alert.isNotified) || isDue,
    counted: [...alert.counted, key].slice(-MAX_COUNTED),
    ...(isDue && { ...pendingOf({ ...sighting, sinceMs, count }), notifiedMs: nowMs }),
    ...(isDue && isFirst && { openedMs: nowMs }),
  };
}

/** The cause is gone without a success: the job is, say, deleted. */
function withdrawal(alert: Alert, { execId, fence, atMs }: Sighting): Alert | undefined {
  if (!alert.isOpen) return undefined;
  if (!alert.isNotified) return closed(alert);
  const { sinceMs, count } = alert;
  const tell: Tell = { kind: 'withdrawn', execId, fence, atMs, sinceMs, count };
  return { ...alert, version: alert.version + 1, ...pendingOf(tell) };
}

function success(alert: Alert, sighting: Sighting, rules: AlertRules, nowMs: number): Alert | undefined {
  const version = alert.version + 1;
  const { kind: _, ...end } = sighting;
  if (alert.isOpen && sighting.atMs >= alert.lastMs) {
    const { sinceMs, count } = alert;
    const isNotifiedToo = alert.isNotified || !PROBLEMS.some(rules.tells);
    if (rules.tells('recovered') && isNotifiedToo) {
      return { ...alert, version, ...pendingOf({ ...end, kind: 'recovered', sinceMs, count }) };
    }
    return closed(alert);
  }
  const { last } = alert;
  const isFiled = last?.kind === 'recovered' || last?.kind === 'succeeded';
  if (!rules.tells('succeeded') || (isFiled && isSameEnd(last, sighting))) return undefined;
  if (nowMs - alert.successNotifiedMs < rules.minIntervalMs) return undefined;
  const tell: Tell = { ...end, kind: 'succeeded', sinceMs: sighting.atMs, count: 1 };
  return { ...alert, version, ...pendingOf(tell), successNotifiedMs: nowMs };
}

/** In place of the last message: the row has room for one. */
const pendingOf = (tell: Tell): Pick<Alert, 'pending' | 'last'> => ({ pending: tell, last: undefined });

/** The alert without problems. */
export const closed = ({ openedMs: _, ...alert }: Alert): Alert => ({
  ...alert,
  version: alert.version + 1,
  isOpen: false,
  isNotified: false,
  count: 0,
});

/** The alert of a job that has the id of a deleted one: neither its problems nor its messages count. */
export const begunAnew = (alert: Alert): Alert => ({ ...closed(alert), notifiedMs: 0, successNotifiedMs: 0 });

/** Whether a message says that the problems of a job are over. */
export const saysOver = ({ kind }: Pick<Tell, 'kind'>): boolean =>
  kind === 'recovered' || kind === 'withdrawn';

/** The alert, once its pending message is filed. It is open until its recovery is. */
export function filed({ pending, ...alert }: Alert): Alert {
  const next = pending && saysOver(pending) ? closed(alert) : { ...alert, version: alert.version + 1 };
  return { ...next, ...(pending && { last: pending }) };
}

type End = Pick<Tell, 'execId' | 'fence'>;
const isSameEnd = (one: End, other: End): boolean => one.execId === other.execId && one.fence === other.fence;

/** Whether the incident of an alert is to be open: its job has problems, and a message has opened it. */
export const isIncidentOpen = (alert: Alert | undefined): alert is Alert =>
  alert?.openedMs !== undefined && alert.isOpen && !(alert.pending && saysOver(alert.pending));
