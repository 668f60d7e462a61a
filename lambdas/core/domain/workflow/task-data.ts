import { instantText } from '../../clock/clock';
import type { Json } from '../../templates/syntax';
import { attemptsOf, type Execution, type Run } from '../execution';
import { branchesOf } from './definition';
import { derive, type Derivation, isOpen, outcomeOf, type TaskState } from './derive';
import type { Graph } from './graph';
import { branchOfMark, keyOfTask, timeOfMark } from './marks';
import { type Params, paramsOf } from './params';
import type { endOfRun } from './progress';
import { readsOf } from './references';
import type { RunTask } from './run-task';
import type { FINALLY_FIELDS, TASK_FIELDS } from './task-roots';

type JsonObject = { readonly [name: string]: Json };

/** What the templates of one task are rendered with, beside the values of the run that every job has. */
export interface TaskData {
  params?: Params;
  tasks: JsonObject;
  /** Further fields of `run`. */
  run?: JsonObject;
  /** Only of an item of a fan-out: its value and its index. */
  item?: { value: Json; index: number };
}

/**
 * The values for one task. A task that has not ended has none: `settledBefore` allows references only to
 * tasks that have.
 *
 * @param rows of the tasks that it reads, by their indexes; a task without a row called no target
 * @param given the parameters that the run was given
 */
export function taskData(
  { run, graph, index }: RunTask,
  rows: ReadonlyMap<number, Execution>,
  given: Params | undefined,
): TaskData {
  const derivation = derive(graph, run.run);
  return {
    ...dataOf({ run, graph, derivation }, readsOf(graph).of[index]!.tasks, rows, given),
    ...(graph.tasks[index]!.task.finally && { run: finallyValues(run, graph, derivation) }),
  };
}

/** The values for the output of a run whose tasks have all ended. Parameters are as of `taskData`. */
export function outputData(
  { run, graph, end }: { run: Run; graph: Graph; end: ReturnType<typeof endOfRun> },
  rows: ReadonlyMap<number, Execution>,
  given: Params | undefined,
): TaskData {
  const derivation = derive(graph, run.run);
  const counts = countsIn(graph.tasks.map(({ index }) => derivation.states[index]!));
  const { status, reason, failedTasks } = end;
  return {
    ...dataOf({ run, graph, derivation }, readsOf(graph).output.tasks, rows, given),
    run: defined({ status, reason, failedTasks, counts }),
  };
}

function dataOf(
  { run, graph, derivation }: { run: Run; graph: Graph; derivation: Derivation },
  read: readonly number[],
  rows: ReadonlyMap<number, Execution>,
  given: Params | undefined,
): TaskData {
  const tasks = read
    .filter((one) => !isOpen(derivation.states[one]!))
    .map((one) => [graph.tasks[one]!.id, valuesOf(run, graph, one, derivation, rows.get(one))] as const);
  return {
    ...(graph.workflow.params && { params: paramsOf(graph.workflow, given) }),
    tasks: Object.fromEntries(tasks),
  };
}

function valuesOf(
  { run }: Run,
  graph: Graph,
  index: number,
  { states }: Derivation,
  row: Execution | undefined,
): JsonObject {
  const mark = run.marks[keyOfTask(index)];
  const branch = mark === undefined ? undefined : branchOfMark(mark);
  const chosen = graph.tasks[index]!.task.switch;
  const finishedAtMs = row?.finishedAtMs ?? (mark === undefined ? undefined : timeOfMark(mark, run));
  const values: Record<(typeof TASK_FIELDS)[number], Json | undefined> = {
    status: states[index]!,
    output: row?.output === undefined ? undefined : (JSON.parse(row.output) as Json),
    startedAt: row?.startedAtMs === undefined ? undefined : instantText(row.startedAtMs),
    finishedAt: finishedAtMs === undefined ? undefined : instantText(finishedAtMs),
    attempts: row ? attemptsOf(row) : 0,
    branch: branch === undefined || !chosen ? undefined : branchesOf(chosen)[branch],
    count: row?.items?.count,
    succeeded: row?.items?.succeeded,
    failed: row?.items && row.items.count - row.items.succeeded,
  };
  return defined(values);
}

/** All tasks but the finally tasks are settled, so these values stay as they are. */
function finallyValues({ run: { stop } }: Run, graph: Graph, { states, failed }: Derivation): JsonObject {
  const main = graph.tasks.filter(({ task }) => !task.finally);
  const failedTasks = failed.filter((index) => !graph.tasks[index]!.task.finally);
  const status = stop?.seen ?? outcomeOf(stop?.why, failedTasks.length > 0);
  const counts = countsIn(main.map(({ index }) => states[index]!));
  const why = stop?.seen ? stop.seenWhy : stop?.why;
  const values: Record<(typeof FINALLY_FIELDS)[number], Json | undefined> = {
    status,
    reason: why ?? (status === 'failed' ? 'task-failed' : undefined),
    failedTasks: failedTasks.map((index) => graph.tasks[index]!.id).sort(),
    counts,
  };
  return defined(values);
}

function countsIn(states: readonly TaskState[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

const defined = (values: Record<string, Json | undefined>): JsonObject =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
