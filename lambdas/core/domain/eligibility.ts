import { MINUTE_MS } from '../clock/clock';
import { isHiddenJob, jobKeyOf } from '../contracts/tables';
import { namesCause } from './cause';
import { type JobOfEntry, occursWithoutCalendars, scheduleOf } from './entry-planning';
import { type Execution, isAskedFor } from './execution';
import type { Reason } from './reason';
import { isPausedAt, type Job } from './job';
import { isPlannedAt } from './planned-times';
import { CLOCK_SKEW_MS } from './timing';

export type Eligibility =
  | { call: true; job: Job }
  | { call: false; end: { status: 'skipped' | 'cancelled'; reason: Reason } };

export const skippedBy = (reason: Reason) => ({ call: false, end: { status: 'skipped', reason } }) as const;

type Claimed = Pick<Execution, 'fence' | 'trigger' | 'dueAtMs' | 'userRetries' | 'revision'> &
  Partial<Pick<Execution, 'attempts' | 'startedAtMs' | 'cause' | 'delayedOf' | 'jobCreatedAtMs'>>;

/**
 * Whether a claimed execution may still call its target. `job` is read after the claim, so a pause, delete or
 * update that was acknowledged before the claim is obeyed. The job is planned by the calendars as they are
 * then, even if it has not been replanned yet.
 *
 * - All need the job to exist, and to be the one for which they have begun. A manual run, and one that a
 *   cause started, need that one from the start. A user retry takes another job that has the id by now, too.
 * - A manual run, and a child of a run, need nothing else. A delayed run needs a job that is not paused. A
 *   pause holds it before its first attempt (`isHeldBy`).
 * - A run that a cause started needs a job that is not paused. If it was not called before, the schedule must
 *   still name the cause.
 * - A planned occurrence that was called before, or that a user retries, needs a job that is not paused.
 * - One that was not called before needs more. The schedule still plans it, and it was not due before the job
 *   was created or last resumed. An unchanged revision proves both.
 */
export function eligibilityOf(execution: Claimed, job: Job | undefined): Eligibility {
  const isAsked = isAskedFor(execution);
  const isFirst = execution.fence <= 1 || (execution.delayedOf !== undefined && !execution.attempts?.length);
  const status = !isAsked && isFirst && !execution.userRetries ? 'skipped' : 'cancelled';
  if (!job || isOfDeletedJob(execution, job)) return { call: false, end: { status, reason: 'deleted' } };
  if (isAsked) return { call: true, job };
  if (isPausedAt(job, execution.dueAtMs)) return { call: false, end: { status, reason: 'paused' } };
  if (execution.delayedOf !== undefined) return { call: true, job };
  if (job.revision === execution.revision || hasCalled(execution)) return { call: true, job };
  const reason = whyNot(execution, job);
  return reason ? { call: false, end: { status, reason } } : { call: true, job };
}

/** What a job's occurrences depend on, now or in a state that it had. */
export interface PlanningJob
  extends
    JobOfEntry,
    Pick<Job, 'status' | 'createdAtMs' | 'activeSinceMs' | 'replannedAtMs' | 'resumeAtMs'> {}

/** Why a job does not ask for an execution that was not called before; undefined: it does. */
export function refusalBy(job: PlanningJob, execution: Claimed): Reason | undefined {
  if (isPausedAt(job, execution.dueAtMs)) return 'paused';
  return job.revision === execution.revision ? undefined : whyNot({ ...execution, fence: 1 }, job);
}

/**
 * Why a job that has changed does not ask for an execution; undefined: it does. Each change is asked for
 * itself: one that came after the first claim says nothing of another one, which came before it.
 */
