import type { TimeBudget } from '../core/async/time-budget';
import { Metric } from '../core/contracts/metrics';
import { openTargets, recordsOf, type TargetOutcome } from '../core/domain/attempt-records';
import { returnUnbegun } from '../core/attempts/return-unbegun';
import { carryOut, toDeliver } from '../core/attempts/to-deliver';
import { settleAttempt, settleWithoutCall, type SettledStatus } from '../core/attempts/settle';
import { recordLateResult } from '../core/attempts/late-results';
import { renderChecked } from '../core/delivery/job-templates/render-job';
import { type Execution, isRun, type Run } from '../core/domain/execution';
import { type Job, targetsOf } from '../core/domain/job';
import { isErrandTarget, isLongCall } from '../core/domain/long-call';
import type { CallOfTargets } from '../core/domain/to-deliver';
import type { TaskData } from '../core/domain/workflow/task-data';
import { workerTargetOf } from '../core/domain/work';
import type { TargetResult } from '../core/domain/target-result';
import { callWithin } from './call-within';
import { logResponses } from './log-responses';
import type { ExecutorDeps } from './deps';
import type { Claimed } from '../core/attempts/claim';
import type { KeptLease } from '../core/attempts/keep-lease';

/** A claimed execution that an executor is to deliver. */
export interface ToAttempt extends Claimed {
  /** Its message came by the lane for long calls. */
  mayBeLong: boolean;
}

/**
 * One attempt from the job's reading to the written result. Releases the lease's timers whatever happens.
 * An execution that workers ask for by now goes to them. One whose call may be long by now goes to that lane.
 * One that starts an errand by now is claimed again, by a claim that says so.
 *
 * @param read the job, and of a task its run, as read after the claim; undefined: there is none
 */
export async function runAttempt(
  { execution, handle, mayBeLong }: ToAttempt,
  read: { job: Job | undefined; run: Execution | undefined },
  deps: ExecutorDeps,
  limits: TimeBudget,
): Promise<void> {
  const claimed = { execution, handle };
  const checked = await toDeliver({ execution, ...read }, deps);
  if (checked.to === 'deliver' && execution.openErrand !== undefined) {
    const started = await deps.startErrand({ ...claimed, job: checked.job }, deps);
    if (started === 'lease-lost') return loseResults(execution, [], handle, deps);
    if (started) return;
  }
  if (checked.to === 'deliver' && isCalledHere(execution, checked.job, mayBeLong))
    return deliver(claimed, checked.job, checked, deps, limits);
  const outcome =
    checked.to === 'deliver'
      ? await goElsewhere(claimed, checked, deps)
      : await carryOut({ ...claimed, job: read.job }, checked, deps);
  if (outcome === 'lease-lost') await loseResults(execution, [], handle, deps);
}

/**
 * Whether an executor of this lane calls. A task is called where it is: its row keeps the lane of its first
 * message, whatever that message knew of its length.
 */
const isCalledHere = (execution: Execution, job: Job, mayBeLong: boolean): boolean =>
  !isRunOrStarts(execution, job) &&
  !workerTargetOf(job) &&
  !isErrandTarget(job.target) &&
  (mayBeLong || execution.trigger === 'task' || !isLongCall(job));

/** Whether the execution is a run, or becomes one. */
const isRunOrStarts = (execution: Execution, job: Job): boolean =>
  job.workflow !== undefined || execution.backfill !== undefined || isRun(execution);

async function goElsewhere(
  claimed: Claimed,
  { job, run }: CallOfTargets,
  deps: ExecutorDeps,
): Promise<SettledStatus> {
  if (!isRunOrStarts(claimed.execution, job)) return returnUnbegun({ ...claimed, job, run }, 'moved', deps);
  const started = await deps.workflows.start(claimed, job, deps);
  return typeof started === 'string' ? started : settleWithoutCall({ ...claimed, job }, started.end, deps);
}

/** What a delivery is made for: the execution whose values the templates take, and of a task its run. */
interface DeliveredFor {
  of: Execution;
  run?: Run;
  data?: TaskData;
}

/** Calls the targets of a job, or of a task as a job, and writes down the outcome. */
async function deliver(
  { execution, handle }: Claimed,
  called: Job,
  { of, run, data }: DeliveredFor,
  deps: ExecutorDeps,
  limits: TimeBudget,
): Promise<void> {
  const startedAtMs = deps.clock.nowMs();
  const rendered = await renderChecked(called, of, data);
  const outcomes = await Promise.all(
    openTargets(execution, called).map(async (target) => ({
      target,
      result:
        'fault' in rendered
          ? badInput(rendered.fault)
          : await callWithin({ execution, of, job: rendered.job, handle }, target, deps, limits),
      startedAtMs,
    })),
  );
  recordDeparture(execution, outcomes, deps);
  const outcome = await settleAttempt({ execution, job: called, handle, run }, outcomes, deps);
  if (outcome === 'lease-lost') return loseResults(execution, outcomes, handle, deps);
  const ended = { hasFailed: outcome === 'failed', of: targetsOf(called).length };
  await logResponses(execution, outcomes, ended, deps);
}

/** How late the first request of a planned execution left, by the rule of `LatenessMs`. */
function recordDeparture(
  { trigger, fence, dueAtMs }: Execution,
  outcomes: readonly TargetOutcome[],
  { meter }: ExecutorDeps,
): void {
  const sent = outcomes.flatMap(({ result: { sentAtMs } }) => sentAtMs ?? []);
  if (trigger !== 'schedule' || fence !== 1 || sent.length === 0) return;
  meter.record(Metric.requestLatenessMs, Math.min(...sent) - dueAtMs);
}

const badInput = (error: string): TargetResult => ({ outcome: 'fatal', reason: 'bad-input', error });

/**
 * The lease was lost, so the result decides nothing. After a takeover, the target's response is kept as a
 * late result. If the lease merely expired, nothing is written.
 */
async function loseResults(
  execution: Execution,
  outcomes: readonly TargetOutcome[],
  handle: KeptLease,
  deps: ExecutorDeps,
): Promise<void> {
  const { jobKey, execId, attempt, fence } = execution;
  const by = handle.lostBy();
  deps.meter.count(Metric.leaseLost);
  deps.log.warn('lease lost, result discarded', { jobKey, execId, attempt, fence, by });
  if (by === 'expired') return;
  const responded = outcomes.filter(({ result }) => result.statusCode !== undefined);
  for (const result of recordsOf(execution, responded, deps.clock.nowMs()))
    await recordLateResult(execution, result, deps);
}
