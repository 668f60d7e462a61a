import { Metric } from '../../contracts/metrics';
import { runValues } from '../../delivery/job-templates/run-values';
import type { StageDeps } from '../../deps';
import type { Execution } from '../../domain/execution';
import type { Job } from '../../domain/job';
import { isTerminal } from '../../domain/transitions';
import { branchTaken, holds } from '../../domain/workflow/conditions';
import { childRefOf, hasEndedForRound, markOfChild } from '../../domain/workflow/children';
import { isChild, isInline } from '../../domain/workflow/definition';
import type { MarkedStatus } from '../../domain/workflow/marks';
import type { RunTask } from '../../domain/workflow/run-task';
import { Renderer, type Values } from '../../templates/render';
import { TemplateError } from '../../templates/template-error';
import { awaitedEnd } from './await-upstream';
import { endUnstartedWithoutFollowUps } from '../end-without-follow-ups';
import { notBeforeMsOf } from '../../domain/workflow/task-times';
import { readTaskData } from './read-task-data';
import { endUnbegun } from './start-child';
import { taskRefIn, unstartedTask } from './unstarted-task';

/**
 * What becomes of a ready task. `startAtMs`: it is sent, and starts then, or now if that is past. Undefined:
 * another process has decided otherwise.
 */
export type Decision = { startAtMs: number } | { status: MarkedStatus; branch?: number } | undefined;

/**
 * Decides on a ready task by its `when`, its `switch`, its `notBefore` and its `await`. All processes decide
 * alike: by what the run was given and by what the tasks before it have left. Another job may change between
 * two of them; then the first row counts. If a template cannot be rendered, the task fails with a row that
 * says why.
 */
export async function decideTask(task: RunTask, job: Job, deps: StageDeps): Promise<Decision> {
  const { run, graph, index } = task;
  const definition = graph.tasks[index]!.task;
  const values = runValues(run, job, await readTaskData(task, deps));
  const renderer = new Renderer(values);
  try {
    if (definition.when && !holds(definition.when, renderer)) return { status: 'excluded' };
    if (definition.switch) return { status: 'succeeded', branch: branchTaken(definition.switch, renderer) };
    if (definition.await) return await decideAwait(task, values, deps);
    if (isInline(definition)) return { status: 'succeeded' };
    return { startAtMs: notBeforeMsOf(task, renderer, values.zone) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return end(task, { status: 'failed', reason: 'bad-input', result: { body: error.message } }, deps);
  }
}

/**
 * Whether a ready approval waits for no user, though it has no mark yet: its `when` excludes it, or cannot be
 * rendered.
 */
export async function isDecidedByWhen(task: RunTask, job: Job, deps: StageDeps): Promise<boolean> {
  if (!task.graph.tasks[task.index]!.task.when) return false;
  const decision = await decideTask(task, job, deps);
  return decision !== undefined && 'status' in decision;
}

/** A task that waits on is neither sent nor marked. */
async function decideAwait(task: RunTask, values: Values, deps: StageDeps): Promise<Decision> {
  const ended = await awaitedEnd(task, values, deps);
  if (!ended) return { startAtMs: 0 };
  const { text, ...how } = ended;
  return end(task, { ...how, result: { body: text } }, deps);
}

type Ended = Pick<Execution, 'reason' | 'result'> & { status: 'succeeded' | 'failed' };

/** Writes the row of a task that is decided without a claim. */
async function end(task: RunTask, ended: Ended, deps: StageDeps): Promise<Decision> {
  const { run, graph, index } = task;
  if (isChild(graph.tasks[index]!.task)) return endChild(task, ended, deps);
  const ref = taskRefIn(run, graph, index);
  if (await endUnstartedWithoutFollowUps(unstartedTask(run, ref.execId, ended, deps), 'other', deps)) {
    if (ended.status === 'failed') deps.meter.count(Metric.tasksFailed);
    return { status: ended.status };
  }
  const row = await deps.executions.get(ref);
  return row && isTerminal(row.status) ? { status: row.status } : undefined;
}

/** The row of a task that starts a child is that of the child. One that has begun goes on. */
async function endChild(task: RunTask, ended: Ended, deps: StageDeps): Promise<Decision> {
  const child = await deps.executions.get(childRefOf(task));
  if (child && !isTerminal(child.status)) return { startAtMs: 0 };
  if (child && hasEndedForRound(task, child)) return { status: markOfChild(child) };
  await endUnbegun(task, child, ended, deps);
  return { status: ended.status };
}
