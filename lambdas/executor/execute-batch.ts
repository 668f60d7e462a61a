import type { TimeBudget } from '../core/async/time-budget';
import { MINUTE_MS, SECOND_MS } from '../core/clock/clock';
import { type ExecutionMessage, isForWorkers } from '../core/contracts/messages';
import { Metric } from '../core/contracts/metrics';
import { type CalendarKey, jobRefOf } from '../core/contracts/tables';
import { claimExecution } from '../core/attempts/claim';
import { offer } from '../core/attempts/offer';
import { handleRefusal } from '../core/attempts/handle-refusal';
import { ALONE_FROM_TAKEOVERS } from '../core/domain/lease';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { delaySecFor } from '../core/domain/timing';
import { isTaskExecution, runOf } from '../core/domain/workflow/task-id';
import { executionMapKey, type ExecutionRef } from '../core/store/execution-store';
import { findExecutions, findJobsPatiently } from '../core/store/read-whole';
import { runAttempt, type ToAttempt } from './run-attempt';
import type { ExecutorDeps } from './deps';
import { isLate } from '../core/attempts/late-claim';

/** A message with the id that its queue knows it by. */
export interface Received {
  id: string;
  message: ExecutionMessage;
}

/** Messages whose times lie within this are claimed together and share one read of their jobs. */
const TOGETHER_MS = 10;
/** A message that arrives earlier than this before its time goes back to the queue: waiting is billed. */
const MAX_WAIT_MS = 2 * SECOND_MS;
const READ_TRIES = 3;
const RESEND_AFTER_SEC = 5;
const RESEND_UNTIL_MS = 15 * MINUTE_MS;
/**
 * One that waited for its neighbours longer than this goes to another invocation: its attempt needs the whole
 * of one.
 */
const MOST_SPENT_MS = MINUTE_MS;

/**
 * Executes one batch of messages side by side, each at its own instant. A message is done with (acknowledged)
 * once its attempt is settled, or its claim was refused: a lost claim is normal. If the claim got no
 * response, the message is sent again, or given back.
 *
 * In maintenance mode nothing is claimed: the rechecks send the messages again afterwards.
 *
 * @returns ids of the messages to give back
 */
export async function executeBatch(
  batch: readonly Received[],
  deps: ExecutorDeps,
  limits: TimeBudget,
): Promise<{ failedIds: string[] }> {
  const arrivedAtMs = deps.clock.nowMs();
  for (const { message } of batch) deps.meter.record(Metric.arrivedEarlyMs, message.startAtMs - arrivedAtMs);
  if (await isInMaintenance(deps)) return { failedIds: [] };
  const failedIds: string[] = [];
  const startedWithMs = limits.remainingMs();
  const isSuspect = ({ message }: Received) => (message.takeovers ?? 0) >= ALONE_FROM_TAKEOVERS;
  const suspects = batch.filter(isSuspect);
  const others = batch.filter((received) => !isSuspect(received));
  const groups = groupByStart(others, deps.clock.nowMs());
  await Promise.all(groups.map((group) => executeGroup(group, failedIds, deps, limits)));
  // An attempt that may be what kills its process goes last and alone: its neighbours are settled by then.
  for (const suspect of suspects) {
    if (startedWithMs - limits.remainingMs() < MOST_SPENT_MS) {
      await executeGroup([suspect], failedIds, deps, limits);
    } else if (!(await resent(suspect.message, deps))) failedIds.push(suspect.id);
  }
  return { failedIds };
}

/**
 * If the flag cannot be read, carry on: a message that is given back would be hidden for the visibility
 * timeout.
 */
async function isInMaintenance({ inMaintenance, log }: ExecutorDeps): Promise<boolean> {
  try {
    return await inMaintenance();
  } catch (error) {
    log.error('maintenance mode could not be read', error);
    return false;
  }
}

/** Messages that start together, in order of time. Those that are late start now. */
export function groupByStart(batch: readonly Received[], nowMs: number): Received[][] {
  const startOf = ({ message }: Received): number => Math.max(message.startAtMs, nowMs);
  const groups: Received[][] = [];
  for (const received of [...batch].sort((a, b) => startOf(a) - startOf(b))) {
    const open = groups.at(-1);
    if (open && startOf(received) - startOf(open[0]!) <= TOGETHER_MS) open.push(received);
    else groups.push([received]);
  }
  return groups;
}

