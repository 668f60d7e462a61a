import type { EndedBy } from '../../domain/ended';
import type { Execution, Run } from '../../domain/execution';
import { isDecided, isFanOut, isTimed } from '../../domain/workflow/definition';
import { derive } from '../../domain/workflow/derive';
import type { Graph } from '../../domain/workflow/graph';
import {
  approvalsReady,
  awaitsReady,
  callable,
  childrenReady,
  isStopped,
  joinsReady,
  stopFor,
  toRelease,
} from '../../domain/workflow/progress';
import type { RunStop } from '../../domain/workflow/run-state';
import type { ExecutionRef } from '../../store/execution-store';

/** How far a process has gone on with a run. */
export interface State {
  /** The run as it was last read or written; undefined: it is gone. */
  row: Execution | undefined;
  /** Tasks that this process has made ready, or found unsent, and has not begun yet. */
  fresh: ReadonlySet<number>;
  /** The earliest start of each task that was decided on, and is to begin. */
  passed: ReadonlyMap<number, number>;
  /** What a stop has left open is to be settled. */
  settles: boolean;
  /** The job was read, and is deleted. */
  jobGone: boolean;
  /** Lost races. */
  lost: number;
  /** Who would end the run by this. */
  by: EndedBy;
  /** Children whose cancellation was requested. */
  cancelled: readonly ExecutionRef[];
  /** The run as it ended by this. */
  ended?: Execution;
}

/** A state whose run waits for tasks. */
export interface Seen extends State {
  run: Run;
  graph: Graph;
}

/** What is done with tasks. */
export type TaskAction =
  | 'decide'
  | 'lay-out'
  | 'release'
  | 'settle'
  | 'mark-join'
  | 'start-children'
  | 'send'
  | 'start-later'
  | 'list-approvals'
  | 'ask-later';

export type Action =
  | { do: 'stop'; stop: RunStop }
  | { do: TaskAction; tasks: readonly number[] }
  | { do: 'end' };

/**
 * What a process does next in a run: the first row that has tasks. Undefined: nothing, until something else
 * happens.
 *
 * With `maxParallel`, a task is released before it is decided on. A decision may write its row, and a stop
 * settles only rows of tasks that were released.
 */
export function next(seen: Seen, nowMs: number): Action | undefined {
  const { run, graph, jobGone, fresh, passed } = seen;
  const view = { row: run, run: run.run, graph };
  const derivation = derive(graph, run.run);
  const stop = stopFor(view, derivation, { nowMs, jobGone });
  if (stop) return { do: 'stop', stop };

  const taskOf = (index: number) => graph.tasks[index]!.task;
  const isFresh = (index: number) => fresh.has(index);
  const isUndecided = (index: number) => isDecided(taskOf(index)) && !passed.has(index);
  const isOpen = (index: number) => derivation.states[index] === 'ready' && isStopped(run.run, graph, index);
  const joins = joinsReady(view, derivation);
  const calls = callable(view, derivation).filter(isFresh);
  const children = childrenReady(view, derivation).filter(isFresh);
  const approvals = approvalsReady(view, derivation).filter(isFresh);
  const awaits = awaitsReady(view, derivation).filter(isFresh);
  const begin = [...joins, ...calls, ...children, ...approvals, ...awaits];
  const rows: { do: TaskAction; tasks: readonly number[] }[] = [
    { do: 'decide', tasks: begin.filter(isUndecided).slice(0, 1) },
    { do: 'lay-out', tasks: calls.filter((index) => isFanOut(taskOf(index))).slice(0, 1) },
    { do: 'release', tasks: toRelease(view, derivation) },
    { do: 'settle', tasks: seen.settles ? [...graph.tasks.keys()].filter(isOpen) : [] },
    { do: 'mark-join', tasks: joins.slice(0, 1) },
    { do: 'start-children', tasks: children },
    { do: 'send', tasks: calls.filter((index) => !isTimed(taskOf(index))) },
    { do: 'start-later', tasks: calls.filter((index) => isTimed(taskOf(index))) },
    { do: 'ask-later', tasks: awaits },
    { do: 'list-approvals', tasks: approvals },
  ];
  return rows.find(({ tasks }) => tasks.length > 0) ?? (derivation.allSettled ? { do: 'end' } : undefined);
}
