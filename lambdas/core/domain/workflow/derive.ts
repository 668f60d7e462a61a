import type { Join } from './definition';
import type { Graph, GraphEdge, GraphTask } from './graph';
import { branchOfMark, keyOfTask, openOf, statusOfMark } from './marks';
import type { MainOutcome, RunState, StopReason } from './run-state';

/**
 * The state of a task, by the marks of its run.
 *
 * - `waiting`: an upstream task is not settled. `ready`: it may run, and perhaps does.
 * - `excluded`: its condition was not met. `blocked`: an upstream task failed. `stopped`: the run stopped
 *   first.
 */
export type TaskState =
  | 'waiting'
  | 'ready'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'skipped'
  | 'excluded'
  | 'blocked'
  | 'stopped';

export interface Derivation {
  /** By index. */
  states: readonly TaskState[];
  /** All tasks but the finally tasks are settled. */
  mainSettled: boolean;
  allSettled: boolean;
  /** Tasks that failed or were cancelled, and whose failure counts. */
  failed: readonly number[];
}

/** What a dependency says: met, not met, void (its upstream was not chosen), a fault, or not known yet. */
type Edge = 'yes' | 'no' | 'void' | 'fault' | 'open';

export const isOpen = (state: TaskState): boolean => state === 'waiting' || state === 'ready';

/**
 * The state of every task of a run. Pure: by the graph and the marks alone. It is monotone: as long as no
 * task is opened again, what is settled stays, and what is ready does not become waiting.
 *
 * A stopped run starts nothing. A task that may have been sent before the stop stays `ready` until it has its
 * mark: its execution may be alive.
 */
export function derive(graph: Graph, run: Pick<RunState, 'marks' | 'stop'>): Derivation {
  const states: TaskState[] = [];
  const sent = openOf(run);
  const failed: number[] = [];
  let [mainSettled, allSettled, mainFailed] = [true, true, false];
  for (const index of graph.order) {
    const task = graph.tasks[index]!;
    const mark = run.marks[keyOfTask(index)];
    const state = mark === undefined ? unmarked(task) : statusOfMark(mark);
    states[index] = state;
    if ((state === 'failed' || state === 'cancelled') && !task.task.allowFailure) {
      failed.push(index);
      mainFailed ||= !task.task.finally;
    }
    if (!isOpen(state)) continue;
    allSettled = false;
    if (!task.task.finally) mainSettled = false;
  }
  return { states, mainSettled, allSettled, failed };

  function unmarked({ index, task, dependsOn }: GraphTask): TaskState {
    if (sent.has(index)) return 'ready';
    if (task.enabled === false) return 'skipped';
    if (task.finally) return finallyState(task.finally);
    const edges = dependsOn.map((one) =>
      edgeOf(states[one.index]!, one, {
        allowFailure: graph.tasks[one.index]!.task.allowFailure === true,
        branch: branchOfMark(run.marks[keyOfTask(one.index)] ?? ''),
      }),
    );
    const state = stateBy(edges, task.join);
    return run.stop && isOpen(state) ? 'stopped' : state;
  }

  function finallyState(when: 'always' | MainOutcome): TaskState {
    const { why, force, seen } = run.stop ?? {};
    // `seen` says that the others had ended before: what was excluded by that stays excluded.
    if (!mainSettled || (force && !seen)) return force ? 'stopped' : 'waiting';
    if (when !== 'always' && when !== (seen ?? outcomeOf(why, mainFailed))) return 'excluded';
    return force ? 'stopped' : 'ready';
  }
}

const CANCELS: readonly StopReason[] = ['cancelled-by-user', 'overlap', 'deleted'];

/** The outcome of a run: of all tasks but the finally tasks, or at its end of all of them. */
export function outcomeOf(why: StopReason | undefined, hasFailed: boolean): MainOutcome {
  if (why !== undefined) return CANCELS.includes(why) ? 'cancelled' : 'failed';
  return hasFailed ? 'failed' : 'succeeded';
}

/** @param ended.branch the branch that the upstream task has taken, if it is a switch */
function edgeOf(
  upstream: TaskState,
  { if: condition, branch }: GraphEdge,
  ended: { allowFailure: boolean; branch: number | undefined },
): Edge {
  switch (upstream) {
    case 'waiting':
    case 'ready':
    case 'stopped': // else a dependent would turn from blocked to excluded
      return 'open';
    case 'excluded':
      return 'void';
    case 'succeeded':
    case 'skipped':
      if (branch !== undefined) return branch === ended.branch ? 'yes' : 'void';
      return condition === 'failed' ? 'no' : 'yes';
    case 'failed':
    case 'cancelled':
      if (branch !== undefined) return 'fault';
      return condition === 'succeeded' && !ended.allowFailure ? 'fault' : 'yes';
    case 'blocked':
      return condition === 'succeeded' ? 'fault' : 'yes';
  }
}

/**
 * A fault decides at once. A task is excluded only when all of its dependencies are known: a later fault must
 * not turn an excluded task into a blocked one.
 */
function stateBy(edges: readonly Edge[], join: Join): TaskState {
  if (edges.length === 0) return 'ready';
  const has = (edge: Edge) => edges.includes(edge);
  const allVoid = edges.every((edge) => edge === 'void');
  if (join === 'any') {
    if (has('yes')) return 'ready';
    if (has('open')) return 'waiting';
    return !allVoid && has('fault') ? 'blocked' : 'excluded';
  }
  if (has('fault')) return 'blocked';
  if (has('open')) return 'waiting';
  return allVoid || has('no') ? 'excluded' : 'ready';
}
