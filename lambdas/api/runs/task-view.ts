import { instantText } from '../../core/clock/clock';
import type { TaskDetailView, TaskStatus, TaskView } from '../../core/http/openapi/workflow-answers';
import { jobRefOf } from '../../core/contracts/tables';
import { isTerminal } from '../../core/domain/transitions';
import { attemptsOf, type Execution, type Run, type UserRequest } from '../../core/domain/execution';
import {
  branchesOf,
  hasWork,
  isChild,
  isDecided,
  isInline,
  isTimed,
  type Switch,
  type Task,
  isAlarmed,
} from '../../core/domain/workflow/definition';
import { derive, type Derivation, type TaskState } from '../../core/domain/workflow/derive';
import type { Graph, GraphTask } from '../../core/domain/workflow/graph';
import { branchOfMark, keyOfTask, roundOf, timeOfMark } from '../../core/domain/workflow/marks';
import { childRefOf, hasEndedForRound } from '../../core/domain/workflow/children';
import { taskRefIn } from '../../core/ending/runs/unstarted-task';
import { executionMapKey } from '../../core/store/execution-store';
import { findExecutions } from '../../core/store/read-whole';
import { runValues } from '../../core/delivery/job-templates/run-values';
import type { Job } from '../../core/domain/job';
import type { RunTask } from '../../core/domain/workflow/run-task';
import { beginOfTask, notBeforeMsOf } from '../../core/domain/workflow/task-times';
import { readTaskData } from '../../core/ending/runs/read-task-data';
import { Renderer } from '../../core/templates/render';
import { TemplateError } from '../../core/templates/template-error';
import { attemptViews, nextAttemptMs, progressView } from '../executions/execution-view';
import type { ApiDeps } from '../request';
import { itemsView, readFanOuts, type SeenFanOut } from './fan-out-view';
import type { FoundRun } from './find-run';

/** A run, what its marks say, and the rows of the tasks that were asked for, by their indexes. */
interface RunTasks extends FoundRun {
  derivation: Derivation;
  rows: ReadonlyMap<number, Execution>;
  /** The fan-outs among them that are open. */
  fanOuts: ReadonlyMap<number, SeenFanOut>;
  /** When those begin that wait for their times and have no row. */
  starts: ReadonlyMap<number, number>;
}

/** Reads the rows of those tasks that have one. Those of joins, and of what never ran, cost nothing. */
export async function readTasks(
  { run, graph }: FoundRun,
  indexes: readonly number[],
  deps: ApiDeps,
): Promise<RunTasks> {
  const derivation = derive(graph, run.run);
  const refs = indexes
    .filter((index) => mayHaveRow(graph.tasks[index]!, derivation.states[index]!))
    .map((index) => ({ index, ref: rowRefOf({ run, graph }, index) }));
  const ready = indexes.filter((index) => derivation.states[index] === 'ready');
  const [read, open] = await Promise.all([
    findExecutions(
      refs.map(({ ref }) => ref),
      deps,
    ),
    readFanOuts({ run, graph }, ready, deps),
  ]);
  const rows = refs.flatMap(({ index, ref }): [number, Execution][] => {
    const row = read.executions.get(executionMapKey(ref));
    return row ? [[index, row]] : [];
  });
  const found = { run, graph, derivation, rows: new Map(rows), fanOuts: open };
  const unbegun = ready.filter((index) => !open.has(index) && !hasBegun(found, index));
  return { ...found, starts: await readStarts(found, unbegun, deps) };
}

/** Whether a ready task has a row of its present round. */
function hasBegun({ run, graph, rows }: Pick<RunTasks, 'run' | 'graph' | 'rows'>, index: number): boolean {
  const row = rows.get(index);
  if (!row || !isChild(graph.tasks[index]!.task)) return row !== undefined;
  return !isTerminal(row.status) || hasEndedForRound({ run, index }, row);
}

/** The row that says how a task went: its own, or that of its child. */
const rowRefOf = ({ run, graph }: FoundRun, index: number) =>
  isChild(graph.tasks[index]!.task) ? childRefOf({ run, graph, index }) : taskRefIn(run, graph, index);

