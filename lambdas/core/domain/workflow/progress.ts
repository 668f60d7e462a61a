import { MINUTE_MS } from '../../clock/clock';
import { PRIORITIES, type Priority } from '../../contracts/pools';
import type { Execution } from '../execution';
import type { TerminalStatus } from '../transitions';
import { isChild, isInline, isSent, isStarted } from './definition';
import { derive, type Derivation, outcomeOf } from './derive';
import type { Graph } from './graph';
import { keyOfTask, openOf, openText, releaseTimeOf, timeOfMark } from './marks';
import type { RunState, RunStop, StopReason } from './run-state';

/** After the end of a run's time, finally tasks have this long. */
export const FINALLY_WITHIN_MS = 10 * MINUTE_MS;

/** A running run as its row says, and its graph. */
export interface RunSeen {
  row: Pick<Execution, 'cancelRequested'>;
  run: RunState;
  graph: Graph;
}

/** Later reasons take the place of earlier ones: who cancels a failing run wants it to end as cancelled. */
const RANK: readonly StopReason[] = ['task-failed', 'timed-out', 'overlap', 'cancelled-by-user', 'deleted'];

/**
 * The stop that a run needs now: by a request to cancel, the end of its time, its job or its policy on
 * failures. Undefined: it needs none, or has it.
 *
 * @param at.jobGone the job was read, and is deleted
 */
export function stopFor(
  { row, run, graph }: RunSeen,
  derivation: Derivation,
  at: { nowMs: number; jobGone: boolean },
): RunStop | undefined {
  const { stop } = run;
  const why = reasonToStop({ row, run, graph }, derivation, at);
  const isStronger = why !== undefined && (!stop || RANK.indexOf(why) > RANK.indexOf(stop.why));
  const isOverdue = !isPausedRun(run) && at.nowMs > run.endsAtMs + FINALLY_WITHIN_MS;
  // Nothing of a deleted job begins, so nothing else would end its finally tasks.
  const endsFinally = row.cancelRequested?.force || isOverdue || at.jobGone;
  const force = stop?.force ?? (endsFinally ? true : undefined);
  const isForced = force && stop && !stop.force;
  if (!isStronger && !isForced) return undefined;
  const seen = stop?.seen ?? (derivation.mainSettled ? seenOf(run, derivation, graph) : undefined);
  const seenWhy = stop?.seen ? stop.seenWhy : (stop?.why ?? (seen === 'failed' ? 'task-failed' : undefined));
  return {
    why: isStronger ? why : stop!.why,
    atMs: at.nowMs,
    open: openText(mayBeSent({ run, graph }, derivation)),
    ...(force && { force }),
    ...(seen && { seen }),
    ...(seen && seenWhy && { seenWhy }),
  };
}

/** The outcome that finally tasks have gone by until now. */
const seenOf = ({ stop }: RunState, { failed }: Derivation, graph: Graph) =>
  outcomeOf(stop?.why, hasFailedBefore(failed, graph));

/** Whether one of the failed tasks is no finally task. */
const hasFailedBefore = (failed: readonly number[], graph: Graph): boolean =>
  failed.some((index) => !graph.tasks[index]!.task.finally);

function reasonToStop(
  { row, run, graph }: RunSeen,
  { failed }: Derivation,
  { nowMs, jobGone }: { nowMs: number; jobGone: boolean },
): StopReason | undefined {
  if (jobGone) return 'deleted';
  if (row.cancelRequested) return row.cancelRequested.reason as StopReason;
  if (nowMs > run.endsAtMs && !isPausedRun(run)) return 'timed-out';
  const mayTrip = graph.workflow.onTaskFailure !== 'continue';
  return mayTrip && hasFailedBefore(failed, graph) ? 'task-failed' : undefined;
}

/** Whether no task of the run may begin to call. A cancel also ends the pause. */
export const isPausedRun = ({ heldAtMs, stop }: Pick<RunState, 'heldAtMs' | 'stop'>): boolean =>
  heldAtMs !== undefined && (stop === undefined || stop.why === 'task-failed');

/** Whether a stop also ends what is running. The policy `stop` lets it finish. */
export const endsRunning = ({ why }: RunStop, { workflow }: Graph): boolean =>
  why !== 'task-failed' || workflow.onTaskFailure === 'cancel';

/** Whether a stop applies to a task: finally tasks run, unless it is forced. */
export const isStopped = ({ stop }: Pick<RunState, 'stop'>, graph: Graph, index: number): boolean =>
  stop !== undefined && (stop.force === true || !graph.tasks[index]!.task.finally);

/** Tasks whose messages may be out: those that are ready, and released where their number is bounded. */
export const mayBeSent = (
  { run, graph }: Pick<RunSeen, 'run' | 'graph'>,
  { states }: Derivation,
): number[] => {
  const open = openOf(run);
  return indexesOf(graph).filter(
    (index) => states[index] === 'ready' && (open.has(index) || isReleased(run, graph, index)),
  );
};

/** Ready tasks without work, which whatever sees them may mark as succeeded. */
export const joinsReady = (
  { run, graph }: Pick<RunSeen, 'run' | 'graph'>,
  { states }: Derivation,
): number[] =>
  indexesOf(graph).filter(
    (index) =>
      states[index] === 'ready' && isInline(graph.tasks[index]!.task) && !isStopped(run, graph, index),
  );

