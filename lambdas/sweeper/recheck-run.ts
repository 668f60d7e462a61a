import { MINUTE_MS, SECOND_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import type { StageDeps } from '../core/deps';
import type { Execution, Run } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { leaseLimitMs } from '../core/domain/lease';
import { RECHECK_AFTER_MS } from '../core/domain/timing';
import { isTerminal } from '../core/domain/transitions';
import { derive } from '../core/domain/workflow/derive';
import type { Graph } from '../core/domain/workflow/graph';
import {
  approvalsReady,
  awaitsReady,
  callable,
  childrenReady,
  isPausedRun,
  lastMoveMs,
  mayBeSent,
  readySinceMs,
} from '../core/domain/workflow/progress';
import { nextRunRecheckMs } from '../core/domain/workflow/run-rechecks';
import { isChild, isFanOut } from '../core/domain/workflow/definition';
import type { RunTask } from '../core/domain/workflow/run-task';
import { isAlive, isJobGone } from '../core/domain/workflow/task-eligibility';
import { sendLaneOf, taskJobOf } from '../core/domain/workflow/task-job';
import { repeatEnd } from '../core/ending/end-execution';
import { approvalEndMs, recheckListed } from '../core/ending/runs/approvals';
import { nextCheckMs } from '../core/ending/runs/await-upstream';
import { decideOverdue } from '../core/ending/runs/decide-approval';
import { isDecidedByWhen } from '../core/ending/runs/decide-task';
import { isUnsent, resendTask } from '../core/ending/runs/resend-task';
import { graphOfRun } from '../core/ending/runs/mark-task';
import { goOnWithRun } from '../core/ending/runs/go-on-with-run';
import { taskRefIn } from '../core/ending/runs/unstarted-task';
import { attemptEntry } from '../core/queue/attempt-entries';
import { executionMapKey } from '../core/store/execution-store';
import type { RecheckContext } from './recheck';
import { type Found, recheckFanOut } from './recheck-fan-out';
import { endAtLimit, ticketsOf } from './recheck-offered';
import { takeOver } from './take-over';
import { readExecutions } from '../core/store/read-whole';

/** A task whose message was sent is claimed within this, unless its queue is long. */
const CLAIMED_WITHIN_MS = 15 * SECOND_MS;
/** For how long a backlog explains that a task is not claimed. */
const LONGEST_WAITING_MS = 10 * MINUTE_MS;
const LONGEST_IN_FLIGHT_MS = MINUTE_MS;
const WHILE_IN_MAINTENANCE_MS = MINUTE_MS;

/**
 * Rechecks a run as a whole: its tasks need no entries of their own. It stops the run if that is due. It
 * marks tasks that have ended unmarked, takes over stale leases, and sends tasks that are not claimed. Then
 * it files its next recheck, unless the run has ended. All rechecks of one run file the same entry.
 *
 * @param job undefined: it is deleted
 */
export async function recheckRun(run: Run, job: Job | undefined, context: RecheckContext): Promise<void> {
  const { deps } = context;
  const graph = await graphOfRun(run, deps);
  const jobGone = isJobGone(run, job);
  const children = new Set(childrenReady({ run: run.run, graph }, derive(graph, run.run)));
  await goOnWithRun(run, { fresh: children, by: 'sweeper', jobGone, settles: true }, deps);
  const moved = await readRun(run, deps);
  if (!moved) return;
  const unsent = new Set<number>();
  const asking = new Set<number>();
  const limitsMs: number[] = [];
  let isWorking = false;
  const rows = await readOpenTasks(moved, graph, deps);
  for (const [index, row] of rows) {
    const found = await recheckTask(
      index,
      row,
      { run: moved, graph, job: jobGone ? undefined : job, limitsMs },
      context,
    );
    if (found === 'unsent') unsent.add(index);
    if (found === 'asks') asking.add(index);
    else if (found !== 'waiting') isWorking = true;
  }
  const current = await readRun(moved, deps);
  if (!current) return;
  if (unsent.size > 0) {
    deps.meter.count(Metric.resent, unsent.size);
    deps.meter.count(Metric.runsRepaired, unsent.size);
  }
  const fresh = new Set([...unsent, ...asking]);
  if (fresh.size > 0) await goOnWithRun(current, { fresh, by: 'sweeper', jobGone }, deps);
  await fileRecheckOf(current, graph, { isWorking, limitsMs }, deps);
}

/** The run as it is now; undefined: it has ended. */
async function readRun(run: Run, { executions }: StageDeps): Promise<Run | undefined> {
  const row = await executions.get(run);
  return isAlive(row) ? row : undefined;
}

/** The tasks that may be at work, each with its row, if it has one. */
async function readOpenTasks(
  run: Run,
  graph: Graph,
  deps: StageDeps,
): Promise<Map<number, Execution | undefined>> {
  const view = { row: run, run: run.run, graph };
  const derivation = derive(graph, run.run);
  // A child has an entry of its own.
  const open = [...new Set([...mayBeSent(view, derivation), ...callable(view, derivation)])].filter(
    (index) => !isChild(graph.tasks[index]!.task),
  );
  const refs = new Map(open.map((index) => [index, taskRefIn(run, graph, index)]));
  if (open.length === 0) return new Map();
  const rows = await readExecutions([...refs.values()], deps);
  return new Map(open.map((index) => [index, rows.get(executionMapKey(refs.get(index)!))]));
}

interface RecheckedRun {
  run: Run;
  graph: Graph;
  /** Undefined: it is deleted. */
  job: Job | undefined;
  /** Gets the times by which workers have to ask for what is offered. */
  limitsMs: number[];
}

async function recheckTask(
  index: number,
  row: Execution | undefined,
  { run, graph, job, limitsMs }: RecheckedRun,
  context: RecheckContext,
): Promise<Found> {
  const { deps } = context;
  const { task } = graph.tasks[index]!;
  if (!row && task.approval) return recheckApproval({ run, graph, index }, job, deps);
  if (!row && task.await) return 'asks';
  const taskJob = job && taskJobOf(job, run, graph, index);
  const ofRow = (one: Execution) => recheckRow(one, { run, job: taskJob, limitsMs }, deps);
  if (row) return ofRow(row);
  const isLost = (sentAtMs: number) => isLostSince(sentAtMs, index, run, graph, context);
  if (isFanOut(task)) return recheckFanOut({ run, graph, index }, { ofRow, isLost }, deps);
  return (await isLost(readySinceMs({ run: run.run, graph }, index))) ? 'unsent' : unclaimed(run);
}

/** The task as a job, and what else the recheck of its row takes from its run. */
type RecheckedTask = Pick<RecheckedRun, 'run' | 'job' | 'limitsMs'>;

/** A task, or an item of its fan-out, that has a row. */
async function recheckRow(row: Execution, task: RecheckedTask, deps: StageDeps): Promise<Found> {
  if (isTerminal(row.status)) {
    deps.meter.count(Metric.runsRepaired);
    await repeatEnd(row, { by: 'sweeper' }, deps);
    return 'working';
  }
  // The entry of its attempt, or of its lease's limit, was written before its row.
  if (row.status === 'retrying' || row.status === 'queued') return recheckWait(row, task, deps);
  if (row.delegatedTo) return 'waiting';
  if (deps.clock.nowMs() > leaseLimitMs(row)) await takeOver(row, task.job, deps);
  return 'working';
}

const unclaimed = (run: Run): Found => (isPausedRun(run.run) ? 'waiting' : 'working');

/**
 * What was put back while the run was held has no entry, nor has what was offered to workers. A ticket is
 * durable: while it stands, nothing is sent, and the execution ends at its limit.
 */
async function recheckWait(
  row: Execution,
  { run, job, limitsMs }: RecheckedTask,
  deps: StageDeps,
): Promise<Found> {
  if (isPausedRun(run.run) || !isUnsent(row, deps.clock.nowMs())) return 'waiting';
  const waiting = { ...row, row };
  const ticket = job && (await ticketsOf([waiting], job, deps)).get(waiting);
  if (!job || !ticket) {
    await resendTask(row, run, deps);
    return 'working';
  }
  const limitMs = await endAtLimit(waiting, ticket, job, deps);
  if (limitMs === undefined) return 'working';
  limitsMs.push(limitMs);
  return 'waiting';
}

/** An approval without a row waits for a user, until its time is over. What its `when` excludes is marked. */
async function recheckApproval(task: RunTask, job: Job | undefined, deps: StageDeps): Promise<Found> {
  if (job && (await isDecidedByWhen(task, job, deps))) return 'asks';
  if (await decideOverdue(task, deps)) return 'working';
  await recheckListed(task, job, deps);
  return 'waiting';
}

/** Whether the message of a task, or of an item, without a row is lost. If not, it waits. */
async function isLostSince(
  sentAtMs: number,
  index: number,
  run: Run,
  graph: Graph,
  { deps, backlogOf }: RecheckContext,
): Promise<boolean> {
  const view = { row: run, run: run.run, graph };
  if (isPausedRun(run.run) || !callable(view, derive(graph, run.run)).includes(index)) return false;
  const unclaimedMs = deps.clock.nowMs() - sentAtMs;
  if (unclaimedMs < CLAIMED_WITHIN_MS) return false;
  const backlog = await backlogOf(sendLaneOf(run.run, graph, index));
  if (backlog === 'waiting' && unclaimedMs < LONGEST_WAITING_MS) return false;
  return backlog !== 'in-flight' || unclaimedMs >= LONGEST_IN_FLIGHT_MS;
}

async function fileRecheckOf(
  run: Run,
  graph: Graph,
  { isWorking, limitsMs }: { isWorking: boolean; limitsMs: readonly number[] },
  deps: StageDeps,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const derivation = derive(graph, run.run);
  const approvals = approvalsReady({ run: run.run, graph }, derivation);
  const awaits = awaitsReady({ run: run.run, graph }, derivation);
  const inMaintenance = await deps.inMaintenance();
  const atMs = nextRunRecheckMs({
    nowMs,
    lastMoveMs: lastMoveMs(run.run),
    endsAtMs: run.run.endsAtMs,
    dueMs: [
      ...limitsMs,
      ...approvals.map((index) => approvalEndMs({ run, graph, index })),
      ...awaits.map((index) => nextCheckMs({ run, graph, index }, nowMs)),
    ],
    isWorking,
    leastMs: inMaintenance ? WHILE_IN_MAINTENANCE_MS : RECHECK_AFTER_MS,
  });
  const entry = await attemptEntry({ ...run, startAtMs: atMs - RECHECK_AFTER_MS }, deps);
  await deps.schedule.putEntries([{ ...entry, rechecks: 0 }]);
}