const ENDED_BY_ROW: readonly TaskState[] = ['ready', 'succeeded', 'failed', 'cancelled', 'skipped'];

/** A task that calls no target has a row only if it could not be decided. */
const mayHaveRow = ({ task }: GraphTask, state: TaskState): boolean =>
  isInline(task) ? isDecided(task) && state === 'failed' : ENDED_BY_ROW.includes(state);

/** A task that is ready has the status of its row; without one, its message is on its way. */
export function statusOf({ graph, derivation, rows, fanOuts }: RunTasks, index: number): TaskStatus {
  const state = derivation.states[index]!;
  if (state !== 'ready') return state;
  const status = rows.get(index)?.status ?? (fanOuts.has(index) ? 'running' : undefined);
  // A child that has ended for an earlier round is about to start again.
  return status === undefined || (isChild(graph.tasks[index]!.task) && isTerminal(status))
    ? 'queued'
    : status;
}

export function taskView(tasks: RunTasks, index: number): TaskView {
  const { run, graph, rows } = tasks;
  const { id, task } = graph.tasks[index]!;
  const row = rows.get(index);
  const fanOut = tasks.fanOuts.get(index);
  const endText = run.run.marks[keyOfTask(index)];
  const startAtMs = tasks.starts.get(index) ?? (row && isDelayed(row) ? row.startAtMs : undefined);
  const endedAtMs = endText === undefined ? undefined : timeOfMark(endText, run.run);
  return {
    taskId: id,
    ...(task.name !== undefined && { name: task.name }),
    kind: kindOf(task),
    ...(task.finally && { finally: task.finally }),
    status: statusOf(tasks, index),
    reason: startAtMs === undefined ? (row?.reason ?? reasonOf(tasks, index)) : 'delayed',
    because: becauseOf(tasks, index),
    dependsOn: task.dependsOn.map(({ task: upstream }) => upstream),
    ...(task.switch && { branch: branchIn(task.switch, endText) }),
    ...(task.forEach && { items: itemsView(row?.items, fanOut) }),
    round: roundOf(run.run, index),
    startedAt: optionalInstant(row?.startedAtMs ?? fanOut?.head.laidOutAtMs),
    finishedAt: optionalInstant(row?.finishedAtMs ?? endedAtMs),
    nextAttemptAt: optionalInstant(startAtMs ?? (row && nextAttemptMs(row))),
    attempts: row ? attemptsOf(row) : 0,
    result: row?.result ? { statusCode: row.result.statusCode ?? null, body: row.result.body ?? null } : null,
    ...(isChild(task) && { child: childView(tasks, index) }),
  };
}

/** Whether a task waits for its own time: it has a row, and no attempt yet. */
const isDelayed = ({ status, startAtMs }: Execution): boolean =>
  status === 'queued' && startAtMs !== undefined;

export function taskDetailView(tasks: RunTasks, index: number): TaskDetailView {
  const row = tasks.rows.get(index);
  return {
    ...taskView(tasks, index),
    attemptList: row ? attemptViews(row) : [],
    heartbeatAt: optionalInstant(row?.heartbeatAtMs),
    ...(row && progressView(row)),
    ...(row?.userRequest && { decided: decidedView(row, row.userRequest) }),
    ...(row?.output !== undefined && { output: JSON.parse(row.output) as unknown }),
  };
}

/** Its execution has an id as soon as it may have a row. */
function childView({ run, graph, derivation }: RunTasks, index: number): NonNullable<TaskView['child']> {
  const ref = childRefOf({ run, graph, index });
  const mayExist = mayHaveRow(graph.tasks[index]!, derivation.states[index]!);
  return { jobId: jobRefOf(ref.jobKey).jobId, execId: mayExist ? ref.execId : null };
}

const decidedView = (row: Execution, { by, note }: UserRequest): TaskDetailView['decided'] => ({
  by,
  at: instantText(row.finishedAtMs ?? row.dueAtMs),
  comment: note ?? null,
});

function kindOf(task: Task): TaskView['kind'] {
  if (task.switch) return 'switch';
  if (task.approval) return 'approval';
  if (task.await) return 'await';
  if (task.forEach) return 'forEach';
  if (task.job !== undefined) return 'job';
  if (hasWork(task)) return 'call';
  return isTimed(task) ? 'wait' : 'join';
}

