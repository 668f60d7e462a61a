import { MINUTE_MS } from '../clock/clock';
import type { Execution } from './execution';
import type { Job } from './job';
import { CLOCK_SKEW_MS } from './timing';

/**
 * A run that a user asks for now, and that is due later. It uses its job as that is then. Until its first
 * attempt it can be moved, and a pause of its job holds it.
 */
type Waiting = Pick<
  Execution,
  'status' | 'attempts' | 'userRetries' | 'delayedOf' | 'heldAtMs' | 'startAtMs'
>;

/** Whether no attempt has called for it yet, and none is about to. */
export const isUnstarted = ({
  status,
  attempts,
  userRetries,
}: Pick<Execution, 'status' | 'attempts' | 'userRetries'>): boolean =>
  (status === 'queued' || status === 'retrying') && attempts.length === 0 && userRetries === undefined;

/** Whether the pause of its job holds it: it has been asked for, and no attempt of it has begun. */
export const isHeldBy = (
  { attempts, userRetries, delayedOf }: Pick<Execution, 'attempts' | 'userRetries' | 'delayedOf'>,
  job: Pick<Job, 'status'> | undefined,
): boolean =>
  job?.status === 'paused' && delayedOf !== undefined && attempts.length === 0 && userRetries === undefined;

/** Whether its job was deleted since it was asked for. Another job may have that id by now. */
export const isOfDeletedJob = (
  { delayedOf, userRetries }: Pick<Execution, 'delayedOf' | 'userRetries'>,
  job: Pick<Job, 'createdAtMs'>,
): boolean => delayedOf !== undefined && userRetries === undefined && delayedOf !== job.createdAtMs;

/**
 * Whether it has left the gates at which it waited: it was moved to a later time, or is held. What its
 * tickets and places say does not count. It passes the gates anew at its time.
 */
export const isPutOff = (row: Waiting, nowMs: number): boolean =>
  row.delayedOf !== undefined && isUnstarted(row) && (row.startAtMs ?? 0) > nowMs + CLOCK_SKEW_MS;

/** `startAtMs` of a held run: no claim comes before the sweeper releases it. */
export const HELD_START_MS = Date.UTC(9999, 0);

const LONGEST_CHECK_MS = 10 * MINUTE_MS;

/**
 * When a held run is rechecked: 1, 2, 4 and 8 minutes after it was held, then every ten. So what several
 * rechecks file at a time is one entry.
 */
export function nextHeldCheckMs(heldAtMs: number, nowMs: number): number {
  const heldMs = Math.max(0, nowMs - heldAtMs);
  for (let stepMs = MINUTE_MS; stepMs < LONGEST_CHECK_MS; stepMs *= 2)
    if (stepMs > heldMs) return heldAtMs + stepMs;
  return heldAtMs + (Math.floor(heldMs / LONGEST_CHECK_MS) + 1) * LONGEST_CHECK_MS;
}