function whyNot(execution: Claimed, job: PlanningJob): Reason | undefined {
  const { cause, dueAtMs } = execution;
  const { activeSinceMs, scheduleChangedAtMs, replannedAtMs = 0 } = job;
  if (cause) {
    const isNamed = namesCause(job.schedule, cause) || mayHaveCalledBefore(scheduleChangedAtMs, execution);
    return isNamed ? undefined : 'superseded';
  }
  if (activeSinceMs > dueAtMs && !mayHaveCalledBefore(activeSinceMs, execution))
    return activeSinceMs > job.createdAtMs ? 'paused' : 'superseded';
  if (isPlannedAt(job, scheduleOf(job), dueAtMs)) return undefined;
  // By which calendars it was planned then is not known any more; their change counts as one of the schedule.
  const sinceMs = occursWithoutCalendars(job, dueAtMs)
    ? Math.max(scheduleChangedAtMs, replannedAtMs)
    : scheduleChangedAtMs;
  return mayHaveCalledBefore(sinceMs, execution) ? undefined : 'superseded';
}

/**
 * Whether an earlier attempt has passed its checks, or a user retries the execution: that needs no proof. A
 * claim for a worker may break off before the checks, so its time-out proves nothing by itself.
 */
export const hasCalled = ({ fence, userRetries, attempts = [] }: Claimed): boolean =>
  Boolean(userRetries) ||
  (fence > 1 && attempts.some(({ outcome, unheard }) => outcome !== 'lost' && !unheard));

/**
 * Whether an attempt may have called the target before a change, so that this one goes on with it. A lost
 * attempt proves that only if its claim came before the change: its executor may have died before it read
 * the job.
 */
const mayHaveCalledBefore = (
  changedAtMs: number,
  { fence, startedAtMs = Number.POSITIVE_INFINITY }: Claimed,
): boolean => fence > 1 && startedAtMs < changedAtMs - CLOCK_SKEW_MS;

/** Whether the pause of its job holds it: it has been asked for, and no attempt of it has begun. */
export const isHeldBy = (
  execution: Pick<Execution, 'dueAtMs' | 'attempts' | 'userRetries' | 'delayedOf'>,
  job: Pick<Job, 'status' | 'resumeAtMs'> | undefined,
): boolean => {
  const { dueAtMs, attempts, userRetries, delayedOf } = execution;
  const hasNotBegun = attempts.length === 0 && userRetries === undefined;
  return job !== undefined && isPausedAt(job, dueAtMs) && delayedOf !== undefined && hasNotBegun;
};

type OfJob = Pick<Execution, 'jobCreatedAtMs' | 'userRetries' | 'revision' | 'startedAtMs'>;

/**
 * Whether its job was deleted since it was asked for, or has begun. Another job may have that id by now. What
 * a hidden job delivers is still to arrive: it may resolve what the one before has opened.
 */
export function isOfDeletedJob(
  { jobCreatedAtMs, userRetries, revision, startedAtMs = Infinity }: OfJob,
  job: Job,
): boolean {
  if (userRetries !== undefined || isHiddenJob(jobKeyOf(job))) return false;
  if (jobCreatedAtMs !== undefined) return jobCreatedAtMs !== job.createdAtMs;
  return revision !== job.revision && startedAtMs < job.createdAtMs - CLOCK_SKEW_MS;
}

/** `startAtMs` of a held run: no claim comes before the sweeper releases it. */
export const HELD_START_MS = Date.UTC(9999, 0);

const LONGEST_CHECK_MS = 10 * MINUTE_MS;

/**
 * When a held run is rechecked: 1, 2, 4 and 8 minutes after it was held, then every ten. It is so too at the
 * end of a pause that has one, and from there anew: the job may be resumed a little later. So what several
 * rechecks file at a time is one entry.
 */
export function nextHeldCheckMs(heldAtMs: number, nowMs: number, job: Pick<Job, 'resumeAtMs'>): number {
  const { resumeAtMs = Number.POSITIVE_INFINITY } = job;
  return resumeAtMs > nowMs
    ? Math.min(nextStepMs(heldAtMs, nowMs), resumeAtMs)
    : nextStepMs(Math.max(heldAtMs, resumeAtMs), nowMs);
}

function nextStepMs(fromMs: number, nowMs: number): number {
  const passedMs = Math.max(0, nowMs - fromMs);
  for (let stepMs = MINUTE_MS; stepMs < LONGEST_CHECK_MS; stepMs *= 2)
    if (stepMs > passedMs) return fromMs + stepMs;
  return fromMs + (Math.floor(passedMs / LONGEST_CHECK_MS) + 1) * LONGEST_CHECK_MS;
}
