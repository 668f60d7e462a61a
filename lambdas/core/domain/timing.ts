import { DAY_MS, MINUTE_MS, SECOND_MS } from '../clock/clock';
import { MAX_DELAY_SEC } from '../contracts/horizon';
import { minuteOf, minuteStartMs } from '../contracts/tables';

/** Clocks of different machines are taken to agree within this. */
export const CLOCK_SKEW_MS = 5 * SECOND_MS;

/** Beyond the horizon of the scanner; covers clock skew and a slow write. */
const DIRECT_BEYOND_MS = 2 * MINUTE_MS;

/**
 * Whether the scanner, which works on buckets that begin within the horizon, may already have passed the bucket of this
 * instant. Whoever writes an entry there does the scanner's step itself.
 */
export const mayBeScanned = (checkAtMs: number, nowMs: number, horizonMs: number): boolean =>
  minuteStartMs(minuteOf(checkAtMs)) < nowMs + horizonMs + DIRECT_BEYOND_MS;

/** Every entry is looked at a second time this long after its time. */
export const RECHECK_AFTER_MS = 20 * SECOND_MS;

/**
 * A write stamped with a clock reading is given up where it is not acknowledged within this. With the clock skew it
 * stays well below `RECHECK_AFTER_MS`, so nothing is ever written behind the sweep.
 */
export const WRITE_DEADLINE_MS = 10 * SECOND_MS;

/**
 * An occurrence due before this is not claimed as new any more: its row may have come and gone by TTL, and claiming it
 * again could run it twice.
 */
export const oldestClaimedMs = (nowMs: number, retentionDays: number): number =>
  nowMs - (retentionDays - 1) * DAY_MS;

/** End of retention of what finishes at `finishedAtMs`, in seconds. */
export const expiresAtSecAfter = (finishedAtMs: number, retentionDays: number): number =>
  Math.ceil((finishedAtMs + retentionDays * DAY_MS) / SECOND_MS);

/**
 * Seconds of `DelaySeconds` for a message that shall be received within the second before `startAtMs`.
 * A tenth of a second of lead covers the way from the queue to the executor, which waits for the exact instant.
 */
export const delaySecFor = (startAtMs: number, nowMs: number): number =>
  Math.min(MAX_DELAY_SEC, Math.max(0, Math.floor((startAtMs - nowMs - DELIVERY_LEAD_MS) / SECOND_MS)));
const DELIVERY_LEAD_MS = 100;
