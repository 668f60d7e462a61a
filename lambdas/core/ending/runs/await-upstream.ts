import { DAY_MS, instantText, SECOND_MS } from '../../clock/clock';
import { jobKeyOf, jobRefOf } from '../../contracts/tables';
import type { StageDeps } from '../../deps';
import type { Reason } from '../../domain/reason';
import {
  type Await,
  nextAwaitCheckMs,
  namedWindow,
  type Window,
  windowBetween,
} from '../../domain/workflow/await';
import { readySinceMs } from '../../domain/workflow/progress';
import type { RunTask } from '../../domain/workflow/run-task';
import { RECHECK_AFTER_MS } from '../../domain/timing';
import { type Awaited, awaitedRuns, MOST_AWAITED } from '../../history/awaited-runs';
import { attemptEntry } from '../../queue/attempt-entries';
import { parseDuration } from '../../schedule/duration';
import { Renderer, type Values } from '../../templates/render';
import { readOneJob } from '../../store/read-whole';
import { taskRefIn } from './unstarted-task';

const awaitOf = ({ graph, index }: RunTask): Await => graph.tasks[index]!.task.await!;

/** What the other job's executions in the window say now. */
export interface Asked {
  window: Window;
  /** Undefined: the other job does not exist. */
  awaited: Awaited | undefined;
  /** Whether the ends of its executions ask the tasks that wait for it. */
  tells: boolean;
}

/**
 * Asks the schedule of the other job, and its history. Throws `TemplateError` if the window cannot be
 * rendered.
 *
 * @param values with which the templates of the task are rendered
 */
export async function askUpstream(task: RunTask, values: Values, deps: StageDeps): Promise<Asked> {
  const { run } = task;
  const { window: wanted, need, job: jobId } = awaitOf(task);
  const renderer = new Renderer(values);
  const window =
    typeof wanted === 'string'
      ? namedWindow(wanted, run.dueAtMs, values.zone)
      : windowBetween({ from: renderer.text(wanted.from), to: renderer.text(wanted.to) }, values.zone);
  const jobKey = jobKeyOf({ userId: jobRefOf(run.jobKey).userId, jobId });
  const upstream = await readOneJob(jobKey, deps);
  return {
    window,
    awaited: upstream && (await awaitedRuns({ job: upstream, window, need, run }, deps)),
    tells: upstream?.awaitedAtMs !== undefined,
  };
}

/** How a task ends that waits for another job. */
export interface AwaitedEnd {
  status: 'succeeded' | 'failed';
  reason?: Reason;
  text: string;
}

/**
 * How a task ends that waits for another job; undefined: it waits on. Then it has a row by which the ends of
 * the other job ask again. What has ended before that row was written has asked no task, so this asks twice.
 */
export async function awaitedEnd(
  task: RunTask,
  values: Values,
  deps: StageDeps,
): Promise<AwaitedEnd | undefined> {
  const asked = await askUpstream(task, values, deps);
  const ended = endOf(task, asked, deps);
  if (ended || !(await isNewWaiter(task, asked, deps))) return ended;
  return endOf(task, await askUpstream(task, values, deps), deps);
}

/** Whether this has written the row of a task that waits. What fails is left to the rechecks of its run. */
async function isNewWaiter(task: RunTask, { window, tells }: Asked, deps: StageDeps): Promise<boolean> {
  if (!tells) return false;
  const { run, graph, index } = task;
  const { jobKey, execId } = taskRefIn(run, graph, index);
  const awaited = jobKeyOf({ userId: jobRefOf(jobKey).userId, jobId: awaitOf(task).job });
  try {
    if (await deps.awaits.has(awaited, { jobKey, execId, ...window })) return false;
    const expiresAtSec = Math.ceil((awaitEndMs(task) + DAY_MS) / SECOND_MS);
    await deps.awaits.put(awaited, { jobKey, execId, ...window, expiresAtSec });
    return true;
  } catch (error) {
    deps.log.error('a task that waits for another job is left to its run', error, { jobKey, execId });
    return false;
  }
}

function endOf(task: RunTask, asked: Asked, deps: Pick<StageDeps, 'clock'>): AwaitedEnd | undefined {
  const { job: jobId, onFailure, timeout } = awaitOf(task);
  const text = textOf(jobId, asked);
  const { state } = asked.awaited ?? { state: 'nothing' };
  if (state === 'met') return { status: 'succeeded', text };
  if (state === 'nothing') return { status: 'failed', reason: 'nothing-planned', text };
  if (state === 'too-many') return { status: 'failed', reason: 'bad-input', text };
  if (state === 'failed' && onFailure === 'fail')
    return { status: 'failed', reason: 'upstream-failed', text };
  if (deps.clock.nowMs() < awaitEndMs(task)) return undefined;
  return { status: 'failed', reason: 'timed-out', text: `after ${timeout}: ${text}` };
}

/** Until when a task waits for another job. */
export const awaitEndMs = (task: RunTask): number =>
  readySinceMs({ run: task.run.run, graph: task.graph }, task.index) + parseDuration(awaitOf(task).timeout);

/** When the run of a task that waits on is to be rechecked. */
export const nextCheckMs = (task: RunTask, nowMs: number): number =>
  nextAwaitCheckMs(awaitOf(task), nowMs, awaitEndMs(task));

/** Files the recheck of a run at which a task asks again. What fails is left to the run's own recheck. */
export async function fileNextCheck(task: RunTask, deps: StageDeps): Promise<void> {
  const { run } = task;
  try {
    const startAtMs = nextCheckMs(task, deps.clock.nowMs()) - RECHECK_AFTER_MS;
    const entry = await attemptEntry({ ...run, startAtMs }, deps);
    await deps.schedule.putEntries([{ ...entry, rechecks: 0 }]);
  } catch (error) {
    const { jobKey, execId } = run;
    deps.log.error('a task that waits for another job is left to its run', error, { jobKey, execId });
  }
}

function textOf(jobId: string, { window, awaited }: Asked): string {
  const during = `from ${instantText(window.fromMs)} to ${instantText(window.toMs)}`;
  if (!awaited) return `there is no job ${jobId}`;
  const { state, occurrences } = awaited;
  if (state === 'too-many') return `${jobId} has more than ${MOST_AWAITED} executions ${during}`;
  if (occurrences.length === 0) return `nothing of ${jobId} is planned ${during}`;
  const decisive = occurrences.find((one) => one.state === 'failed') ?? occurrences.at(-1)!;
  const { execution, dueAtMs } = decisive;
  const ended = occurrences.filter((one) => one.state === 'succeeded').length;
  const what = execution
    ? `${execution.execId} is ${execution.status}${execution.reason ? ` (${execution.reason})` : ''}`
    : `the one due at ${instantText(dueAtMs)} has not begun`;
  return `${ended} of ${occurrences.length} of ${jobId} ${during} have succeeded; ${what}`;
}
