import { isPast, later, type Moment } from '../../../client/worker';

/** Until when a process group may live. */
export interface GroupLimits {
  group: number;
  /** When it gets SIGTERM; null if it has got it. */
  terminateAt: Moment | null;
  /** When it is ended by force. */
  killAt: Moment;
  graceMs: number;
}

/** A line that the worker sends to its watchdog. */
export type WatchdogMessage = { watch: GroupLimits } | { forget: number };

/** The worker itself acts first: the watchdog is for a worker that is frozen. */
const BEHIND_MS = 250;

/** The limits of a group whose lease is kept until a moment. */
export const limitsOfLease = (group: number, keptUntil: Moment, graceMs: number): GroupLimits => ({
  group,
  terminateAt: later(keptUntil, BEHIND_MS),
  killAt: later(keptUntil, BEHIND_MS + graceMs),
  graceMs,
});

/** The limits of a group to which the worker has sent SIGTERM. */
export const limitsOfEnding = (group: number, now: Moment, graceMs: number): GroupLimits => ({
  group,
  terminateAt: null,
  killAt: later(now, BEHIND_MS + graceMs),
  graceMs,
});

/** What the worker's death changes: the group gets SIGTERM at once. */
export const afterDeath = (limits: GroupLimits, now: Moment): GroupLimits => {
  if (limits.terminateAt === null) return limits;
  const killAt = later(now, limits.graceMs);
  return { ...limits, terminateAt: now, killAt: isPast(limits.killAt, killAt) ? limits.killAt : killAt };
};

/** What the watchdog does with a group at a moment. */
export function actionAt(
  { terminateAt, killAt }: GroupLimits,
  now: Moment,
): 'kill' | 'terminate' | 'nothing' {
  if (isPast(killAt, now)) return 'kill';
  return terminateAt !== null && isPast(terminateAt, now) ? 'terminate' : 'nothing';
}
