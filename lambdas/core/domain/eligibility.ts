import { runsThrough, scheduleOf } from './entry-planning';
import type { Execution, Reason } from './execution';
import type { Job } from './job';

export type Eligibility =
  { call: true; job: Job } | { call: false; end: { status: 'skipped' | 'cancelled'; reason: Reason } };

export const skippedBy = (reason: Reason) => ({ call: false, end: { status: 'skipped', reason } }) as const;

/**
 * Whether a claimed execution may still call its target, by the job as it was read after the claim: so a pause, delete or
 * update that answered before the claim is obeyed.
 *
 * A manual run asks only that the job exists; any other retry (fence above 1, or its user's) that it exists and is not paused. A
 * planned occurrence must still be one of the schedule's, and not lie before the job was created or last resumed.
 */
export function eligibilityOf(
  execution: Pick<Execution, 'fence' | 'trigger' | 'dueAtMs' | 'userRetried'>,
  job: Job | undefined,
  messageRevision: string,
): Eligibility {
  const again = execution.fence > 1 || execution.trigger === 'manual' || execution.userRetried;
  const status = again ? 'cancelled' : 'skipped';
  if (!job) return { call: false, end: { status, reason: 'deleted' } };
  if (execution.trigger === 'manual') return { call: true, job };
  if (job.status === 'paused') return { call: false, end: { status, reason: 'paused' } };
  if (again || job.revision === messageRevision) return { call: true, job };
  if (job.activeSinceMs > execution.dueAtMs) {
    return {
      call: false,
      end: { status, reason: job.activeSinceMs > job.createdAtMs ? 'paused' : 'superseded' },
    };
  }
  if (!isPlanned(job, execution.dueAtMs)) return { call: false, end: { status, reason: 'superseded' } };
  return { call: true, job };
}

/** Whether the schedule as it is now has this due time, within its `maxRuns`. */
function isPlanned(job: Job, dueAtMs: number): boolean {
  const schedule = scheduleOf(job);
  const { maxRuns } = schedule;
  return (
    schedule.occursAt(dueAtMs) && (maxRuns === undefined || runsThrough(job, schedule, dueAtMs - 1) < maxRuns)
  );
}
