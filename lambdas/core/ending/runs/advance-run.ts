import type { RunOutcome } from '../../contracts/events';
import type { StageDeps } from '../../deps';
import type { Execution, Run } from '../../domain/execution';
import { isDecided, isFanOut, isTimed } from '../../domain/workflow/definition';
import { derive, type Derivation } from '../../domain/workflow/derive';
import type { Job } from '../../domain/job';
import type { Graph } from '../../domain/workflow/graph';
import { keyOfTask, releaseOf } from '../../domain/workflow/marks';
import {
  approvalsReady,
  awaitsReady,
  callable,
  childrenReady,
  endOfRun,
  joinsReady,
  type RunSeen,
  stopFor,
  toRelease,
} from '../../domain/workflow/progress';
import type { RunTask } from '../../domain/workflow/run-task';
import { isAlive, isJobGone } from '../../domain/workflow/task-eligibility';
import { callsLimitMs } from '../../domain/workflow/task-times';
import type { ExecutionRef } from '../../store/execution-store';
import type { RunWrite } from '../../store/run-store';
import { listApproval } from './approvals';
import { fileNextCheck } from './await-upstream';
import { decideTask } from './decide-task';
import type { EndedBy } from '../../domain/ended';
import type { End } from '../end-request';
import { endWithoutFollowUps } from '../end-without-follow-ups';
import { isLaterOrBegun, launchFanOut } from './fan-outs/launch-fan-out';
import { firstFailure } from './first-failure';
import { goOnWithChildren } from './go-on-with-children';
import { graphOfRun, markTask } from './mark-task';
import { outputOfRun } from './run-output';
import { settleStopped } from './settle-stopped';
import { startLater } from './start-later';
import { taskMessage } from './task-messages';
import { readOneJob } from '../../store/read-whole';

/** Where a process goes on with a run. */
export interface Advance {
  /** Tasks that the caller has made ready, or found unsent: they are sent. */
  fresh: ReadonlySet<number>;
  /** Who would end the run by this. */
  by: EndedBy;
  /** The job was read, and is deleted. */
  jobGone?: boolean;
  /** Settle once more what a stop has left open. */
  settles?: boolean;
  /** Gets children whose cancellation a stop has requested: the caller goes on with them. */
  cancelled: ExecutionRef[];
}

/** Lost races of one call; whatever is left then is left to the run's recheck. */
const MOST_LOST = 20;

/**
 * Does what follows from a run's row: stops it, marks joins, releases and sends tasks, and ends it once all
 * of its tasks are settled. Every decision is one conditional write that returns the row, so any number of
 * processes may go on with one run at the same time. A crash anywhere is repaired by the run's recheck.
 *
 * @returns the run as it ended, if it has ended by this: its follow-ups are left to the caller
 */
export async function advanceRun(seen: Run, how: Advance, deps: StageDeps): Promise<Execution | undefined> {
  const fresh = new Set(how.fresh);
  const [passed, begun] = [new Map<number, number>(), new Set<number>()];
  let { settles = false, jobGone = false } = how;
  let row: Execution | undefined = seen;
  for (let lost = 0; lost <= MOST_LOST;) {
    if (!isAlive(row)) return undefined;
    const graph = await graphOfRun(row, deps);
    const view: RunSeen = { row, run: row.run, graph };
    const derivation = derive(graph, row.run);
    const stop = stopFor(view, derivation, { nowMs: deps.clock.nowMs(), jobGone });
    const undecided = stop ? undefined : nextUndecided(view, derivation, { fresh, passed });
    if (undecided !== undefined) {
      const decided = await decide({ run: row, graph, index: undecided, fresh, passed }, deps);
      if (decided === 'job-gone') jobGone = true;
      else row = decided;
      continue;
    }
    const written: RunWrite | undefined = stop
      ? await deps.runs.stop(row, stop)
      : await release(row, toRelease(view, derivation), fresh, deps);
    if (written) {
      if (stop && written.applied) settles = true;
      lost += written.applied ? 0 : 1;
      row = written.execution;
      continue;
    }
    if (row.run.stop && settles) {
      settles = false;
      row = await settleStopped({ run: row, graph, derivation, fresh, cancelled: how.cancelled }, deps);
      continue;
    }
    const [join] = joinsReady(view, derivation);
    if (join !== undefined) {
      row = await markTask({ run: row, graph, index: join, status: 'succeeded', fresh }, deps);
      continue;
    }
    const indexes = childrenReady(view, derivation).filter((index) => fresh.has(index) && !begun.has(index));
    if (indexes.length > 0) {
      const children = { run: row, graph, indexes, fresh, begun, notBefore: passed };
      const went = await goOnWithChildren(children, deps);
      if (went === 'job-gone') jobGone = true;
      else row = went;
      continue;
    }
    const begins = sendable(view, derivation, fresh);
    await send(row, graph, begins, deps);
    await startLater({ run: row, graph, indexes: begins, notBefore: passed }, deps);
    await letWait(row, graph, waitsReady(view, derivation, fresh), deps);
    if (!derivation.allSettled) return undefined;
    const ended = await endRun(row, view, derivation, how.by, deps);
    if (ended) return ended;
    lost += 1;
    fresh.clear();
    row = await deps.executions.get(row);
  }
  const { jobKey, execId } = seen;
  deps.log.warn('a run that moves too fast is left to its recheck', { jobKey, execId });
  return undefined;
}

