import { type ExecutionMessage, MESSAGE_VERSION } from '../contracts/messages';
import type { AttemptEntry } from '../domain/entry';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { shardOf } from '../domain/shard';
import { delaySecFor, mayBeScanned, RECHECK_AFTER_MS } from '../domain/timing';
import type { StageDeps } from '../deps';
import { enqueueTickets } from './ordering-tickets';

/** The entry of an execution's next attempt: at its start, or at now if that is past. */
export async function attemptEntry(
  next: { jobKey: string; execId: string; attempt: number; startAtMs: number },
  deps: Pick<StageDeps, 'shardCount' | 'clock'>,
): Promise<AttemptEntry> {
  return {
    kind: 'attempt',
    jobKey: next.jobKey,
    shard: shardOf(next.jobKey, await deps.shardCount()),
    checkAtMs: Math.max(next.startAtMs, deps.clock.nowMs()),
    execId: next.execId,
    attempt: next.attempt,
  };
}

/**
 * The entry by which the sweeper rechecks a delegated lease at its limit. The same limit is the same entry,
 * so several rechecks of one execution become one. The scanner ignores it.
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

/** The message of an execution's next attempt, to the queue that the job names now. */
export const attemptMessage = (
  execution: Pick<Execution, 'jobKey' | 'execId' | 'dueAtMs' | 'trigger' | 'takeovers' | 'orderingKey'>,
  next: { attempt: number; startAtMs: number },
  job: Pick<Job, 'overlap' | 'orderingKey' | 'priority' | 'pool' | 'revision'>,
): ExecutionMessage => ({
  v: MESSAGE_VERSION,
  jobKey: execution.jobKey,
  execId: execution.execId,
  dueAtMs: execution.dueAtMs,
  startAtMs: next.startAtMs,
  attempt: next.attempt,
  trigger: execution.trigger,
  revision: job.revision,
  takeovers: execution.takeovers || undefined,
  overlap: job.overlap === 'allow' ? undefined : job.overlap,
  orderingKey: execution.orderingKey ?? job.orderingKey ?? undefined,
  priority: job.priority,
  pool: job.pool,
});

/**
 * Sends an attempt's message if the scanner may already have passed its entry's bucket. If not, the scanner
 * sends it.
 */
export async function sendIfDirect(
  message: ExecutionMessage,
  deps: Pick<StageDeps, 'queue' | 'clock' | 'ordering' | 'retentionDays' | 'horizonMs'>,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  if (!mayBeScanned(message.startAtMs, nowMs, deps.horizonMs)) return;
  if (message.attempt === 1) await enqueueTickets([message], deps); // a later one has its ticket still
  await deps.queue.send([{ message, delaySec: delaySecFor(message.startAtMs, nowMs) }]);
}
