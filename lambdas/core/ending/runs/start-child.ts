import { parseDuration } from '../../schedule/duration';
import type { StageDeps } from '../../deps';
import { type Execution, isRun, NEVER_CLAIMED } from '../../domain/execution';
import type { Job } from '../../domain/job';
import { expiresAtSecAfter, LONGEST_RUN_MS } from '../../domain/timing';
import { afterUserRetry, type UserRetry } from '../../domain/user-retry';
import {
  type ChildTask,
  childRefOf,
  dueTimeOfChild,
  laneOfChild,
  lineageOf,
  parentAt,
  triggerOfChild,
} from '../../domain/workflow/children';
import { reopened } from '../../domain/workflow/reopen';
import { attemptEntry, attemptMessage, limitEntry, sendOrLeave } from '../../queue/attempt-entries';
import { startDeadline, withinDeadline } from '../../store/write-deadline';
import type { End } from '../end-request';
import { endWithoutFollowUps, endUnstartedWithoutFollowUps } from '../end-without-follow-ups';
import { graphOfRun } from './mark-task';
import { type ChildFault, type ChildInput, prepareChild } from './prepare-child';
import { startRuns } from '../start-runs';
import { startWaitersOf } from '../start-waiters';

/** The row of a child that has not begun. */
export const newChild = (task: ChildTask, nowMs: number): Execution => ({
  ...childRefOf(task),
  trigger: triggerOfChild(task),
  dueAtMs: dueTimeOfChild(task),
  status: 'queued',
  ...NEVER_CLAIMED,
  startAtMs: nowMs,
  askedAtMs: nowMs,
  ancestors: lineageOf(task).ancestors,
  parent: parentAt(task, nowMs),
  ...(task.run.userRequest && { userRequest: task.run.userRequest }),
});

/** The row of a child that ends before it begins. No claim, and no start of it, comes after that. */
export function endedChild(
  task: ChildTask,
  end: Pick<Execution, 'status'> & Partial<Execution>,
  { clock, retentionDays }: Pick<StageDeps, 'clock' | 'retentionDays'>,
): Execution {
  const nowMs = clock.nowMs();
  const { startAtMs: _, ...row } = newChild(task, nowMs);
  const expiresAtSec = expiresAtSecAfter(Math.max(nowMs, row.dueAtMs), retentionDays);
  return { ...row, ...end, finishedAtMs: nowMs, expiresAtSec };
}

/**
 * Starts the child of a task, or starts it again for the present round. Repeating it does no harm. Order of
 * writes: its parameters → the entry of its limit → that of its first attempt → its row → the message. One
 * that cannot begin ends as failed.
 *
 * @param seen its row, which has ended for an earlier round; undefined: it has none
 * @returns how many runs this call has started
 */
export async function startChild(
  task: ChildTask,
  seen: Execution | undefined,
  deps: StageDeps,
): Promise<number | 'job-gone'> {
  const prepared = await prepareChild(task, deps);
  if (prepared === 'job-gone') return prepared;
  if ('fault' in prepared) {
    await endUnbegun(task, seen, failureOf(prepared.fault), deps);
    return 0;
  }
  const { input } = prepared;
  const { params, payload, deliveryDepth } = input;
  const nowMs = deps.clock.nowMs();
  if (params) {
    const expiresAtSec = expiresAtSecAfter(nowMs + LONGEST_RUN_MS, deps.retentionDays);
    await deps.runInputs.put(childRefOf(task), { params }, expiresAtSec);
  }
  if (seen) return startAgain(task, seen, input, deps);
  const run: Execution = {
    ...newChild(task, nowMs),
    ...laneOfChild(task, input.job),
    ...keyOfChild(task, input.job),
    ...(payload && { payload }),
    ...(params && { hasParams: true }),
    ...(deliveryDepth !== undefined && { deliveryDepth }),
  };
  await fileLimit(run, deps);
  return startRuns([{ run, job: input.job }], deps);
}

/** A date of a backfill waits for the ordering key that its job has by then. No other child takes one. */
const keyOfChild = ({ run }: ChildTask, { orderingKey }: Job): Pick<Execution, 'orderingKey'> =>
  run.backfill && orderingKey !== null ? { orderingKey } : {};