/**
 * A task that its `when` or `switch` has to decide before it is marked or sent. Else a fan-out that is to be
 * laid out. With `maxParallel`, a task is released first: a decision may write its row, and a stop settles
 * only rows of tasks that were released.
 */
function nextUndecided(
  view: RunSeen,
  derivation: Derivation,
  { fresh, passed }: { fresh: ReadonlySet<number>; passed: ReadonlyMap<number, number> },
): number | undefined {
  const next = [
    ...joinsReady(view, derivation),
    ...sendable(view, derivation, fresh),
    ...childrenReady(view, derivation).filter((index) => fresh.has(index)),
    ...waitsReady(view, derivation, fresh),
  ];
  const undecided = next.find((index) => isDecided(view.graph.tasks[index]!.task) && !passed.has(index));
  return (
    undecided ?? sendable(view, derivation, fresh).find((index) => isFanOut(view.graph.tasks[index]!.task))
  );
}

interface Undecided extends RunTask {
  fresh: Set<number>;
  /** Gets the tasks that are to be sent, and the earliest time at which each may start. */
  passed: Map<number, number>;
}

/** @returns the row after that; undefined: it is gone */
async function decide(
  { passed, ...task }: Undecided,
  deps: StageDeps,
): Promise<Execution | undefined | 'job-gone'> {
  const { run, graph, index } = task;
  const job = await readOneJob(run.jobKey, deps);
  if (!job || isJobGone(run, job)) return 'job-gone';
  if (passed.has(index) || !isDecided(graph.tasks[index]!.task))
    return launch({ ...task, notBeforeMs: passed.get(index) ?? 0 }, job, deps);
  const decision = await decideTask(task, job, deps);
  if (decision && 'startAtMs' in decision) {
    passed.set(index, decision.startAtMs);
    return run;
  }
  return decision ? markTask({ ...task, ...decision }, deps) : deps.executions.get(run);
}

/**
 * Lays out a fan-out whose time has come, and marks it if it has ended by that. What fails is left to the
 * run's recheck.
 */
async function launch(
  { fresh, notBeforeMs, ...task }: RunTask & { fresh: Set<number>; notBeforeMs: number },
  job: Job,
  deps: StageDeps,
): Promise<Execution | undefined> {
  const { run, index } = task;
  fresh.delete(index);
  try {
    if (await isLaterOrBegun(task, notBeforeMs, deps)) return run;
    const status = await launchFanOut(task, job, deps);
    return status ? await markTask({ ...task, status, fresh }, deps) : run;
  } catch (error) {
    const { jobKey, execId } = run;
    deps.log.error('a fan-out is left to the recheck of its run', error, { jobKey, execId });
    return run;
  }
}

const sendable = (view: RunSeen, derivation: Derivation, fresh: ReadonlySet<number>): number[] =>
  callable(view, derivation).filter((index) => fresh.has(index));

