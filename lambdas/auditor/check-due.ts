import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/clock/clock';
import { jobKeyOf } from '../core/contracts/tables';
import { decidedAfterMs, scheduleOf } from '../core/domain/entry-planning';
import type { Job } from '../core/domain/job';
import { shardOf } from '../core/domain/shard';

/** Passes are ten minutes apart: each check is repeated often enough for some of them to fail. */
const AROUND_MS = 2 * HOUR_MS;
const SLOT_MS = 10 * MINUTE_MS;
const SLOTS_A_DAY = DAY_MS / SLOT_MS;

/**
 * Whether this pass reads the pending entry of an active job. An entry is lost where one is written: at a
 * change of the job, and at each occurrence. So it is read for two hours after those. It is also read for two
 * hours before the next occurrence, so that a lost one is repaired in time, whatever took it away. Apart from
 * that, one pass a day reads it. Throws if the schedule cannot be read.
 */
export function isCheckDue(job: Job, nowMs: number): boolean {
  if (nowMs - Math.max(job.updatedAtMs, job.activeSinceMs) < AROUND_MS) return true;
  const decidedMs = nowMs - decidedAfterMs(job);
  if (scheduleOf(job).next(decidedMs - AROUND_MS, decidedMs + AROUND_MS) !== undefined) return true;
  return shardOf(jobKeyOf(job), SLOTS_A_DAY) === Math.floor(nowMs / SLOT_MS) % SLOTS_A_DAY;
}

/** So long after maintenance mode, each pass reads the entries of all jobs: tables may have been restored. */
export const CHECKS_ALL_MS = AROUND_MS;
