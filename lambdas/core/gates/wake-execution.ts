import { jobRefOf, parseCompactInstant } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { attemptMessage, sendIfDirect } from '../queue/attempt-entries';
import type { ExecutionRef } from '../store/execution-store';
import { isSameExecution, orderingKeyRefOf } from './ordering-queue';

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
  await sendIfDirect(attemptMessage(waiting, wait, job), deps);
}

/**
 * Sends the message of an execution that holds a later gate, and has not begun. It has passed the gate of its
 * ordering key. If it does not hold the key of its job, the job has got that key since. Then it does not ask
 * for it: the execution that has the key may wait for what this one holds.
 */
export async function wakeHolder(
  holder: ExecutionRef,
  row: Execution | undefined,
  job: Job,
  deps: StageDeps,
): Promise<void> {
  const passed = (await hasPassedKey(holder, job, deps)) ? job : { ...job, orderingKey: null };
  await wakeExecution(holder, row, passed, deps);
}

async function hasPassedKey(holder: ExecutionRef, { orderingKey }: Job, deps: StageDeps): Promise<boolean> {
  if (orderingKey === null) return true;
  const queue = await deps.ordering.peek(orderingKeyRefOf({ ...holder, orderingKey }), 1);
  return queue.holder !== undefined && isSameExecution(queue.holder, holder);
}

/** As `wakeHolder`, for one that has other messages: only if they ask for a key that its job got later. */
export async function wakeIfKeyIsNew(
  holder: ExecutionRef,
  row: Execution | undefined,
  deps: StageDeps,
): Promise<void> {
  if (row && !isUnbegun(row)) return;
  const job = await deps.jobs.get(jobRefOf(holder.jobKey));
  if (!job || (await hasPassedKey(holder, job, deps))) return;
  await wakeExecution(holder, row, { ...job, orderingKey: null }, deps);
}

/** It waits for its first claim. */
export const isUnbegun = ({ status, attempt, userRetries }: Execution): boolean =>
  (status === 'queued' || status === 'retrying') && attempt === 1 && userRetries === undefined;
