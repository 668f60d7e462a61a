import type { StageDeps } from '../../deps';
import type { Run } from '../../domain/execution';
import type { Job } from '../../domain/job';
import { keyOfTask, releaseOf } from '../../domain/workflow/marks';
import type { RunTask } from '../../domain/workflow/run-task';
import type { RunStop } from '../../domain/workflow/run-state';
import { isJobGone } from '../../domain/workflow/task-eligibility';
import { callsLimitMs } from '../../domain/workflow/task-times';
import { readOneJob } from '../../store/read-whole';
import { listApproval } from './approvals';
import { fileNextCheck } from './await-upstream';
import { decideTask } from './decide-task';
import { endSettledRun } from './end-settled-run';
import { isLaterOrBegun, launchFanOut } from './fan-outs/launch-fan-out';
import { goOnWithChildren } from './go-on-with-children';
import { type Marked, markTask } from './mark-task';
import type { Action, Seen, State, TaskAction } from './next-action';
import { settleStopped } from './settle-stopped';
import { startLater } from './start-later';
import { taskMessage } from './task-messages';

/** Reads and writes what one action asks for. */
export async function perform(action: Action, seen: Seen, deps: StageDeps): Promise<State> {
  if (action.do === 'stop') return stop(action.stop, seen, deps);
  if (action.do === 'end') return end(seen, deps);
  return WORK[action.do](action.tasks, seen, deps);
}

/** Tasks of one action are worked on side by side, so their marks may be one write. */
type Work = (tasks: readonly number[], seen: Seen, deps: StageDeps) => Promise<State>;

const WORK: Readonly<Record<TaskAction, Work>> = {
  decide,
  'lay-out': layOut,
  release,
  settle,
  'mark-join': markJoin,
  'start-children': startChildren,
  send,
  'start-later': beginLater,
  'ask-later': askLater,
  'list-approvals': listApprovals,
};

const firstOf = (tasks: readonly number[], { run, graph }: Seen): RunTask => ({
  run,
  graph,
  index: tasks[0]!,
});

const marked = (seen: Seen, { row, ready }: Marked): State => ({
  ...seen,
  row,
  fresh: new Set([...seen.fresh, ...ready]),
});

/** The process has done its part for these tasks. */
const begun = (seen: Seen, tasks: readonly number[]): Seen => ({
  ...seen,
  fresh: new Set([...seen.fresh].filter((index) => !tasks.includes(index))),
});

/** Undefined: it is deleted. */
async function jobOf(run: Run, deps: StageDeps): Promise<Job | undefined> {
  const job = await readOneJob(run.jobKey, deps);
  return isJobGone(run, job) ? undefined : job;
}

async function stop(how: RunStop, seen: Seen, { runs }: StageDeps): Promise<State> {
  const { applied, execution: row } = await runs.stop(seen.run, how);
  return applied ? { ...seen, row, settles: true } : { ...seen, row, lost: seen.lost + 1 };
}

async function release(tasks: readonly number[], seen: Seen, { runs, clock }: StageDeps): Promise<State> {
  const at = releaseOf(clock.nowMs(), seen.run.run);
  const { applied, execution: row } = await runs.release(seen.run, tasks.map(keyOfTask), at);
  return applied ? marked(seen, { row, ready: tasks }) : { ...seen, row, lost: seen.lost + 1 };
}

async function decide(tasks: readonly number[], seen: Seen, deps: StageDeps): Promise<State> {
  const task = firstOf(tasks, seen);
  const job = await jobOf(seen.run, deps);
  if (!job) return { ...seen, jobGone: true };
  const decision = await decideTask(task, job, deps);
  if (!decision) return { ...seen, row: await deps.executions.get(seen.run) };
  if ('startAtMs' in decision)
    return { ...seen, passed: new Map([...seen.passed, [task.index, decision.startAtMs]]) };
  return marked(seen, await markTask({ ...task, ...decision }, deps));
}

/** Marks a fan-out if it has ended by that. What fails is left to the run's recheck. */
async function layOut(tasks: readonly number[], seen: Seen, deps: StageDeps): Promise<State> {
  const task = firstOf(tasks, seen);
  const job = await jobOf(seen.run, deps);
  if (!job) return { ...seen, jobGone: true };
  const after = begun(seen, tasks);
  try {
    if (await isLaterOrBegun(task, seen.passed.get(task.index) ?? 0, deps)) return after;
    const status = await launchFanOut(task, job, deps);
    return status ? marked(after, await markTask({ ...task, status }, deps)) : after;
  } catch (error) {
    const { jobKey, execId } = seen.run;
    deps.log.error('a fan-out is left to the recheck of its run', error, { jobKey, execId });
    return after;
  }
}

async function settle(tasks: readonly number[], seen: Seen, deps: StageDeps): Promise<State> {
  const { cancelled, ...marks } = await settleStopped(tasks, seen, deps);
  return { ...marked(seen, marks), settles: false, cancelled: [...seen.cancelled, ...cancelled] };
}

async function markJoin(tasks: readonly number[], seen: Seen, deps: StageDeps): Promise<State> {
  return marked(seen, await markTask({ ...firstOf(tasks, seen), status: 'succeeded' }, deps));
}

async function startChildren(tasks: readonly number[], seen: Seen, deps: StageDeps): Promise<State> {
  const { jobGone, ...marks } = await goOnWithChildren(tasks, seen, deps);
  return { ...marked(begun(seen, tasks), marks), jobGone };
}

/** The first messages. What cannot be sent is left to the run's recheck. */
async function send(tasks: readonly number[], seen: Seen, { queue, clock, log }: StageDeps): Promise<State> {
  const { run, graph } = seen;
  const nowMs = clock.nowMs();
  const messages = tasks.map((index) => ({
    message: taskMessage(run, graph, { index }, nowMs),
    delaySec: 0,
    callLimitMs: callsLimitMs(graph.tasks[index]!.task),
  }));
  try {
    await queue.send(messages);
  } catch (error) {
    const { jobKey, execId } = run;
    log.error('the messages of tasks are left to the recheck of their run', error, { jobKey, execId });
  }
  return begun(seen, tasks);
}

async function beginLater(tasks: readonly number[], seen: Seen, deps: StageDeps): Promise<State> {
  await startLater(tasks, seen, deps);
  return begun(seen, tasks);
}

/** Files when tasks ask for another job again. */
async function askLater(tasks: readonly number[], seen: Seen, deps: StageDeps): Promise<State> {
  const { run, graph } = seen;
  for (const index of tasks) await fileNextCheck({ run, graph, index }, deps);
  return begun(seen, tasks);
}

/** Approvals that wait for a user now. What fails is left to the run's recheck. */
async function listApprovals(tasks: readonly number[], seen: Seen, deps: StageDeps): Promise<State> {
  const { run, graph } = seen;
  try {
    const job = await readOneJob(run.jobKey, deps);
    for (const index of tasks) await listApproval({ run, graph, index }, job, deps);
  } catch (error) {
    const { jobKey, execId } = run;
    deps.log.error('approvals are left to the recheck of their run', error, { jobKey, execId });
  }
  return begun(seen, tasks);
}

async function end(seen: Seen, deps: StageDeps): Promise<State> {
  const { run, graph, by, lost } = seen;
  const ended = await endSettledRun(run, graph, by, deps);
  if (ended) return { ...seen, row: ended, ended };
  return { ...seen, row: await deps.executions.get(run), lost: lost + 1, fresh: new Set() };
}
