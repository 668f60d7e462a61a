import { HOUR_MS, SECOND_MS } from '../../clock/clock';
import { RECHECK_AFTER_MS } from '../timing';
import { FINALLY_WITHIN_MS } from './progress';

const LONGEST_MS = HOUR_MS;
/** Instants of rechecks are whole multiples of this, or of it times a power of two. */
const GRID_MS = 10 * SECOND_MS;
/** The instant of an alarm: none of the grid. Its entry would have the key of a recheck's there. */
export const alarmAtMs = (atMs: number): number => (atMs % GRID_MS === 0 ? atMs + 1 : atMs);
/** What only a recheck finds is late by at most this part of the time that it has waited. */
const PART_WAITED = 4;

interface RecheckedRun {
  nowMs: number;
  lastMoveMs: number;
  endsAtMs: number;
  /** When the times of its approvals are over. */
  dueMs: readonly number[];
  /** A process is at work on a task, or is to be. */
  isWorking: boolean;
  /** The shortest pause. */
  leastMs: number;
}

/**
 * When to recheck a run again. While a process is at work in it, that is soon. While it only waits, the pause
 * grows. It is rechecked at the end of its time in any case. The instant is rounded up to a grid that grows
 * with the pause. So several series of rechecks become one.
 */
export function nextRunRecheckMs({
  nowMs,
  lastMoveMs,
  endsAtMs,
  dueMs,
  isWorking,
  leastMs,
}: RecheckedRun): number {
  const waitedMs = Math.max(0, nowMs - lastMoveMs);
  const pauseMs = isWorking
    ? leastMs
    : Math.max(leastMs, RECHECK_AFTER_MS, Math.min(LONGEST_MS, waitedMs / PART_WAITED));
  const gridMs = GRID_MS * 2 ** Math.max(0, Math.floor(Math.log2(pauseMs / (PART_WAITED * GRID_MS))));
  const atMs = Math.ceil((nowMs + pauseMs) / gridMs) * gridMs;
  const bounds = [endsAtMs, endsAtMs + FINALLY_WITHIN_MS, ...dueMs]
    .map((ms) => ms + SECOND_MS)
    .filter((ms) => ms > nowMs);
  return Math.max(nowMs + leastMs, Math.min(atMs, ...bounds));
}