/** With `maxParallel`: releases tasks, which are then to be sent. Undefined: there is none to release. */
async function release(
  run: Run,
  indexes: readonly number[],
  fresh: Set<number>,
  { runs, clock }: StageDeps,
): Promise<RunWrite | undefined> {
  if (indexes.length === 0) return undefined;
  const written = await runs.release(run, indexes.map(keyOfTask), releaseOf(clock.nowMs(), run.run));
  if (written.applied) for (const index of indexes) fresh.add(index);
  return written;
}

/** Fresh tasks that wait for a user or for another job. */
const waitsReady = (view: RunSeen, derivation: Derivation, fresh: ReadonlySet<number>): number[] =>
  [...approvalsReady(view, derivation), ...awaitsReady(view, derivation)].filter((one) => fresh.has(one));

/**
 * Lists approvals that wait for a user now, and files when other tasks ask for another job again. What fails
 * is left to the run's recheck.
 */
async function letWait(run: Run, graph: Graph, indexes: readonly number[], deps: StageDeps): Promise<void> {
  const asks = (index: number) => graph.tasks[index]!.task.await !== undefined;
  for (const index of indexes.filter(asks)) await fileNextCheck({ run, graph, index }, deps);
  const approvals = indexes.filter((index) => !asks(index));
  if (approvals.length === 0) return;
  try {
    const job = await readOneJob(run.jobKey, deps);
    for (const index of approvals) await listApproval({ run, graph, index }, job, deps);
  } catch (error) {
    const { jobKey, execId } = run;
    deps.log.error('approvals are left to the recheck of their run', error, { jobKey, execId });
  }
}

/**
 * Sends the first messages of tasks that need not wait for a time. What cannot be sent is left to the run's
 * recheck.
 */
async function send(
  run: Run,
  graph: Graph,
  indexes: readonly number[],
  { queue, clock, log }: StageDeps,
): Promise<void> {
  const nowMs = clock.nowMs();
  const messages = indexes
    .filter((index) => !isTimed(graph.tasks[index]!.task))
    .map((index) => ({
      message: taskMessage(run, graph, { index }, nowMs),
      delaySec: 0,
      callLimitMs: callsLimitMs(graph.tasks[index]!.task),
    }));
  if (messages.length === 0) return;
  try {
    await queue.send(messages);
  } catch (error) {
    const { jobKey, execId } = run;
    log.error('the messages of tasks are left to the recheck of their run', error, { jobKey, execId });
  }
}

const SHOWN_FAILURES = 5;
/** An event has at most 256 KB, and so have ten of them together. */
const PUBLISHED_FAILURES = 20;

function runOutcomeOf({ states }: Derivation, failedTasks: readonly string[]): RunOutcome {
  const counts: Record<string, number> = {};
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  return { failedTasks: failedTasks.slice(0, PUBLISHED_FAILURES), counts };
}

/** The job is read: it may block its ordering key by a failure, and other jobs may wait for it. */
async function endRun(
  run: Run,
  view: RunSeen,
  derivation: Derivation,
  by: EndedBy,
  deps: StageDeps,
): Promise<Execution | undefined> {
  const seen = endOfRun(view, derivation);
  const { failedTasks } = seen;
  const job = await readOneJob(run.jobKey, deps);
  const made = job && (await outputOfRun({ run, graph: view.graph, end: seen }, job, deps));
  const shown = failedTasks.slice(0, SHOWN_FAILURES).join(', ');
  const more = failedTasks.length > SHOWN_FAILURES ? `, and ${failedTasks.length - SHOWN_FAILURES} more` : '';
  // A run that cannot return what it promises has failed. One that has failed anyway keeps its reason.
  const fault = seen.status === 'succeeded' && made && 'fault' in made ? made : undefined;
  const body = failedTasks.length > 0 ? `failed tasks: ${shown}${more}` : fault?.fault;
  const failedTask =
    seen.reason === 'task-failed' ? await firstFailure(run, view.graph, derivation, deps) : undefined;
  const end: End = {
    status: fault ? 'failed' : seen.status,
    reason: fault?.reason ?? seen.reason,
    workflow: runOutcomeOf(derivation, failedTasks),
    ...(failedTask && { failedTask }),
    ...(made && 'output' in made && { output: made.output }),
    ...(body !== undefined && { result: { body }, error: body }),
  };
  return endWithoutFollowUps({ execution: run, end, under: { the: 'run' }, job, by }, deps);
}