async function executeGroup(
  group: readonly Received[],
  failedIds: string[],
  deps: ExecutorDeps,
  limits: TimeBudget,
): Promise<void> {
  const startAtMs = Math.max(...group.map(({ message }) => message.startAtMs));
  const waitMs = startAtMs - deps.clock.nowMs();
  if (waitMs > MAX_WAIT_MS) return giveBackEarly(group, failedIds, deps);
  await sleepUntil(startAtMs, deps);

  await Promise.all(group.map((received) => offerToWorkers(received, failedIds, deps)));
  const toClaim = group.filter(({ message }) => !isForWorkers(message));
  if (toClaim.length === 0) return;
  const jobsBefore = readJobsOfLate(toClaim, deps);
  const claims = await Promise.all(
    toClaim.map(async ({ id, message }): Promise<ToAttempt | undefined> => {
      try {
        const answer = await claimExecution(message, jobsBefore.get(message), deps);
        if ('claimed' in answer) return { ...answer.claimed, mayBeLong: message.longCall === true };
        await handleRefusal(message, answer.refusal, deps);
        return undefined;
      } catch (error) {
        deps.log.error('claim got no answer', error, { jobKey: message.jobKey, execId: message.execId });
        if (!(await resent(message, deps))) failedIds.push(id);
        return undefined;
      }
    }),
  );
  const claimed = claims.filter((one) => one !== undefined);
  if (claimed.length === 0) return;
  const reading = readJobs(
    claimed.map(({ execution }) => execution.jobKey),
    group,
    deps,
  );
  const readingRuns = readRuns(claimed, deps);
  await Promise.all(
    claimed.map(async (one) => {
      try {
        const [jobOf, runFor] = await Promise.all([reading, readingRuns]);
        const job = jobOf(one.execution.jobKey);
        const run = runFor(one.execution);
        await runAttempt(one, { job, run }, deps, limits);
      } catch (error) {
        // The lease is left to run out: the sweeper takes over and tries again.
        const { jobKey, execId, attempt } = one.execution;
        deps.log.error('attempt abandoned', error, { jobKey, execId, attempt });
      } finally {
        await one.handle.release();
      }
    }),
  );
}

/** An execution that workers ask for is offered to them at its instant, and claimed by one of them later. */
async function offerToWorkers(
  { id, message }: Received,
  failedIds: string[],
  deps: ExecutorDeps,
): Promise<void> {
  if (!isForWorkers(message)) return;
  try {
    await offer(message, deps);
  } catch (error) {
    deps.log.error('offer got no answer', error, { jobKey: message.jobKey, execId: message.execId });
    if (!(await resent(message, deps))) failedIds.push(id);
  }
}

const runRefOf = ({ jobKey, execId }: Execution): ExecutionRef => ({ jobKey, execId: runOf(execId) });

/**
 * The runs of all tasks of a group, by one consistent read; nothing is read if there is no task. The function
 * that it returns throws for an unreadable row.
 */
async function readRuns(
  claimed: readonly ToAttempt[],
  deps: ExecutorDeps,
): Promise<(execution: Execution) => Execution | undefined> {
  const refs = claimed
    .filter(({ execution }) => isTaskExecution(execution.execId))
    .map(({ execution }) => runRefOf(execution));
  const { executions, unreadable } = await findExecutions(refs, deps);
  return (execution) => {
    const key = executionMapKey(runRefOf(execution));
    if (unreadable.has(key)) throw new Error(`the row of run ${runOf(execution.execId)} cannot be read`);
    return executions.get(key);
  };
}

/** Sleeps until the wall clock says so: a timer alone may fire early. */
async function sleepUntil(atMs: number, { clock }: Pick<ExecutorDeps, 'clock'>): Promise<void> {
  for (let leftMs = atMs - clock.nowMs(); leftMs > 0; leftMs = atMs - clock.nowMs())
    await clock.sleep(leftMs);
}

/**
 * Sends a message again, a little later. Giving it back would hide it for the whole visibility timeout, and
 * would make its queue look long. An old message is left to the queue's own receive count.
 */
async function resent(message: ExecutionMessage, deps: ExecutorDeps): Promise<boolean> {
  if (deps.clock.nowMs() - message.startAtMs > RESEND_UNTIL_MS) return false;
  try {
    await deps.queue.send([{ message, delaySec: RESEND_AFTER_SEC }]);
    return true;
  } catch (error) {
    deps.log.error('message could not be sent again, given back', error, { execId: message.execId });
    return false;
  }
}

async function giveBackEarly(
  group: readonly Received[],
  failedIds: string[],
  deps: ExecutorDeps,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  try {
    await deps.queue.send(
      group.map(({ message }) => ({ message, delaySec: delaySecFor(message.startAtMs, nowMs) })),
    );
  } catch (error) {
    deps.log.error('early messages could not be sent again', error, { count: group.length });
    failedIds.push(...group.map(({ id }) => id));
  }
}

const calendarsOf = (group: readonly Received[]): CalendarKey[] =>
  group.flatMap(({ message: { jobKey, calendars = [] } }) =>
    calendars.map((calendarId) => ({ userId: jobRefOf(jobKey).userId, calendarId })),
  );

/** The jobs of those that are late, by one read before the claims: see `mayStillClaim`. */
function readJobsOfLate(
  group: readonly Received[],
  deps: ExecutorDeps,
): ReadonlyMap<ExecutionMessage, Promise<Job | undefined>> {
  const nowMs = deps.clock.nowMs();
  const late = group.map(({ message }) => message).filter((message) => isLate(message, nowMs));
  if (late.length === 0) return new Map();
  const reading = readJobs(
    late.map(({ jobKey }) => jobKey),
    group,
    deps,
  );
  return new Map(late.map((message) => [message, reading.then((jobOf) => jobOf(message.jobKey))]));
}

/**
 * One consistent read for all jobs of a group and the calendars that its messages name. The jobs are planned
 * by their calendars as they are then. The function that it returns throws for an unreadable row.
 */
async function readJobs(
  jobKeys: readonly string[],
  group: readonly Received[],
  deps: ExecutorDeps,
): Promise<(jobKey: string) => Job | undefined> {
  const how = { today: calendarsOf(group), tries: READ_TRIES };
  const { jobs, unreadable } = await findJobsPatiently(jobKeys, how, deps);
  return (jobKey) => {
    if (unreadable.has(jobKey)) throw new Error(`the row of job ${jobKey} cannot be read`);
    return jobs.get(jobKey);
  };
}
