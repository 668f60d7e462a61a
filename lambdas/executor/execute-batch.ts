import type { TimeBudget } from '../core/async/time-budget';
import { MINUTE_MS, SECOND_MS } from '../core/clock/clock';
import { type ExecutionMessage, isForWorkers } from '../core/contracts/messages';
import { Metric } from '../core/contracts/metrics';
import { claimExecution } from '../core/attempts/claim';
import { offer } from '../core/attempts/offer';
import { handleRefusal } from '../core/attempts/handle-refusal';
import { ALONE_FROM_TAKEOVERS } from '../core/domain/lease';
import { delaySecFor } from '../core/domain/timing';
import type { ExecutorDeps } from './deps';
import { readJobs, readJobsOfLate, readRuns } from './group-reads';
import { NextTask, OpenBatch, type Received } from './next-task';
import { moveToOverflow } from './move-to-overflow';
import { claimedAs, type Prepared, prepareUntil } from './prepare';
import { runAttempt, type ToAttempt } from './run-attempt';

/** The execution that a message has claimed. */
interface Claimed extends ToAttempt {
  received: Received;
}

/** What an invocation works with. */
interface Invocation {
  batch: OpenBatch;
  limits: TimeBudget;
  /** Gets the ids of the messages to give back. */
  failedIds: string[];
}

/** Messages whose times lie within this are claimed together and share one read of their jobs. */
const TOGETHER_MS = 10;
/** A message that arrives earlier than this before its time goes back to the queue: waiting is billed. */
const MAX_WAIT_MS = 2 * SECOND_MS;
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
 * In maintenance mode nothing is claimed: the rechecks send the messages again afterwards. Messages of a
 * project above its limit go to the overflow. A run goes on here, without a queue, as long as nothing else
 * waits for that (`NextTask`).
 *
 * @returns ids of the messages to give back
 */
export async function executeBatch(
  received: readonly Received[],
  deps: ExecutorDeps,
  limits: TimeBudget,
): Promise<{ failedIds: string[] }> {
  const arrivedAtMs = deps.clock.nowMs();
  for (const { message } of received)
    deps.meter.record(Metric.arrivedEarlyMs, message.startAtMs - arrivedAtMs);
  if (await isInMaintenance(deps)) return { failedIds: [] };
  const batch = await moveToOverflow(received, deps);
  const failedIds: string[] = [];
  const startedWithMs = limits.remainingMs();
  const ids = batch.map(({ id }) => id);
  const invocation: Invocation = { batch: new OpenBatch(ids, limits, deps.clock), limits, failedIds };
  const isSuspect = ({ message }: Received) => (message.takeovers ?? 0) >= ALONE_FROM_TAKEOVERS;
  const suspects = batch.filter(isSuspect);
  const others = batch.filter((received) => !isSuspect(received));
  const groups = groupByStart(others, deps.clock.nowMs());
  await Promise.all(groups.map((group) => executeGroup(group, invocation, deps)));
  // An attempt that may be what kills its process goes last and alone: its neighbours are settled by then.
  for (const suspect of suspects) {
    if (startedWithMs - limits.remainingMs() < MOST_SPENT_MS) {
      await executeGroup([suspect], invocation, deps);
    } else if (!(await resent(suspect.message, deps))) failedIds.push(suspect.id);
  }
  await deps.callMeter.saved();
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

/** Executes messages that start together, and the tasks that are kept after them. */
async function executeGroup(
  group: readonly Received[],
  invocation: Invocation,
  deps: ExecutorDeps,
): Promise<void> {
  const { batch, failedIds } = invocation;
  const startAtMs = Math.max(...group.map(({ message }) => message.startAtMs));
  if (startAtMs - deps.clock.nowMs() > MAX_WAIT_MS) {
    await giveBackEarly(group, failedIds, deps);
    for (const { id } of group) batch.done(id);
    return;
  }
  const prepared = await prepareUntil(group, startAtMs, deps);
  try {
    for (let next = group; next.length > 0;) next = await executeTogether(next, prepared, invocation, deps);
  } finally {
    await prepared.close();
  }
}

/** @returns what was kept: at most one message */
async function executeTogether(
  group: readonly Received[],
  prepared: Prepared,
  invocation: Invocation,
  deps: ExecutorDeps,
): Promise<Received[]> {
  const { failedIds, batch } = invocation;
  await Promise.all(group.map((received) => offerToWorkers(received, failedIds, deps)));
  const toClaim = group.filter(({ message }) => !isForWorkers(message));
  const claimed = await claimAll(toClaim, prepared.claims, failedIds, deps);
  const working = new Set(claimed.map(({ received }) => received.id));
  for (const { id } of group) if (!working.has(id)) batch.done(id);
  if (claimed.length === 0) return [];
  const reading = readJobs(
    claimed.map(({ execution }) => execution.jobKey),
    group,
    deps,
  );
  const readingRuns = readRuns(claimed, deps);
  const kept = await Promise.all(
    claimed.map(async (one) => {
      const next = new NextTask(one.received, batch, deps.lane);
      const ended = one.mayBeLong ? undefined : deps.callMeter.begin(one.received.message);
      try {
        const [jobOf, runFor] = await Promise.all([reading, readingRuns]);
        const read = { job: jobOf(one.execution.jobKey), run: runFor(one.execution) };
        await runAttempt(one, read, { ...deps, queue: next.over(deps.queue) }, invocation.limits);
      } catch (error) {
        // The lease is left to run out: the sweeper takes over and tries again.
        const { jobKey, execId, attempt } = one.execution;
        deps.log.error('attempt abandoned', error, { jobKey, execId, attempt });
      } finally {
        ended?.();
        await one.handle.release();
      }
      if (next.message) return { id: one.received.id, message: next.message };
      batch.done(one.received.id);
      return undefined;
    }),
  );
  return kept.filter((one) => one !== undefined);
}

/** Claims what it can, and does what follows a refusal. */
async function claimAll(
  group: readonly Received[],
  prepared: Prepared['claims'],
  failedIds: string[],
  deps: ExecutorDeps,
): Promise<Claimed[]> {
  const jobsBefore = readJobsOfLate(group, deps);
  const claims = await Promise.all(
    group.map(async (received) => {
      const { id, message } = received;
      try {
        const answer = await (prepared.get(message) ??
          claimExecution(message, jobsBefore.get(message), deps, claimedAs(message, deps)));
        if ('claimed' in answer) return { ...answer.claimed, received, mayBeLong: message.longCall === true };
        await handleRefusal(message, answer.refusal, deps);
      } catch (error) {
        deps.log.error('claim got no answer', error, { jobKey: message.jobKey, execId: message.execId });
        if (!(await resent(message, deps))) failedIds.push(id);
      }
      return undefined;
    }),
  );
  return claims.filter((one) => one !== undefined);
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
