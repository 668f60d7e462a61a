import { Metric } from '../contracts/metrics';
import { attemptEntry, attemptMessage, limitEntry, sendIfDirect } from './attempts';
import { blocksKey, makeWay } from './make-way';
import type { Answer } from '../domain/answer';
import type { AttemptRecord, Execution, HandedOver, Reason } from '../domain/execution';
import type { Job } from '../domain/job';
import { leaseLimitMs } from '../domain/lease';
import { decideRetry } from '../domain/retry-policy';
import { parseDuration } from '../domain/schedule/duration';
import { expiresAtSecAfter } from '../domain/timing';
import type { TerminalStatus } from '../domain/transitions';
import type { BeatOutcome, Ending, HandOverOutcome, Lease } from '../store/execution-store';
import type { DispatchDeps } from './deps';

/** An attempt's lease in the hands of whoever reports its result. */
export interface Held {
  readonly lease: Lease;
  /** Somebody wants the execution to end. */
  cancelAsked(): boolean;
  /** Does a write under the lease, and again where it gets no answer, for as long as the holder may. */
  write<Outcome>(write: () => Promise<Outcome>): Promise<Outcome | 'lease-lost'>;
}

/** What the execution is once the attempt is written down; `running`: its target holds the lease now. */
export type Concluded = TerminalStatus | 'retrying' | 'running' | 'lease-lost';

/**
 * Writes what an attempt came to, as long as the lease holds. `job` is undefined where it was deleted while its target
 * worked: then nothing is tried again.
 */
export async function conclude(
  execution: Execution,
  job: Job | undefined,
  answer: Answer,
  startedAtMs: number,
  held: Held,
  deps: DispatchDeps,
): Promise<Concluded> {
  const nowMs = deps.clock.nowMs();
  if (answer.outcome === 'accepted' && job && !held.cancelAsked())
    return handOver(execution, job, held, deps);
  const outcome = answer.outcome === 'accepted' ? 'cancelled' : answer.outcome;
  const attempt = attemptRecord(execution, { ...answer, outcome }, startedAtMs, nowMs);
  if (held.cancelAsked() && answer.outcome !== 'succeeded')
    return cancel(execution, job, attempt, held, deps);
  if (answer.outcome === 'succeeded') {
    return end(execution, job, { status: 'succeeded' }, held, deps, { answer, attempt });
  }
  if (answer.outcome === 'fatal') {
    const reason = answer.blocked ? 'blocked-target' : 'fatal';
    return end(execution, job, { status: 'failed', reason }, held, deps, { answer, attempt });
  }
  if (!job) {
    const to = { status: 'cancelled', reason: 'deleted' } as const;
    return end(execution, job, to, held, deps, { answer, attempt });
  }
  const failures = execution.failures + 1;
  const decision = decideRetry(job.retry, {
    failures,
    dueAtMs: execution.dueAtMs,
    nowMs,
    fraction: deps.chance.fraction(),
    retryAfterMs: answer.retryAfterMs,
  });
  if (!decision.retry) {
    const to = { status: 'failed', reason: decision.reason } as const;
    return end(execution, job, to, held, deps, { answer, attempt });
  }
  return retryAt(decision.startAtMs, { execution, job, failures, attempt, held }, deps);
}

/** Ends a claimed execution without a call. */
export const concludeWithoutCall = (
  execution: Execution,
  job: Job | undefined,
  to: { status: 'skipped' | 'cancelled'; reason: Reason },
  held: Held,
  deps: DispatchDeps,
): Promise<Concluded> => end(execution, job, to, held, deps);

/** Ends an execution that somebody asked to cancel, for the reason that they gave. */
async function cancel(
  execution: Execution,
  job: Job | undefined,
  attempt: AttemptRecord,
  held: Held,
  deps: DispatchDeps,
): Promise<Concluded> {
  const row = await deps.executions.get(execution);
  const reason = row?.cancelAsked?.reason ?? 'cancelled-by-user';
  const cancelled = { ...attempt, outcome: 'cancelled' as const };
  return end(execution, job, { status: 'cancelled', reason }, held, deps, { attempt: cancelled });
}