/** With `maxParallel`, a task that calls a target has to be released before it is sent. */
export const isReleased = ({ go }: RunState, graph: Graph, index: number): boolean =>
  !go || !isStarted(graph.tasks[index]!.task) || go[keyOfTask(index)] !== undefined;

const isApproval = (graph: Graph, index: number): boolean => graph.tasks[index]!.task.approval !== undefined;

/** Ready approvals: they wait for a user. */
export const approvalsReady = (
  { run, graph }: Pick<RunSeen, 'run' | 'graph'>,
  { states }: Derivation,
): number[] =>
  indexesOf(graph).filter(
    (index) => states[index] === 'ready' && isApproval(graph, index) && !isStopped(run, graph, index),
  );

/** Ready tasks that wait for executions of other jobs. */
export const awaitsReady = (
  { run, graph }: Pick<RunSeen, 'run' | 'graph'>,
  { states }: Derivation,
): number[] =>
  indexesOf(graph).filter(
    (index) =>
      states[index] === 'ready' &&
      graph.tasks[index]!.task.await !== undefined &&
      !isStopped(run, graph, index),
  );

/** Ready tasks whose children may be started. With `maxParallel`, those that are released. */
export const childrenReady = (view: Pick<RunSeen, 'run' | 'graph'>, derivation: Derivation): number[] =>
  startable(view, derivation).filter((index) => isChild(view.graph.tasks[index]!.task));

/** Ready tasks that may be sent. With `maxParallel`, those that are released. None while the run is held. */
export const callable = (view: Pick<RunSeen, 'run' | 'graph'>, derivation: Derivation): number[] =>
  startable(view, derivation).filter((index) => isSent(view.graph.tasks[index]!.task));

const startable = ({ run, graph }: Pick<RunSeen, 'run' | 'graph'>, { states }: Derivation): number[] =>
  indexesOf(graph).filter(
    (index) =>
      !isPausedRun(run) &&
      states[index] === 'ready' &&
      (isSent(graph.tasks[index]!.task) || isStarted(graph.tasks[index]!.task)) &&
      !isStopped(run, graph, index) &&
      isReleased(run, graph, index),
  );

/** With `maxParallel`: ready tasks that may be released now, those of the highest priority first. */
export function toRelease({ run, graph }: Pick<RunSeen, 'run' | 'graph'>, { states }: Derivation): number[] {
  const { maxParallel } = graph.workflow;
  if (maxParallel === undefined || !run.go || isPausedRun(run)) return [];
  const released = Object.keys(run.go).filter((key) => run.marks[key] === undefined).length;
  const waiting = indexesOf(graph).filter(
    (index) =>
      states[index] === 'ready' &&
      isStarted(graph.tasks[index]!.task) &&
      !isStopped(run, graph, index) &&
      run.go![keyOfTask(index)] === undefined,
  );
  const rank = (index: number) => PRIORITIES.indexOf(laneOf(run, graph, index).priority);
  return waiting.sort((a, b) => rank(a) - rank(b) || a - b).slice(0, Math.max(0, maxParallel - released));
}

/** Pool and priority of a task. */
export const laneOf = (
  run: Pick<RunState, 'priority' | 'pool'>,
  graph: Graph,
  index: number,
): { priority: Priority; pool: string } => {
  const { priority = run.priority, pool = run.pool } = graph.tasks[index]!.task;
  return { priority, pool };
};

/** Since when a ready task may have been sent, to the second. */
export function readySinceMs({ run, graph }: Pick<RunSeen, 'run' | 'graph'>, index: number): number {
  const released = run.go?.[keyOfTask(index)];
  if (released !== undefined) return releaseTimeOf(released, run);
  const { task, dependsOn } = graph.tasks[index]!;
  const upstream = task.finally ? indexesOf(graph) : dependsOn.map((one) => one.index);
  const times = upstream.flatMap((one) => {
    const mark = run.marks[keyOfTask(one)];
    return mark === undefined ? [] : [timeOfMark(mark, run)];
  });
  return Math.max(run.touchedAtMs, ...times);
}

/** When the last task was marked, or the run was touched. */
export const lastMoveMs = (run: RunState): number =>
  Object.values(run.marks).reduce((last, mark) => Math.max(last, timeOfMark(mark, run)), run.touchedAtMs);

/** How a run ends whose tasks are all settled. */
export function endOfRun(
  { run, graph }: Pick<RunSeen, 'run' | 'graph'>,
  { failed }: Derivation,
): { status: TerminalStatus; reason?: StopReason; failedTasks: string[] } {
  const failedTasks = failed.map((index) => graph.tasks[index]!.id).sort();
  const status = outcomeOf(run.stop?.why, failed.length > 0);
  const reason = run.stop?.why ?? (status === 'failed' ? 'task-failed' : undefined);
  return { status, ...(reason && { reason }), failedTasks };
}

/** Tasks that marks have made ready: ready with them, and not without them. */
export function madeReadyBy(graph: Graph, run: RunState, keys: readonly string[]): number[] {
  if (keys.length === 0) return [];
  const marks = Object.fromEntries(Object.entries(run.marks).filter(([key]) => !keys.includes(key)));
  const before = derive(graph, { ...run, marks }).states;
  const after = derive(graph, run).states;
  return indexesOf(graph).filter((index) => after[index] === 'ready' && before[index] !== 'ready');
}

const indexesOf = (graph: Graph): number[] => graph.tasks.map(({ index }) => index);
