import { Metric } from '../contracts/metrics';
import { attemptEntry, attemptMessage, sendIfDirect } from './attempts';
import { blocksKey, makeWay } from './make-way';
import type { Answer } from '../domain/answer';
import type { AttemptRecord, Execution, Reason } from '../domain/execution';
import type { Job } from '../domain/job';
import { decideRetry } from '../domain/retry-policy';
import { expiresAtSecAfter } from '../domain/timing';
import type { BeatOutcome, Ending, Lease, LeaseOutcome } from '../store/execution-store';
import type { DispatchDeps } from './deps';

/** An attempt's lease in the hands of whoever reports its result. */
export interface Held {
  readonly lease: Lease;
  /** Somebody wants the execution to end. */
  cancelAsked(): boolean;
  /** Does a write under the lease, and again where it gets no answer, for as long as the holder may. */
  write(write: () => Promise<BeatOutcome>): Promise<BeatOutcome>;
}

/** Writes what an attempt came to, as long as the lease holds. */
export async function conclude(
  execution: Execution,
  job: Job,
  answer: Answer,
  startedAtMs: number,
  held: Held,
  deps: DispatchDeps,
): Promise<LeaseOutcome> {
  const nowMs = deps.clock.nowMs();
  const attempt = recordOf(execution, answer, startedAtMs, nowMs);
  if (held.cancelAsked() && answer.outcome !== 'succeeded')
    return cancel(execution, job, attempt, held, deps);
  if (answer.outcome === 'succeeded') {
    return end(execution, job, { status: 'succeeded' }, held, deps, { answer, attempt });
  }
  if (answer.outcome === 'fatal') {
    const reason = answer.blocked ? 'blocked-target' : 'fatal';
    return end(execution, job, { status: 'failed', reason }, held, deps, { answer, attempt });
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
): Promise<LeaseOutcome> => end(execution, job, to, held, deps);

/** Ends an execution that somebody asked to cancel, for the reason that they gave. */
async function cancel(
  execution: Execution,
  job: Job,
  attempt: AttemptRecord,
  held: Held,
  deps: DispatchDeps,
): Promise<LeaseOutcome> {
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
): Promise<LeaseOutcome> {
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
  await makeWay({ ...execution, blocksKey: ending.blocksKey }, job, deps);
  meterEnd(execution, job, to, answer, deps);
  return 'done';
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
): Promise<LeaseOutcome> {
  const { execution, job, failures, attempt, held } = at;
  const wait = {
    jobKey: execution.jobKey,
    execId: execution.execId,
    attempt: execution.attempt + 1,
    startAtMs,
  };
  const outcome = await held.write(async () => {
    const entry = await attemptEntry(wait, deps);
    await deps.schedule.putEntries([entry]);
    const next = { attempt: wait.attempt, startAtMs: entry.lookAtMs, failures, takeovers: 0 };
    return deps.executions.awaitRetry(held.lease, next, attempt);
  });
  if (outcome === 'cancel-asked') return cancel(execution, job, attempt, held, deps);
  if (outcome === 'done') {
    deps.meter.count(Metric.retried, 1, job);
    await sendIfDirect(attemptMessage({ ...execution, takeovers: 0 }, wait, job), deps);
  }
  return outcome;
}

const recordOf = (
  execution: Execution,
  answer: Answer,
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
