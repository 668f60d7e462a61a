import { isHiddenJob, parseCompactInstant } from '../core/contracts/tables';
import type { StageDeps } from '../core/deps';
import { ensureNextEntry } from '../core/dispatch/next-entry';
import type { Entry } from '../core/domain/entry';
import { entryValidity } from '../core/domain/entry-validity';
import { isHeldBy } from '../core/domain/eligibility';
import { ageSinceMs, type Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { isOnErrand, leaseLimitMs } from '../core/domain/lease';
import { RECHECK_AFTER_MS } from '../core/domain/timing';
import { isTerminal } from '../core/domain/transitions';
import { isOverdue } from '../core/domain/workflow/child-row';
import { isPausedRun } from '../core/domain/workflow/progress';
import { isAlive } from '../core/domain/workflow/task-eligibility';
import { isTaskExecution } from '../core/domain/workflow/task-id';
import { endExecution } from '../core/ending/end-execution';
import { limitEntry } from '../core/queue/attempt-entries';
import { executionMapKey, type ExecutionStatusRow } from '../core/store/execution-store';
import { readExecutions, readOneJob } from '../core/store/read-whole';
import { refsOf } from './execution-refs';
import {
  fileRecheck,
  type NextRecheck,
  RECHECK_SOON,
  type RecheckContext,
  type SweeperDeps,
} from './recheck';
import { recheckUnclaimed } from './recheck-unclaimed';
import { recheckWaiting } from './recheck-waiting';
import { recordUnreached } from './record-unreached';
import { takeOver } from './take-over';

/**
 * Rechecks one entry, by the state of its executions. If any of them has not ended, the entry is filed again,
 * once. So an entry is settled only when all have ended, or another entry of the same execution lies ahead.
 * The next recheck repairs a repair that was cut off.
 */
export async function recheckEntry(entry: Entry, context: RecheckContext): Promise<void> {
  const ownJob = await readOneJob(entry.jobKey, context.deps);
  if (await context.deps.recheckJobTime(entry, ownJob, context.deps)) return;
  const nextRechecks: (NextRecheck | undefined)[] = [];
  const unclaimed: string[] = [];
  let unproven = false;
  const open: OpenExecution[] = [];
  const refs = refsOf(entry);
  const executions = await readExecutions(refs, context.deps);
  const { job, run } = await jobOfEntry(entry, executions, ownJob, context.deps);
  const isPaused = run !== undefined && isPausedRun(run.run);
  for (const ref of refs) {
    const seen = executions.get(executionMapKey(ref));
    const execution = seen && (await endIfOverdue(seen, job, context.deps));
    if (execution && !provesNextEntry(entry, execution)) unproven = true;
    if (isBeforeRetry(entry, execution)) nextRechecks.push(onceMoreFor(entry));
    if (!execution) unclaimed.push(ref.execId);
    else if (isAlive(execution)) await context.deps.recheckRun(execution, job, context);
    else if (execution.status === 'running') {
      nextRechecks.push(await recheckRunning(entry, execution, job, context));
      if (context.deps.clock.nowMs() <= leaseLimitMs(execution)) open.push(execution);
    } else if (!isTerminal(execution.status)) {
      if (isPaused) continue; // the resumption of its run sends it, or the recheck of its run
      nextRechecks.push(await recheckWaiting(entry, execution, job, context));
      if (!isHeldBy(execution, job)) open.push(execution);
    } else await context.deps.followUps.afterOne(execution, { job, by: 'sweeper' }, context.deps);
  }
  // An attempt's entry is written before its row waits for it: without a row there is nothing to wait for.
  if (unclaimed.length > 0 && entry.kind === 'occurrence') {
    const mayBecomeValid = entryValidity(entry, job) === 'unknown' && onceMoreFor(entry);
    const again = mayBecomeValid || (await recheckUnclaimed(entry, unclaimed, job, context));
    nextRechecks.push(again);
    if (again) open.push(...unclaimed.map((execId) => unclaimedOf(entry, execId)));
  }
  if (unclaimed.length > 0 && entry.kind === 'attempt' && isHiddenJob(entry.jobKey))
    await context.deps.notify.recheckMessage(entry, context.deps);
  let restDecided = false;
  if (entry.kind === 'occurrence' && (unproven || unclaimed.length > 0)) {
    if (entryValidity(entry, job) !== 'current') {
      const rest = await recordUnreached(entry, job, context);
      if (rest === 'decided') restDecided = true;
      else nextRechecks.push(rest);
    } else if (unproven && job) await ensureNextEntry(entry, job, context.deps);
  }
  const soonest = nextRechecks
    .filter((again) => again !== undefined)
    .reduce<NextRecheck | undefined>(
      (least, again) => (least && least.pauseMs <= again.pauseMs ? least : again),
      undefined,
    );
  const late = open.filter(({ execId }) => !isTaskExecution(execId)); // a task is its run's own affair
  const next = await recheckLate(late, job, soonest, context.deps);
  if (next) await fileRecheck({ ...entry, ...(restDecided && { restDecided }) }, next, context.deps);
}

/** The job by which an entry's executions are delivered: of a task, the task as a job, and its run. */
async function jobOfEntry(
  entry: Entry,
  executions: ReadonlyMap<string, Execution>,
  job: Job | undefined,
  deps: StageDeps,
): ReturnType<StageDeps['workflows']['deliveredBy']> {
  const [execution] = executions.values();
  if (entry.kind !== 'attempt' || !execution || isTerminal(execution.status)) return { job };
  return deps.workflows.deliveredBy(execution, job, deps);
}

const unclaimedOf = ({ jobKey }: Entry, execId: string): OpenExecution => ({
  jobKey,
  execId,
  dueAtMs: parseCompactInstant(execId),
  attempt: 1,
});

/**
 * A claim proves that the next entry of its series is written, since no message goes out before it is. It
 * proves that for its own revision alone: another revision of the job has a series of its own. A row that was
 * never claimed proves nothing.
 */
export const provesNextEntry = (entry: Entry, { revision }: Pick<ExecutionStatusRow, 'revision'>): boolean =>
  entry.kind !== 'occurrence' || entry.catchUp === true || revision === entry.revision;

/**
 * The API writes an entry before the row that it is for, which may come until the API's request has timed
 * out. An entry whose row has not come is rechecked once more.
 */
const ONCE_MORE: NextRecheck = { pauseMs: RECHECK_AFTER_MS, rechecks: 1 };

const onceMoreFor = ({ rechecks = 0 }: Entry): NextRecheck | undefined =>
  rechecks === 0 ? ONCE_MORE : undefined;

/** The entry belongs to a user retry that the row does not show yet. */
export const isBeforeRetry = (
  entry: Entry,
  row: Pick<ExecutionStatusRow, 'userRetries'> | undefined,
): boolean =>
  entry.kind === 'attempt' && row !== undefined && (row.userRetries ?? 0) < (entry.userRetries ?? 0);

/**
 * Fresh heartbeat: recheck again, at the limit of a delegated lease. Stale: take over; the entry of the next
 * attempt then lies ahead.
 */
async function recheckRunning(
  entry: Entry,
  execution: Execution,
  job: Job | undefined,
  { deps }: RecheckContext,
): Promise<NextRecheck | undefined> {
  if (isOnErrand(execution)) {
    await deps.recheckErrand(entry, execution, deps);
    return undefined;
  }
  const limitMs = leaseLimitMs(execution);
  const isCancelled = execution.delegatedTo?.byPing && execution.cancelRequested !== undefined;
  if (isCancelled || deps.clock.nowMs() > limitMs)
    return (await takeOver(execution, job, deps)) === 'done' ? undefined : RECHECK_SOON;
  if (!execution.delegatedTo) return RECHECK_SOON;
  await deps.schedule.putEntries([await limitEntry(execution, limitMs, deps)]);
  return undefined;
}

/** A child may be claimed, or may wait again, while it is read. */
const TRIES = 3;

/**
 * Ends a child that has taken longer than its task allows. One that waits is cancelled. For one that runs,
 * cancellation is requested: its executor, or the recheck of its run, obeys. The end fails the task.
 *
 * @returns the execution as it is after that; undefined: it is gone
 */
async function endIfOverdue(
  seen: Execution,
  job: Job | undefined,
  deps: StageDeps,
): Promise<Execution | undefined> {
  const reason = 'timed-out';
  const nowMs = deps.clock.nowMs();
  let child: Execution | undefined = seen;
  for (let tries = 0; tries < TRIES; tries++) {
    if (!child || !isOverdue(child, nowMs) || child.cancelRequested) break;
    if (child.status === 'running') await deps.executions.requestCancel(child, { reason, atMs: nowMs });
    else {
      const precondition = { kind: 'waiting' } as const;
      const end = { status: 'cancelled', reason } as const;
      await endExecution({ execution: child, end, precondition, job, by: 'sweeper' }, deps);
    }
    child = await deps.executions.get(child);
  }
  return child;
}

/** An execution that has not ended. */
type OpenExecution = Pick<
  Execution,
  'jobKey' | 'execId' | 'dueAtMs' | 'askedAtMs' | 'attempt' | 'userRetries'
>;

/**
 * Tells notifications of executions that are late, and sees to it that those which are not yet are rechecked
 * once they are. Executions that have ended in time never come here.
 *
 * @param soonest when the entry is to be rechecked otherwise; undefined: another entry lies ahead
 * @returns when to recheck the entry; undefined if it is settled
 */
async function recheckLate(
  open: readonly OpenExecution[],
  job: Job | undefined,
  soonest: NextRecheck | undefined,
  deps: SweeperDeps,
): Promise<NextRecheck | undefined> {
  if (!job) return soonest;
  let next = soonest;
  for (const execution of open) {
    const lateAtMs = await deps.notify.tellLate({ ...execution, dueAtMs: ageSinceMs(execution) }, job, deps);
    if (lateAtMs === undefined) continue;
    const pauseMs = Math.max(0, lateAtMs - deps.clock.nowMs());
    if (!next) await deps.schedule.putEntries([await limitEntry(execution, lateAtMs, deps)]);
    else if (pauseMs < next.pauseMs) next = { ...next, pauseMs };
  }
  return next;
}
