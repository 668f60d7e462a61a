import { SECOND_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import { attemptEntry, attemptMessage, sendIfDirect } from '../core/dispatch/attempts';
import { expiresAtSecAfter } from '../core/dispatch/dispatch';
import { leaveJob } from '../core/dispatch/overlap';
import type { AttemptRecord, Execution, Reason } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { decideRetry } from '../core/domain/retry-policy';
import type { BeatOutcome, Ending, LeaseOutcome } from '../core/store/execution-store';
import { isTransient } from '../core/store/transient';
import type { Answer, ExecutorDeps } from './deps';
import type { HeldLease } from './hold-lease';

/** Pause between tries of a result write that got no answer; the tries end with the lease. */
const WRITE_AGAIN_AFTER_MS = SECOND_MS;

/** Writes what an attempt came to, as long as the lease holds. */
export async function conclude(
  execution: Execution,
  job: Job,
  answer: Answer,
  startedAtMs: number,
  held: HeldLease,
  deps: ExecutorDeps,
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
  held: HeldLease,
  deps: ExecutorDeps,
): Promise<LeaseOutcome> => end(execution, job, to, held, deps);

/** Ends an execution that somebody asked to cancel, for the reason that they gave. */
async function cancel(
  execution: Execution,
  job: Job,
  attempt: AttemptRecord,
  held: HeldLease,
  deps: ExecutorDeps,
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
  held: HeldLease,
  deps: ExecutorDeps,
  made: { answer?: Answer; attempt?: AttemptRecord } = {},
): Promise<LeaseOutcome> {
  const finishedAtMs = deps.clock.nowMs();
  const { answer, attempt } = made;
  const ending: Ending = {
    ...to,
    result: answer && { statusCode: answer.statusCode, body: answer.body },
    finishedAtMs,
    expiresAtSec: expiresAtSecAfter(finishedAtMs, deps.retentionDays),
  };
  const outcome = await whileHeld(held, deps, () => deps.executions.finish(held.lease, ending, attempt));
  if (outcome !== 'done') return 'lease-lost';
  if (job && job.overlap !== 'allow') await leaveJob(execution.jobKey, execution.execId, job, deps);
  meterEnd(execution, to, answer, deps);
  return 'done';
}

function meterEnd(
  { jobKey, execId }: Execution,
  { status, reason }: Pick<Ending, 'status' | 'reason'>,
  answer: Answer | undefined,
  deps: ExecutorDeps,
): void {
  const metrics = {
    succeeded: Metric.succeeded,
    failed: Metric.failed,
    skipped: Metric.skipped,
    cancelled: undefined,
  };
  const metric = metrics[status];
  if (metric) deps.meter.count(metric);
  if (status === 'failed')
    deps.log.warn('execution failed', { jobKey, execId, reason, error: answer?.error });
}

/** The entry of the next attempt, then the row, then the message: a crash in between is repaired by the second look. */
async function retryAt(
  startAtMs: number,
  at: { execution: Execution; job: Job; failures: number; attempt: AttemptRecord; held: HeldLease },
  deps: ExecutorDeps,
): Promise<LeaseOutcome> {
  const { execution, job, failures, attempt, held } = at;
  const wait = {
    jobKey: execution.jobKey,
    execId: execution.execId,
    attempt: execution.attempt + 1,
    startAtMs,
  };
  const outcome = await whileHeld(held, deps, async () => {
    const entry = await attemptEntry(wait, deps);
    await deps.schedule.putEntries([entry]);
    const next = { attempt: wait.attempt, startAtMs: entry.lookAtMs, failures, takeovers: 0 };
    return deps.executions.awaitRetry(held.lease, next, attempt);
  });
  if (outcome === 'cancel-asked') return cancel(execution, job, attempt, held, deps);
  if (outcome === 'done') {
    deps.meter.count(Metric.retried);
    await sendIfDirect(attemptMessage({ ...execution, takeovers: 0 }, wait, job), deps);
  }
  return outcome;
}

/** Repeats a write that gets no answer for as long as the lease holds; then the sweeper's takeover is the way on. */
async function whileHeld(
  held: HeldLease,
  deps: ExecutorDeps,
  write: () => Promise<BeatOutcome>,
): Promise<BeatOutcome> {
  for (;;) {
    if (held.lostBy()) return 'lease-lost';
    try {
      return await write();
    } catch (error) {
      if (!isTransient(error)) throw error;
      deps.log.warn('result not acknowledged, trying again', {
        execId: held.lease.execId,
        error: String(error),
      });
      await deps.clock.sleep(WRITE_AGAIN_AFTER_MS);
    }
  }
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
