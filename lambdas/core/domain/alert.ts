import { createHash } from 'node:crypto';

import type { Problem } from './notification';

/** One message that an alert has decided on. What it says is read when it is filed. */
export interface Tell {
  kind: Problem | 'recovered' | 'succeeded';
  /** The execution that it is about, and its fence. */
  execId: string;
  fence: number;
  /** The time of what it tells: the end, or the moment at which it became late. */
  atMs: number;
  /** Since when the job has problems, and how many of them were seen. */
  sinceMs: number;
  count: number;
  /** The minute has had its messages: the summary of the minute tells it. */
  isInSummary?: true;
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
  /** When a problem, and when a success, was last the subject of a message. */
  notifiedMs: number;
  successNotifiedMs: number;
  /** The message that was told last. It is filed again if its recheck is repeated. */
  last?: Tell;
  /** A recovery whose message may not be filed yet. The alert stays open until it is. */
  recovery?: Tell;
  /** Problems that were counted, the newest last: a repeated recheck counts none again. */
  counted: readonly string[];
}

/** An end, or a late execution, as an alert sees it. */
export interface Sighting {
  kind: Problem | 'succeeded';
  execId: string;
  fence: number;
  atMs: number;
}

/** What a notification says about its messages. */
export interface AlertRules {
  opens(problem: Problem): boolean;
  tells(kind: Tell['kind']): boolean;
  minIntervalMs: number;
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

/** Two problems of one job have the same key with a chance of 1 in 10^10. */
const keyOf = ({ kind, execId, fence }: Sighting): string =>
  createHash('sha256')
    .update(`${kind === 'late' ? 'late' : 'end'}#${execId}#${fence}`)
    .digest('base64url')
    .slice(0, KEY_LENGTH);

/** The next state of an alert, and the message to file after it is written. */
export interface AlertStep {
  /** Undefined: the state stays as it is. */
  next?: Alert;
  tell?: Tell;
  /** The message may be filed already, by an earlier pass of the same recheck. */
  isRepeated?: true;
}

/**
 * What follows from one sighting, of an alert without a `recovery`. A repeated sighting changes nothing, and
 * files its message again. The caller writes the state before it files the message, and calls again if
 * another process was faster.
 */
export function seen(
  current: Alert | undefined,
  sighting: Sighting,
  rules: AlertRules,
  nowMs: number,
): AlertStep {
  const alert = current ?? NEW;
  return sighting.kind === 'succeeded'
    ? success(alert, sighting, rules, nowMs)
    : problem(alert, { ...sighting, kind: sighting.kind }, rules, nowMs);
}

function problem(
  alert: Alert,
  sighting: Sighting & { kind: Problem },
  rules: AlertRules,
  nowMs: number,
): AlertStep {
  const key = keyOf(sighting);
  if (alert.last && isAbout(alert.last, sighting)) return { tell: alert.last, isRepeated: true };
  if (!rules.opens(sighting.kind) || alert.counted.includes(key)) return {};
  const begins = !alert.isOpen;
  const sinceMs = begins ? sighting.atMs : Math.min(alert.sinceMs, sighting.atMs);
  const count = begins ? 1 : alert.count + 1;
  const isDue = rules.tells(sighting.kind) && nowMs - alert.notifiedMs >= rules.minIntervalMs;
  const tell: Tell | undefined = isDue ? { ...sighting, sinceMs, count } : undefined;
  return {
    next: {
      ...alert,
      version: alert.version + 1,
      isOpen: true,
      sinceMs,
      count,
      lastMs: Math.max(alert.lastMs, sighting.atMs),
      isNotified: (!begins && alert.isNotified) || isDue,
      counted: [...alert.counted, key].slice(-MAX_COUNTED),
      ...(tell && { last: tell, notifiedMs: nowMs }),
    },
    ...(tell && { tell }),
  };
}

function success(alert: Alert, sighting: Sighting, rules: AlertRules, nowMs: number): AlertStep {
  const { kind: _, ...end } = sighting;
  if (alert.isOpen && sighting.atMs >= alert.lastMs) {
    const { sinceMs, count } = alert;
    const isNotifiedToo = alert.isNotified || !rules.tells('failed');
    if (rules.tells('recovered') && isNotifiedToo) {
      const recovery: Tell = { ...end, kind: 'recovered', sinceMs, count };
      return { next: { ...alert, version: alert.version + 1, recovery }, tell: recovery };
    }
    return { next: closed(alert) };
  }
  const isRecovery = alert.last?.kind === 'recovered' && isSameEnd(alert.last, sighting);
  if (isRecovery || !rules.tells('succeeded')) return {};
  if (alert.last?.kind === 'succeeded' && isAbout(alert.last, sighting))
    return { tell: alert.last, isRepeated: true };
  if (nowMs - alert.successNotifiedMs < rules.minIntervalMs) return {};
  const tell: Tell = { ...end, kind: 'succeeded', sinceMs: sighting.atMs, count: 1 };
  const next = { ...alert, version: alert.version + 1, last: tell, successNotifiedMs: nowMs };
  return { next, tell };
}

/** The alert, once the message of its recovery is filed, or if there is none. */
export function closed({ recovery, ...alert }: Alert): Alert {
  return {
    ...alert,
    version: alert.version + 1,
    isOpen: false,
    isNotified: false,
    count: 0,
    ...(recovery && { last: recovery }),
  };
}

type End = Pick<Tell, 'execId' | 'fence'>;
const isSameEnd = (one: End, other: End): boolean => one.execId === other.execId && one.fence === other.fence;
const isAbout = (tell: Tell, sighting: Sighting): boolean =>
  tell.kind === sighting.kind && isSameEnd(tell, sighting);
