import { scheduleOf } from './entry-planning';
import { type Execution, isPlanned, type Reason } from './execution';
import type { Job } from './job';
import { isPlannedAt } from './planned-times';

type Eligibility =
  { call: true; job: Job } | { call: false; end: { status: 'skipped' | 'cancelled'; reason: Reason } };

export const skippedBy = (reason: Reason) => ({ call: false, end: { status: 'skipped', reason } }) as const;

/**
 * Whether a claimed execution may still call its target. `job` is read after the claim, so a pause, delete or
 * update that was acknowledged before the claim is obeyed.
 *
 * - A manual run needs the job to exist.
 * - Any other retry (fence above 1, or a user retry) needs the job to exist and not to be paused.
 * - The first attempt of a planned occurrence needs more. The schedule still plans it, and it was not due
 *   before the job was created or last resumed. An unchanged revision proves both.
 *
 * @param messageRevision the job's revision when the message was sent
 */
export function eligibilityOf(
  execution: Pick<Execution, 'fence' | 'trigger' | 'dueAtMs' | 'userRetried'>,
  job: Job | undefined,
  messageRevision: string,
): Eligibility {
  const planned = isPlanned(execution.trigger);
  const isFirst = planned && execution.fence <= 1 && !execution.userRetried;
  const status = isFirst ? 'skipped' : 'cancelled';
  if (!job) return { call: false, end: { status, reason: 'deleted' } };
  if (!planned) return { call: true, job };
  if (job.status === 'paused') return { call: false, end: { status, reason: 'paused' } };
  if (!isFirst || job.revision === messageRevision) return { call: true, job };
  if (job.activeSinceMs > execution.dueAtMs) {
    const wasResumed = job.activeSinceMs > job.createdAtMs;
    return { call: false, end: { status, reason: wasResumed ? 'paused' : 'superseded' } };
  }
  if (!isPlannedAt(job, scheduleOf(job), execution.dueAtMs)) {
    return { call: false, end: { status, reason: 'superseded' } };
  }
  return { call: true, job };
}
