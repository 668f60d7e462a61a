import { inParallel } from '../../async/in-parallel';
import { afterEnds } from '../../alerts/after-ends';
import type { SeenEnd } from '../../alerts/watch-ends';
import type { StageDeps } from '../../deps';
import type { Execution, Run } from '../../domain/execution';
import { followUps } from '../../domain/follow-ups';
import type { Job } from '../../domain/job';
import { isTerminal } from '../../domain/transitions';
import { isAlive } from '../../domain/workflow/task-eligibility';
import { isTaskExecution } from '../../domain/workflow/task-id';
import type { Released } from '../../gates/gate';
import { releaseGates } from '../../gates/release';
import type { ExecutionRef } from '../../store/execution-store';
import { type Advance, advanceRun } from './advance-run';
import { askAwaits } from './ask-awaits';
import type { EndedBy } from '../../domain/ended';
import { startWaiters } from '../start-waiters';
import { runAfterChild, runAfterTask } from './task-ends';

/** Runs that are gone on with at the same time. */
const CONCURRENCY = 5;

/** What the caller knows of an execution that has ended. */
export interface FollowUpContext {
  job?: Job | undefined;
  by: EndedBy;
  /** Only for a task: its run, as the caller has read it. */
  run?: Run | undefined;
}

/**
 * Does what must follow ends, of several executions together. Repeating it does no harm. One that fails stops
 * no other.
 *
 * @returns the executions whose follow-ups failed, with the reason
 */
export async function followUpAll(
  ended: readonly Released[],
  deps: StageDeps,
): Promise<Map<Released, unknown>> {
  const failed = await releaseGates(ended, deps);
  for (const [one, reason] of await startWaiters(ended, deps)) failed.set(one, reason);
  for (const [one, reason] of await goOnWithParents(ended, deps)) failed.set(one, reason);
  for (const [one, reason] of await askAwaits(ended, afterAdvance, deps)) failed.set(one, reason);
  return failed;
}

/** Goes on with the runs that wait for ended children. Those of plain jobs have none above them. */
async function goOnWithParents(ended: readonly Released[], deps: StageDeps): Promise<Map<Released, unknown>> {
  const failed = new Map<Released, unknown>();
  const children = ended.filter((one) => followUps(one).includes('go-on-with-parent'));
  await inParallel(children, CONCURRENCY, async (one) => {
    try {
      await goOnWithParent(one, deps);
    } catch (error) {
      failed.set(one, error);
    }
  });
  return failed;
}

/** Goes on with the run above an ended child, if there is one. Throws if a store does not respond. */
export async function goOnWithParent(ended: Released, deps: StageDeps): Promise<void> {
  if (!ended.parent) return;
  const cancelled: ExecutionRef[] = [];
  const above = await runAfterChild({ ...ended, parent: ended.parent }, cancelled, deps);
  await afterAdvance(above, cancelled, { by: 'other' }, deps);
}

/**
 * Does what must follow an end. The end of a task is marked, and its run goes on. What fails is left to the
 * next recheck. The sweeper's own recheck fails instead, so that its cursor does not pass the entry. Only the
 * sweeper tells notifications: the recheck of an end comes in any case.
 */
export async function runFollowUps(
  ended: SeenEnd & Released,
  { job, by, run }: FollowUpContext,
  deps: StageDeps,
): Promise<void> {
  const isTask = isTaskExecution(ended.execId);
  const failed: ReadonlyMap<unknown, unknown> =
    followUps(ended).length > 0 ? await followUpAll([{ ...ended, job }], deps) : new Map();
  const untold = by === 'sweeper' && !isTask ? await afterEnds([ended], deps) : new Map<unknown, unknown>();
  for (const error of [...failed.values(), ...untold.values()]) leave(error, ended, by, deps);
  if (!isTask || !isTerminal(ended.status)) return;
  try {
    const cancelled: ExecutionRef[] = [];
    const endedRun = await runAfterTask(ended, run, cancelled, deps);
    await afterAdvance(endedRun, cancelled, { by: 'other' }, deps);
  } catch (error) {
    leave(error, ended, by, deps);
  }
}

/** Goes on with a run, and does what must follow if that is its end. */
export async function goOnWithRun(run: Run, how: Omit<Advance, 'cancelled'>, deps: StageDeps): Promise<void> {
  const cancelled: ExecutionRef[] = [];
  const ended = await advanceRun(run, { ...how, cancelled }, deps);
  await afterAdvance(ended, cancelled, how, deps);
}

/** Children whose cancellation was requested stop too, if they are runs; or their rechecks stop them. */
async function afterAdvance(
  ended: Execution | undefined,
  cancelled: readonly ExecutionRef[],
  { by }: { by: EndedBy },
  deps: StageDeps,
): Promise<void> {
  await inParallel(cancelled, CONCURRENCY, async (ref) => {
    try {
      const child = await deps.executions.get(ref);
      if (isAlive(child)) await goOnWithRun(child, { fresh: new Set(), by: 'other' }, deps);
    } catch (error) {
      deps.log.error('a child that is to stop is left to its recheck', error, { ...ref });
    }
  });
  if (ended) await runFollowUps(ended, { by }, deps);
}

function leave(error: unknown, { jobKey, execId }: Released, by: EndedBy, { log }: StageDeps): void {
  if (by === 'sweeper') throw error;
  log.error('the follow-ups of an end are left to its recheck', error, { jobKey, execId });
}
