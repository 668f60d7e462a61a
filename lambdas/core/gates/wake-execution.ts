import { jobRefOf, parseCompactInstant } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Execution } from '../domain/execution';
import { concurrencyKeyOf, type Job, traceJoinedBy } from '../domain/job';
import { lifeOf } from '../domain/work';
import { attemptMessage, sendIfDirect } from '../queue/attempt-entries';
import type { ExecutionRef } from '../store/execution-store';
import { isSameExecution, orderingKeyRefOf } from './ordering-queue';
import { concurrencyKeyRefOf } from './slots';
import { isUnbegun, type SilentHolder } from './unclaimed';

/** Sends the message of an execution that waits, with or without a row. */
export async function wakeExecution(
  { jobKey, execId }: ExecutionRef,
  row: Execution | undefined,
  job: Job,
  deps: StageDeps,
): Promise<void> {
  const waiting = row ?? {
    jobKey,
    execId,
    dueAtMs: parseCompactInstant(execId),
    trigger: 'schedule' as const,
    takeovers: 0,
    attempt: 1,
  };
  const notBeforeMs = row?.startAtMs ?? waiting.dueAtMs;
  const wait = { attempt: waiting.attempt, startAtMs: Math.max(notBeforeMs, deps.clock.nowMs()) };
  const trace = row ? undefined : traceJoinedBy(job, waiting.dueAtMs); // a row has its own
  await sendIfDirect({ ...attemptMessage(waiting, wait, job), ...(trace && { trace }) }, deps);
}

/**
 * Sends the message of an execution that holds a slot or a lock, and has not begun: for what it holds. Its
 * job may have got other keys since. It does not ask for those: what has them may wait for this one.
 */
export async function wakeHolder(holder: SilentHolder, job: Job, deps: StageDeps): Promise<void> {
  await wakeExecution(holder, holder.row, await asPassed(holder, job, deps), deps);
}

/** As `wakeHolder`, for one that has other messages: only if they ask for more than it holds. */
export async function wakeIfKeysAreNew(holder: SilentHolder, deps: StageDeps): Promise<void> {
  if (holder.row && !isUnbegun(holder.row)) return;
  const job = await deps.jobs.get(jobRefOf(holder.jobKey));
  if (!job) return;
  const passed = await asPassed(holder, job, deps);
  const ofJob = concurrencyKeyOf(job, holder.row);
  if (passed.orderingKey === job.orderingKey && passed.concurrencyKey === ofJob) return;
  await wakeExecution(holder, holder.row, passed, deps);
}

/** The job with those of its keys that the execution has passed, and with that of its slot. */
async function asPassed(holder: SilentHolder, job: Job, deps: StageDeps): Promise<Job> {
  const orderingKey = (await hasPassedKey(holder, job, deps)) ? job.orderingKey : null;
  const ofJob = concurrencyKeyOf(job, holder.row);
  const hasSlot = holder.slotOf === undefined && (await hasPassedSlots(holder, ofJob, deps));
  return { ...job, orderingKey, concurrencyKey: hasSlot ? ofJob : holder.slotOf };
}

async function hasPassedKey(holder: ExecutionRef, { orderingKey }: Job, deps: StageDeps): Promise<boolean> {
  if (orderingKey === null) return true;
  const queue = await deps.ordering.peek(orderingKeyRefOf({ ...holder, orderingKey }), 1);
  return queue.holder !== undefined && isSameExecution(queue.holder, holder);
}

async function hasPassedSlots(
  { row, ...holder }: SilentHolder,
  concurrencyKey: string | undefined,
  deps: StageDeps,
): Promise<boolean> {
  if (concurrencyKey === undefined) return true;
  const { holders } = await deps.concurrency.peek(concurrencyKeyRefOf({ ...holder, concurrencyKey }), 1);
  const life = row && lifeOf(row);
  return holders.some((one) => isSameExecution(one, holder) && one.userRetries === life);
}