/** The entry by which the sweeper ends a child that takes longer than its task allows. */
async function fileLimit(child: Execution, deps: StageDeps): Promise<void> {
  const untilMs = child.parent?.untilMs;
  if (untilMs !== undefined) await deps.schedule.putEntries([await limitEntry(child, untilMs, deps)]);
}

/** Ends a child that cannot begin for the present round. */
export async function endUnbegun(
  task: ChildTask,
  seen: Execution | undefined,
  end: End,
  deps: StageDeps,
): Promise<void> {
  const { status, reason, result } = end;
  const row = { status, ...(reason && { reason }), ...(result && { result }), attempts: [] };
  if (seen) await endAgain(task, seen, end, deps);
  else await endUnstartedWithoutFollowUps(endedChild(task, row, deps), 'other', deps);
}

const failureOf = ({ reason, text }: ChildFault) =>
  ({ status: 'failed', reason, result: { body: text } }) as const;

/** The child's own row runs again; of a run, what has failed in it. */
async function startAgain(
  task: ChildTask,
  seen: Execution,
  { job, payload, params }: ChildInput,
  deps: StageDeps,
): Promise<number> {
  const run = isRun(seen) ? await reopenedRun(seen, job, deps) : undefined;
  if (run && 'conflict' in run) {
    const fault: ChildFault = { reason: 'recursion', text: run.conflict };
    await endAgain(task, seen, failureOf(fault), deps);
    return 0;
  }
  // The retry undoes the end. Its waiters may not have been started: the process may have died.
  if (seen.awaited) await startWaitersOf(seen, deps);
  const retry = {
    ...(payload && { payload }),
    ...(params && { hasParams: true as const }),
    ...run,
    ...keyOfChild(task, job),
  };
  const retried = await writeRetry(task, seen, retry, deps);
  if (!retried) return 0;
  await sendOrLeave(attemptMessage(retried, { attempt: 1, startAtMs: retried.startAtMs! }, job), deps);
  return 1;
}

async function reopenedRun(
  seen: Execution & { run: NonNullable<Execution['run']> },
  job: Job,
  deps: StageDeps,
): Promise<Pick<UserRetry, 'run'> | { conflict: string }> {
  const { stop: _stop, heldAtMs: _heldAtMs, heldBy: _heldBy, ...kept } = seen.run;
  const nowMs = deps.clock.nowMs();
  const asked = { mode: 'failed', tasks: [], skip: [] } as const;
  const opened = reopened(await graphOfRun(seen, deps), kept, asked, { nowMs, hasEnded: true });
  if ('conflict' in opened) return opened;
  const endsAtMs = nowMs + parseDuration(job.timeout);
  return { run: { ...kept, ...opened, moves: kept.moves + 1, touchedAtMs: nowMs, endsAtMs } };
}

/** Entry, then row. Undefined: the row has changed meanwhile. */
async function writeRetry(
  task: ChildTask,
  seen: Execution,
  retry: Omit<UserRetry, 'startAtMs' | 'parent'>,
  deps: StageDeps,
): Promise<Execution | undefined> {
  const deadline = startDeadline(deps.clock);
  const whole: UserRetry = { ...retry, startAtMs: deadline.nowMs, parent: parentAt(task, deadline.nowMs) };
  const retried = afterUserRetry(seen, whole);
  await fileLimit(retried, deps);
  const entry = await attemptEntry({ ...retried, startAtMs: deadline.nowMs }, deps);
  await deps.schedule.putEntries([entry], deadline.leftMs());
  const write = () =>
    withinDeadline(deadline, (options) => deps.executions.userRetry(seen, whole, options), deps);
  return (await write()) === 'done' ? retried : undefined;
}

/**
 * Ends, for the present round, a child that has ended for an earlier one. It is opened first: so a process
 * that would start it again meanwhile comes too late.
 */
export async function endAgain(
  task: ChildTask,
  seen: Execution,
  end: End,
  deps: StageDeps,
): Promise<Execution | undefined> {
  const waiting = await writeRetry(task, seen, {}, deps);
  if (!waiting) return undefined;
  const precondition = { kind: 'waiting' } as const;
  return endWithoutFollowUps({ execution: waiting, end, precondition, job: undefined, by: 'other' }, deps);
}
