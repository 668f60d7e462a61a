import { SECOND_MS } from '../clock/clock';
import type { Job } from '../domain/job';
import { endOfPlan } from '../domain/planned-times';
import { expiresAtSecAfter } from '../domain/timing';
import { parseDuration } from '../schedule/duration';
import type { Schedule } from '../schedule/schedule';

/**
 * The row of a job whose schedule ends, by itself or by `endAt` or `maxRuns`, may expire once its history has
 * expired. Other rows stay.
 */
export function withExpiry(
  given: Job,
  schedule: Schedule,
  { retentionDays }: { retentionDays: number },
): { job: Job; schedule: Schedule } {
  const { expiresAtSec: _, ...job } = given;
  const lastMs = endOfPlan(job, schedule);
  if (lastMs === undefined) return { job, schedule };
  const settledByMs = lastMs + settlesWithinMs(job);
  return { job: { ...job, expiresAtSec: expiresAtSecAfter(settledByMs, retentionDays) }, schedule };
}

/** The last due time at which a run still finds the row of its job. Undefined: the row stays. */
export const lastDueMsOf = (job: Job): number | undefined =>
  job.expiresAtSec === undefined ? undefined : job.expiresAtSec * SECOND_MS - settlesWithinMs(job);

/** How long after its due time an execution may still be retried and run. */
const settlesWithinMs = ({ retry, timeout }: Pick<Job, 'retry' | 'timeout'>): number =>
  parseDuration(retry.maxAge) + parseDuration(timeout);
