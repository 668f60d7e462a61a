/** Why the work on an execution has to stop. */
export type StopReason = 'cancelled' | 'lost' | 'timed-out' | 'stopped';

/** Between the end of what was aborted and the end of its lease. */
const SAFETY_MS = 2_000;
/** A sleeping machine fires no timer, so the clocks are read again at least this often. */
const LONGEST_WAIT_MS = 1_000;
/** Between two tries of a heartbeat. */
const RETRY_MS = 1_000;
/** Between two heartbeats of which the second one has a new progress: each costs a write. */
const PROGRESS_EVERY_MS = 5_000;

export interface LeaseRules {
  /** From the abort of the work until its forced end: at most a third of the heartbeat time-out. */
  graceMs: number;
  /** Time between a heartbeat that was acknowledged and the next one. */
  heartbeatEveryMs: number;
  /** Time limit of one heartbeat's request. */
  heartbeatWithinMs: number;
  /** The work is aborted this long after the last acknowledged heartbeat was sent. */
  keepsForMs: number;
  /** The work is aborted this long after it was claimed. */
  worksForMs: number;
}

/**
 * The times of one lease. What is aborted by them ends at least 2 s before another worker can get the lease.
 * An attempt shorter than 28 s keeps back a quarter of its time for that.
 */
export function leaseRulesOf(given: {
  heartbeatTimeoutMs: number;
  attemptTimeoutMs: number;
  graceMs: number;
}): LeaseRules {
  const { heartbeatTimeoutMs, attemptTimeoutMs } = given;
  const graceMs = Math.min(given.graceMs, heartbeatTimeoutMs / 3);
  const keepsForMs = Math.max(0, heartbeatTimeoutMs - graceMs - SAFETY_MS);
  return {
    graceMs,
    keepsForMs,
    heartbeatEveryMs: Math.min(heartbeatTimeoutMs / 3, keepsForMs / 2),
    heartbeatWithinMs: Math.max(1_000, Math.min(10_000, heartbeatTimeoutMs / 6)),
    worksForMs: attemptTimeoutMs - Math.min(graceMs + SAFETY_MS, attemptTimeoutMs / 4),
  };
}

/** What is known of a lease at one moment, in milliseconds since something happened. */
export interface LeaseState {
  /** Since the last acknowledged heartbeat was sent; before the first, since the claim was sent. */
  sinceKeptMs: number;
  /** Since the claim was answered. */
  sinceClaimedMs: number;
  /** Since the last heartbeat was tried; undefined before the first. */
  sinceTriedMs: number | undefined;
  isTrying: boolean;
  isAborted: boolean;
  /** The next heartbeat has something to tell. */
  hasProgress: boolean;
}

export type LeaseStep =
  | { step: 'abort'; reason: StopReason }
  | { step: 'heartbeat' }
  | { step: 'wait'; ms: number };

/** What to do next to keep a lease, or to stop in time. */
export function nextLeaseStep(state: LeaseState, rules: LeaseRules): LeaseStep {
  const { sinceKeptMs, sinceClaimedMs, sinceTriedMs = Infinity, isTrying, isAborted, hasProgress } = state;
  if (sinceKeptMs >= rules.keepsForMs) return { step: 'abort', reason: 'lost' };
  if (!isAborted && sinceClaimedMs >= rules.worksForMs) return { step: 'abort', reason: 'timed-out' };
  const untilKeepMs = Math.max(rules.heartbeatEveryMs - sinceKeptMs, RETRY_MS - sinceTriedMs);
  const untilSaidMs = hasProgress ? PROGRESS_EVERY_MS - sinceTriedMs : Infinity;
  const untilHeartbeatMs = Math.min(untilKeepMs, untilSaidMs);
  if (!isTrying && untilHeartbeatMs <= 0) return { step: 'heartbeat' };
  const untilTimeoutMs = isAborted ? Infinity : rules.worksForMs - sinceClaimedMs;
  const untilTryMs = isTrying ? Infinity : untilHeartbeatMs;
  const ms = Math.min(rules.keepsForMs - sinceKeptMs, untilTimeoutMs, untilTryMs, LONGEST_WAIT_MS);
  return { step: 'wait', ms };
}

/** Whether the lease must be kept by a heartbeat before the work may begin: its claim took long. */
export const mustKeepFirst = (sinceKeptMs: number, { heartbeatEveryMs }: LeaseRules): boolean =>
  sinceKeptMs >= heartbeatEveryMs;