async function end(
  execution: Execution,
  job: Job | undefined,
  to: Pick<Ending, 'status' | 'reason'>,
  held: Held,
  deps: DispatchDeps,
  made: { answer?: Answer; attempt?: AttemptRecord } = {},
): Promise<Concluded> {
  const finishedAtMs = deps.clock.nowMs();
  const { answer, attempt } = made;
  const ending: Ending = {
    ...to,
    result: answer && { statusCode: answer.statusCode, body: answer.body },
    finishedAtMs,
    expiresAtSec: expiresAtSecAfter(finishedAtMs, deps.retentionDays),
    blocksKey: blocksKey(to, execution, job),
  };
  const outcome = await held.write(() => deps.executions.finish(held.lease, ending, attempt));
  if (outcome !== 'done') return 'lease-lost';
  const ended = { ...execution, blocksKey: ending.blocksKey };
  await orLook(execution, deps, () => makeWay(ended, job, deps));
  meterEnd(execution, job, to, answer, deps);
  return to.status;
}

function meterEnd(
  { jobKey, execId }: Execution,
  job: Job | undefined,
  { status, reason }: Pick<Ending, 'status' | 'reason'>,
  answer: Answer | undefined,
  deps: DispatchDeps,
): void {
  const metrics = {
    succeeded: Metric.succeeded,
    failed: Metric.failed,
    skipped: Metric.skipped,
    cancelled: undefined,
  };
  const metric = metrics[status];
  if (metric) deps.meter.count(metric, 1, job);
  if (status === 'failed')
    deps.log.warn('execution failed', { jobKey, execId, reason, error: answer?.error });
}

/** The entry of the next attempt, then the row, then the message: a crash in between is repaired by the second look. */
async function retryAt(
  startAtMs: number,
  at: { execution: Execution; job: Job; failures: number; attempt: AttemptRecord; held: Held },
  deps: DispatchDeps,
): Promise<Concluded> {
  const { execution, job, failures, attempt, held } = at;
  const wait = {
    jobKey: execution.jobKey,
    execId: execution.execId,
    attempt: execution.attempt + 1,
    startAtMs,
  };
  const outcome = await held.write<BeatOutcome>(async () => {
    const entry = await attemptEntry(wait, deps);
    await deps.schedule.putEntries([entry]);
    const next = { attempt: wait.attempt, startAtMs: entry.lookAtMs, failures, takeovers: 0 };
    return deps.executions.awaitRetry(held.lease, next, attempt);
  });
  if (outcome === 'cancel-asked') return cancel(execution, job, attempt, held, deps);
  if (outcome === 'lease-lost') return outcome;
  deps.meter.count(Metric.retried, 1, job);
  const message = attemptMessage({ ...execution, takeovers: 0 }, wait, job);
  await orLook(execution, deps, () => sendIfDirect(message, deps));
  return 'retrying';
}

/** The attempt is written down by then: what does not go out now goes out at the second look. */
async function orLook(
  { jobKey, execId }: Execution,
  { log }: DispatchDeps,
  send: () => Promise<void>,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    log.error('what follows an attempt is left to the second look', error, { jobKey, execId });
  }
}

/**
 * Leaves the lease to the target: the entry of the look at its limit, then the row. A target that has reported by then
 * has ended the attempt itself.
 */
async function handOver(
  execution: Execution,
  job: Job,
  held: Held,
  deps: DispatchDeps,
): Promise<'running' | 'lease-lost'> {
  const timeoutMs = parseDuration(job.timeout);
  const { heartbeatTimeout } = job.target;
  const handedOver: HandedOver = {
    beatWithinMs: heartbeatTimeout === undefined ? timeoutMs : parseDuration(heartbeatTimeout),
    endsAtMs: (execution.claimedAtMs ?? deps.clock.nowMs()) + timeoutMs,
  };
  const outcome = await held.write<HandOverOutcome>(async () => {
    const nowMs = deps.clock.nowMs();
    const limitMs = leaseLimitMs({ heartbeatAtMs: nowMs, handedOver });
    await deps.schedule.putEntries([await limitEntry(execution, limitMs, deps)]);
    return deps.executions.handOver(held.lease, handedOver, nowMs);
  });
  return outcome === 'lease-lost' ? outcome : 'running';
}

/** What one attempt came to, as it is kept. */
export const attemptRecord = (
  execution: Pick<Execution, 'attempt' | 'fence'>,
  answer: Pick<AttemptRecord, 'outcome' | 'statusCode' | 'error'>,
  startedAtMs: number,
  finishedAtMs: number,
): AttemptRecord => ({
  attempt: execution.attempt,
  fence: execution.fence,
  startedAtMs,
  finishedAtMs,
  outcome: answer.outcome,
  target: 0,
  statusCode: answer.statusCode,
  error: answer.error,
});
