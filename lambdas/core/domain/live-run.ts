import { DAY_MS } from '../clock/clock';
import type { Run } from './execution';

/** A run that has waited for its gates for longer than this is not counted. */
export const LIVE_WAIT_MS = DAY_MS;

/**
 * Whether a run counts as live. The auditor counts the rows of a job from an instant on, by their due times.
 * So neither a backfill counts, which may belong to a plain job, nor a run of a date that lies behind.
 */
export const countsAsLive = ({ dueAtMs, backfill, run }: Run): boolean =>
  !backfill && dueAtMs >= run.startedAtMs - LIVE_WAIT_MS;
