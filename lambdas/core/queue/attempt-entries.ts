import { type ExecutionMessage, MESSAGE_VERSION } from '../contracts/messages';
import type { AttemptEntry } from '../domain/entry';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { shardOf } from '../domain/shard';
import { delaySecFor, mayBeScanned, RECHECK_AFTER_MS } from '../domain/timing';
import type { StageDeps } from '../deps';
import { enqueueTickets } from './ordering-tickets';

/** The entry of an attempt that an execution waits for, or is about to wait for. Never in the past. */
export async function attemptEntry(
  wait: { jobKey: string; execId: string; attempt: number; startAtMs: number },
  deps: Pick<StageDeps, 'shardCount' | 'clock'>,
): Promise<AttemptEntry> {
  return {
    kind: 'attempt',
    jobKey: wait.jobKey,
    shard: shardOf(wait.jobKey, await deps.shardCount()),
    checkAtMs: Math.max(wait.startAtMs, deps.clock.nowMs()),
    execId: wait.execId,
    attempt: wait.attempt,
  };
}

/**
 * The entry by which the sweeper looks at a lease that a target holds, once it has reached its limit. The same limit
 * is the same entry, so looks at one execution fall together. The scanner has no part in it.
 */
export async function limitEntry(
  running: Pick<Execution, 'jobKey' | 'execId' | 'attempt'>,
  limitMs: number,
  deps: Pick<StageDeps, 'shardCount' | 'clock'>,
): Promise<AttemptEntry> {
  const entry = await attemptEntry({ ...running, startAtMs: limitMs - RECHECK_AFTER_MS }, deps);
  return { ...entry, rechecks: 0 };
}

/** The entry by which the sweeper rechecks an execution soon. The scanner ignores it. */
export async function recheckEntryNow(
  execution: Pick<Execution, 'jobKey' | 'execId' | 'attempt'>,
  deps: Pick<StageDeps, 'shardCount' | 'clock'>,
): Promise<AttemptEntry> {
  return { ...(await attemptEntry({ ...execution, startAtMs: 0 }, deps)), rechecks: 0 };
}

/** The message for the attempt that `execution` waits for, to the queue that the job names today. */
export const attemptMessage = (
  execution: Pick<Execution, 'jobKey' | 'execId' | 'dueAtMs' | 'trigger' | 'takeovers' | 'orderingKey'>,
  wait: { attempt: number; startAtMs: number },
  job: Pick<Job, 'overlap' | 'orderingKey' | 'priority' | 'pool' | 'revision'>,
): ExecutionMessage => ({
  v: MESSAGE_VERSION,
  jobKey: execution.jobKey,
  execId: execution.execId,
  dueAtMs: execution.dueAtMs,
  startAtMs: wait.startAtMs,
  attempt: wait.attempt,
  trigger: execution.trigger,
  revision: job.revision,
  takeovers: execution.takeovers || undefined,
  overlap: job.overlap === 'allow' ? undefined : job.overlap,
  orderingKey: execution.orderingKey ?? job.orderingKey ?? undefined,
  priority: job.priority,
  pool: job.pool,
});

/** Sends an attempt's message where the scanner may already have passed its entry's bucket; else the scanner will. */
export async function sendIfDirect(
  message: ExecutionMessage,
  deps: Pick<StageDeps, 'queue' | 'clock' | 'ordering' | 'retentionDays' | 'horizonMs'>,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  if (!mayBeScanned(message.startAtMs, nowMs, deps.horizonMs)) return;
  if (message.attempt === 1) await enqueueTickets([message], deps); // a later one has kept its place
  await deps.queue.send([{ message, delaySec: delaySecFor(message.startAtMs, nowMs) }]);
}
