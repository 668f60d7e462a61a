import type { StageDeps } from '../deps';
import { type Execution, isPlanned } from '../domain/execution';
import {
  type Eligibility,
  eligibilityOf,
  hasCalled,
  HELD_START_MS,
  isHeldBy,
  isOfDeletedJob,
  nextHeldCheckMs,
  skippedBy,
} from '../domain/eligibility';
import type { Job } from '../domain/job';
import type { CallOfTargets, ToDeliver } from '../domain/to-deliver';
import { asChild } from '../domain/workflow/child-row';
import { isTaskExecution } from '../domain/workflow/task-id';
import { keepRangeWhole } from '../ending/skip-ranges';
import { firstRefusal } from '../history/first-refusal';
import { refusedAtClaim } from '../history/refused-at-claim';
import { recheckEntryAt } from '../queue/attempt-entries';
import type { LeaseHandle } from '../store/lease-handle';
import { skippedMeanwhile } from './late-claim';
import { settleWithoutCall, type SettledStatus } from './settle';

/** A claimed execution, and what was read after its claim. */
export interface ClaimedToCheck {
  execution: Execution;
  /** Undefined: it is deleted. */
  job: Job | undefined;
  /** Only of a task: its run. Undefined: there is none. */
  run?: Execution | undefined;
}

/**
 * Decides on a claimed execution by its job as it is now, for the executor and for workers. One that may not
 * be delivered ends. Writes nothing: `carryOut` does.
 */
export const toDeliver = ({ execution, job, run }: ClaimedToCheck, deps: StageDeps): Promise<ToDeliver> =>
  isTaskExecution(execution.execId)
    ? deps.workflows.taskToDeliver(execution, { job, run }, deps)
    : jobToDeliver(execution, job, deps);

async function jobToDeliver(execution: Execution, job: Job | undefined, deps: StageDeps): Promise<ToDeliver> {
  if (execution.parent && !(await deps.workflows.isWanted(execution.parent, deps)))
    return { to: 'end', end: { status: 'cancelled', reason: 'stopped' } };
  if (isHeldBy(execution, job) && !isOfDeletedJob(execution, job!)) return { to: 'suspend' };
  const eligibility = await eligibilityOfClaimed(execution, job, deps);
  if (eligibility.call) return { to: 'deliver', job: asChild(eligibility.job, execution), of: execution };
  const { end } = eligibility;
  return isPlanned(execution.trigger) ? { to: 'end', end, first: 'keep-range' } : { to: 'end', end };
}

async function eligibilityOfClaimed(
  execution: Execution,
  job: Job | undefined,
  deps: StageDeps,
): Promise<Eligibility> {
  const skippedAs = await skippedMeanwhile(execution, job, deps);
  if (skippedAs) return skippedBy(skippedAs);
  const now = eligibilityOf(execution, job);
  const reason = now.call && (await refusedAtClaim(execution, now.job, deps));
  const eligibility: Eligibility = reason ? { call: false, end: { status: 'cancelled', reason } } : now;
  if (eligibility.call || !isPlanned(execution.trigger) || hasCalled(execution)) return eligibility;
  const first = await firstRefusal(execution, job, deps);
  return { call: false, end: { ...eligibility.end, ...(first && { reason: first.reason }) } };
}

/** Writes what was decided on a claimed execution that is not delivered. */
export async function carryOut(
  { execution, job, handle }: Pick<ClaimedToCheck, 'execution' | 'job'> & { handle: LeaseHandle },
  decided: Exclude<ToDeliver, CallOfTargets>,
  deps: StageDeps,
): Promise<SettledStatus> {
  if (decided.to === 'requeue') {
    const taken = await deps.workflows.requeue({ execution, handle }, decided.run, deps);
    if (typeof taken === 'string') return taken;
    return settleWithoutCall({ execution, job: undefined, handle }, taken.end, deps);
  }
  if (decided.to === 'suspend') return suspendClaimed({ execution, job, handle }, deps);
  if (decided.first === 'keep-range') await keepRangeWhole(execution, deps);
  if (decided.first === 'stop-run') await deps.workflows.goOn(decided.run, { jobGone: true }, deps);
  return settleWithoutCall({ execution, job, handle, run: decided.run }, decided.end, deps);
}

/**
 * Gives a claimed delayed run back, because its job is paused. It keeps no gate: to them, it is put off. It
 * waits for attempt 1 again, which passes all gates. A worker may have released an attempt before, unbegun.
 * Order of writes: the entry of its next recheck → the row.
 */
async function suspendClaimed(
  { execution, job, handle }: { execution: Execution; job: Job | undefined; handle: LeaseHandle },
  deps: StageDeps,
): Promise<SettledStatus> {
  const { failures, takeovers, timesMoved = 0 } = execution;
  const attempt = 1;
  const heldAtMs = deps.clock.nowMs();
  const outcome = await handle.write(async () => {
    const checkAtMs = nextHeldCheckMs(heldAtMs, deps.clock.nowMs(), job ?? {});
    await deps.schedule.putEntries([await recheckEntryAt({ ...execution, attempt }, checkAtMs, deps)]);
    const next = { heldAtMs, startAtMs: HELD_START_MS, timesMoved: timesMoved + 1 };
    return deps.executions.awaitRetry(handle.lease, { attempt, failures, takeovers, ...next }, []);
  });
  if (outcome === 'done') return 'retrying';
  if (outcome === 'lease-lost') return outcome;
  return settleWithoutCall(
    { execution, job, handle },
    { status: 'cancelled', reason: 'cancelled-by-user' },
    deps,
  );
}
