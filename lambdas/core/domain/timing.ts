import { DAY_MS, MINUTE_MS, SECOND_MS } from '../clock/clock';
import { MAX_DELAY_SEC } from '../contracts/horizon';
import { minuteOf, minuteStartMs } from '../contracts/tables';
import { parseDuration } from '../schedule/duration';

/** Clocks of different machines are assumed to agree within this. */
export const CLOCK_SKEW_MS = 5 * SECOND_MS;

/** Beyond the horizon of the scanner; covers clock skew and a slow write. */
const DIRECT_BEYOND_MS = 2 * MINUTE_MS;

/**
 * Whether the scanner may already have passed the bucket of this instant: it reads buckets that begin within
 * the horizon. A stage that writes an entry there dispatches the entry itself.
 */
export const mayBeScanned = (checkAtMs: number, nowMs: number, horizonMs: number): boolean =>
  minuteStartMs(minuteOf(checkAtMs)) < nowMs + horizonMs + DIRECT_BEYOND_MS;

/**
 * Whether a stage may have sent the message of an occurrence before its job changed: stages send only what a
 * scanner may have passed. The margin covers the bucket and the clocks.
 */
export const mayHaveBeenSent = (dueAtMs: number, changedAtMs: number, horizonMs: number): boolean =>
  dueAtMs < changedAtMs + horizonMs + DIRECT_BEYOND_MS + MINUTE_MS + 2 * CLOCK_SKEW_MS;

/** A run waits for its gates, and lasts at most 30 days: what it was given is kept so long. */
export const LONGEST_RUN_MS = 62 * DAY_MS;

/** A run that has waited for its gates for longer than this is not counted. */
export const LIVE_WAIT_MS = DAY_MS;

/**
 * Whether a run counts as live. The auditor counts the rows of a job from an instant on, by their due times.
 * So neither a backfill counts, which may belong to a plain job, nor a run of a date that lies behind.
 */
export const countsAsLive = (run: {
  dueAtMs: number;
  backfill?: object;
  run: { startedAtMs: number };
}): boolean => !run.backfill && run.dueAtMs >= run.run.startedAtMs - LIVE_WAIT_MS;

/** The sweeper rechecks every entry this long after its time. */
export const RECHECK_AFTER_MS = 20 * SECOND_MS;
/** From so long after its time on, another clock may have rechecked an entry. */
export const EARLIEST_RECHECK_MS = RECHECK_AFTER_MS - CLOCK_SKEW_MS;

/**
 * A write stamped with a clock reading is abandoned if it is not acknowledged within this. With the clock
 * skew it is well below `RECHECK_AFTER_MS`, so nothing is ever written behind the sweep.
 */
export const WRITE_DEADLINE_MS = 10 * SECOND_MS;
/** Such a write is applied within this of its stamp, by any clock. */
export const APPLIED_WITHIN_MS = WRITE_DEADLINE_MS + CLOCK_SKEW_MS;

/**
 * An invocation of Lambda lasts 15 minutes at most, so what one has decided to write is written, or never is,
 * within this. It covers the clocks and the last request.
 */
export const WRITTEN_WITHIN_MS = 16 * MINUTE_MS;

/**
 * An occurrence due before this is no longer claimed as new. TTL may have removed its row, and a second claim
 * could run it twice.
 */
export const oldestClaimedMs = (nowMs: number, retentionDays: number): number =>
  nowMs - (retentionDays - 1) * DAY_MS;

/** When such an occurrence is claimed as new for the last time. */
export const claimedThroughMs = (dueAtMs: number, retentionDays: number): number =>
  dueAtMs + (retentionDays - 1) * DAY_MS;

/** End of retention of an execution that finishes at `finishedAtMs`, in seconds. */
export const expiresAtSecAfter = (finishedAtMs: number, retentionDays: number): number =>
  Math.ceil((finishedAtMs + retentionDays * DAY_MS) / SECOND_MS);

const DELIVERY_LEAD_MS = 100;

/**
 * `DelaySeconds` of a message that shall be received within the second before `startAtMs`; at most 900. A
 * lead of 0.1 s covers the way from the queue to the executor, which waits for the exact instant.
 */
export const delaySecFor = (startAtMs: number, nowMs: number, leadMs: number = DELIVERY_LEAD_MS): number =>
  Math.min(MAX_DELAY_SEC, Math.max(0, Math.floor((startAtMs - nowMs - leadMs) / SECOND_MS)));

/** The parts of an execution that say how long it took. */
interface Worked {
  startedAtMs?: number;
  finishedAtMs?: number;
  userRetries?: number;
  attempts: readonly { attempt: number; fence: number; startedAtMs: number }[];
  run?: { reopenedAtMs?: number };
}

/**
 * The first record since the last retry by a user. After that, attempts begin at 1, and fences go on: so the
 * difference of the two is greater. Attempts that a worker gave back have a number each, and no record.
 */
function firstRecordOf({ attempts }: Worked): Worked['attempts'][number] | undefined {
  const ofLife = (one: Worked['attempts'][number]) => one.fence - one.attempt;
  const last = attempts.at(-1);
  return last && attempts.find((one) => ofLife(one) === ofLife(last));
}

/**
 * When an execution began again after the last retry by a user. Undefined: no user has retried it, or it has
 * not begun again. A run has no attempts of its own.
 */
export function retriedAtMs(execution: Worked): number | undefined {
  const { userRetries, attempts, run } = execution;
  if (userRetries === undefined) return undefined;
  if (run) return run.reopenedAtMs;
  const first = firstRecordOf(execution);
  return first && (first !== attempts[0] || first.fence > 1) ? first.startedAtMs : undefined;
}

/**
 * What an execution took, from the start of its first attempt to its end, pauses between attempts included.
 * After a retry by a user, it counts from there. Claims that were given back before it do not count.
 * Never below 0: the clock that ended it may be behind the one that claimed it. Undefined: it has not
 * started, or has not ended.
 */
export function durationMsOf(execution: Worked): number | undefined {
  const { startedAtMs, finishedAtMs } = execution;
  const first = firstRecordOf(execution);
  const begunAtMs = retriedAtMs(execution) ?? (first && first.attempt > 1 ? first.startedAtMs : startedAtMs);
  if (begunAtMs === undefined || finishedAtMs === undefined) return undefined;
  return Math.max(0, finishedAtMs - begunAtMs);
}

/** What a job says of the durations of its successes: one bound at least. Both are within them. */
export interface DurationBounds {
  min?: string;
  max?: string;
}

/** How a success took longer, or less long, than its job expects. */
export type Pace = 'slow' | 'quick';

/** Undefined: the duration is within its bounds, or not known. */
export function paceOf(durationMs: number | undefined, { min, max }: DurationBounds): Pace | undefined {
  if (durationMs === undefined) return undefined;
  if (max !== undefined && durationMs > parseDuration(max)) return 'slow';
  return min !== undefined && durationMs < parseDuration(min) ? 'quick' : undefined;
}
