import { SECOND_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import { attemptEntry, attemptMessage, sendIfDirect } from '../core/dispatch/attempts';
import { expiresAtSecAfter } from '../core/dispatch/dispatch';
import type { AttemptRecord, Execution, Reason } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { decideRetry } from '../core/domain/retry-policy';
import type { Ending, LeaseOutcome } from '../core/store/execution-store';
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
  if (answer.outcome === 'succeeded')
    return end(execution, { status: 'succeeded' }, answer, attempt, held, deps);
  if (answer.outcome === 'fatal') {
    const reason = answer.blocked ? 'blocked-target' : 'fatal';
    return end(execution, { status: 'failed', reason }, answer, attempt, held, deps);
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
    return end(execution, { status: 'failed', reason: decision.reason }, answer, attempt, held, deps);
  }
  return retryAt(decision.startAtMs, { execution, job, failures, attempt, held }, deps);
}

/** Ends a claimed execution without a call. */
export const concludeWithoutCall = (
  execution: Execution,
  status: 'skipped' | 'cancelled',
  reason: Reason,
  held: HeldLease,
  deps: ExecutorDeps,
): Promise<LeaseOutcome> => end(execution, { status, reason }, undefined, undefined, held, deps);

async function end(
  execution: Execution,
  to: Pick<Ending, 'status' | 'reason'>,
  answer: Answer | undefined,
  attempt: AttemptRecord | undefined,
  held: HeldLease,
  deps: ExecutorDeps,
): Promise<LeaseOutcome> {
  const finishedAtMs = deps.clock.nowMs();
  const ending: Ending = {
    ...to,
    result: answer && { statusCode: answer.statusCode, body: answer.body },
    finishedAtMs,
    expiresAtSec: expiresAtSecAfter(finishedAtMs, deps.retentionDays),
  };
  const outcome = await whileHeld(held, deps, () => deps.executions.finish(held.lease, ending, attempt));
  if (outcome === 'done') {
    const metric = {
      succeeded: Metric.succeeded,
      failed: Metric.failed,
      skipped: Metric.skipped,
      cancelled: undefined,
    };
    const name = metric[to.status];
    if (name) deps.meter.count(name);
    if (to.status === 'failed') {
      const { jobKey, execId } = execution;
      deps.log.warn('execution failed', { jobKey, execId, reason: to.reason, error: answer?.error });
    }
  }
  return outcome;
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
  write: () => Promise<LeaseOutcome>,
): Promise<LeaseOutcome> {
  for (;;) {
    if (held.signal.aborted) return 'lease-lost';
    try {
      return await write();
    } catch (error) {
      if (!isTransient(error)) throw error;
      deps.log.warn('result not acknowledged, trying again', {
        execId: held.lease.execId,
        error: String(error),
      });
      await deps.clock.sleep(WRITE_AGAIN_AFTER_MS, held.signal);
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
