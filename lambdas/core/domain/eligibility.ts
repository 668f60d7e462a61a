import { namesCause } from './cause';
import { scheduleOf } from './entry-planning';
import { type Execution, isAskedFor, type Reason } from './execution';
import { type Job, plannedSinceMs } from './job';
import { isPlannedAt } from './planned-times';
import { CLOCK_SKEW_MS } from './timing';

type Eligibility =
  { call: true; job: Job } | { call: false; end: { status: 'skipped' | 'cancelled'; reason: Reason } };

export const skippedBy = (reason: Reason) => ({ call: false, end: { status: 'skipped', reason } }) as const;

type Claimed = Pick<Execution, 'fence' | 'trigger' | 'dueAtMs' | 'userRetries' | 'revision'> &
  Partial<Pick<Execution, 'attempts' | 'startedAtMs' | 'cause'>>;

/**
 * Whether a claimed execution may still call its target. `job` is read after the claim, so a pause, delete or
 * update that was acknowledged before the claim is obeyed. The job is planned by the calendars as they are
 * then, even if it has not been replanned yet.
 *
 * - A manual run, and a child of a run, need the job to exist.
 * - A run that a cause started needs the job to exist and not to be paused. If it was not called before, the
 *   schedule must still name the cause.
 * - A planned occurrence that was called before, or that a user retries, needs the job to exist and not to be
 *   paused.
 * - One that was not called before needs more. The schedule still plans it, and it was not due before the job
 *   was created or last resumed. An unchanged revision proves both.
 */
export function eligibilityOf(execution: Claimed, job: Job | undefined): Eligibility {
  const isAsked = isAskedFor(execution.trigger);
  const status = !isAsked && execution.fence <= 1 && !execution.userRetries ? 'skipped' : 'cancelled';
  if (!job) return { call: false, end: { status, reason: 'deleted' } };
  if (isAsked) return { call: true, job };
  if (job.status === 'paused') return { call: false, end: { status, reason: 'paused' } };
  if (job.revision === execution.revision || wasEligible(execution, job)) return { call: true, job };
  if (execution.cause) {
    const isNamed = namesCause(job.schedule, execution.cause);
    return isNamed ? { call: true, job } : { call: false, end: { status, reason: 'superseded' } };
  }
  if (job.activeSinceMs > execution.dueAtMs) {
    const wasResumed = job.activeSinceMs > job.createdAtMs;
    return { call: false, end: { status, reason: wasResumed ? 'paused' : 'superseded' } };
  }
  if (!isPlannedAt(job, scheduleOf(job), execution.dueAtMs)) {
    return { call: false, end: { status, reason: 'superseded' } };
  }
  return { call: true, job };
}

/** Whether an earlier attempt has passed its checks, or a user retries the execution: that needs no proof. */
export const hasCalled = ({ fence, userRetries, attempts = [] }: Claimed): boolean =>
  Boolean(userRetries) || (fence > 1 && attempts.some(({ outcome }) => outcome !== 'lost'));

/**
 * Whether an earlier attempt may have called the target rightly, so that this one goes on with it. A lost
 * attempt proves that only if its claim came before the job last changed: its executor may have died before
 * it read the job.
 */
export function wasEligible(
  execution: Claimed,
  job: Pick<Job, 'activeSinceMs' | 'scheduleChangedAtMs' | 'replannedAtMs'> | undefined,
): boolean {
  if (hasCalled(execution)) return true;
  const { fence, startedAtMs = Number.POSITIVE_INFINITY } = execution;
  if (fence <= 1) return false;
  const changedAtMs = job ? plannedSinceMs(job) : 0;
  return startedAtMs < changedAtMs - CLOCK_SKEW_MS;
}