function branchIn(chosen: Switch, endText: string | undefined): string | null {
  const branch = endText === undefined ? undefined : branchOfMark(endText);
  return branch === undefined ? null : (branchesOf(chosen)[branch] ?? null);
}

function reasonOf({ run, graph, derivation }: RunTasks, index: number): string | null {
  const state = derivation.states[index]!;
  if (state === 'ready' && graph.tasks[index]!.task.await) return 'awaiting';
  if (state === 'stopped') return run.run.stop?.why ?? null;
  return state === 'skipped' && graph.tasks[index]!.task.enabled === false ? 'disabled' : null;
}

const EXPLAINS: Partial<Record<TaskState, readonly TaskState[]>> = {
  waiting: ['waiting', 'ready'],
  blocked: ['failed', 'cancelled', 'blocked'],
  excluded: ['excluded', 'succeeded', 'skipped'],
};

/** The tasks before it whose states explain its own. */
function becauseOf({ graph, derivation: { states } }: RunTasks, index: number): string[] {
  const { task, dependsOn } = graph.tasks[index]!;
  const explaining = EXPLAINS[states[index]!];
  if (!explaining) return [];
  const before = task.finally
    ? states[index] === 'waiting'
      ? graph.tasks.filter((one) => !one.task.finally).map((one) => one.index)
      : []
    : dependsOn.map((one) => one.index);
  return before.filter((one) => explaining.includes(states[one]!)).map((one) => graph.tasks[one]!.id);
}

/** How many tasks have each status. Reads the rows of those that may be at work. */
export async function countsOf(found: FoundRun, deps: ApiDeps): Promise<Record<TaskStatus, number>> {
  const { states } = derive(found.graph, found.run.run);
  const ready = found.graph.order.filter((index) => states[index] === 'ready');
  const tasks = await readTasks(found, ready, deps);
  const counts = { ...NO_TASKS };
  for (const { index } of found.graph.tasks) counts[statusOf(tasks, index)] += 1;
  return counts;
}

const NO_TASKS: Readonly<Record<TaskStatus, number>> = {
  waiting: 0,
  queued: 0,
  running: 0,
  retrying: 0,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  skipped: 0,
  excluded: 0,
  blocked: 0,
  stopped: 0,
};

/** Ids of the tasks whose failure counts. */
export const failedTasksOf = (graph: Graph, run: Run): string[] =>
  derive(graph, run.run)
    .failed.map((index) => graph.tasks[index]!.id)
    .sort();

export const optionalInstant = (ms: number | undefined): string | null =>
  ms === undefined ? null : instantText(ms);

/**
 * When tasks begin that wait for their times and have no row, by their indexes. Left out: those whose time
 * has come, or cannot be told.
 *
 * @param indexes ready tasks that have not begun
 */
async function readStarts(
  { run, graph }: FoundRun,
  indexes: readonly number[],
  deps: ApiDeps,
): Promise<Map<number, number>> {
  const waiting = indexes.filter((index) => isAlarmed(graph.tasks[index]!.task));
  const job = waiting.length > 0 ? await deps.jobs.get(jobRefOf(run.jobKey)) : undefined;
  if (!job) return new Map();
  const nowMs = deps.clock.nowMs();
  const starts = await Promise.all(
    waiting.map(async (index): Promise<[number, number][]> => {
      const atMs = await startOf({ run, graph, index }, job, deps);
      return atMs !== undefined && atMs > nowMs ? [[index, atMs]] : [];
    }),
  );
  return new Map(starts.flat());
}

async function startOf(task: RunTask, job: Job, deps: ApiDeps): Promise<number | undefined> {
  const { run, graph, index } = task;
  const view = { run: run.run, graph };
  if (graph.tasks[index]!.task.notBefore === undefined) return beginOfTask(view, index, 0);
  try {
    const values = runValues(run, job, await readTaskData(task, deps));
    return beginOfTask(view, index, notBeforeMsOf(task, new Renderer(values), values.zone));
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}
