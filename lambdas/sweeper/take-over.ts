import { Metric } from '../core/contracts/metrics';
import { attemptEntry, attemptMessage, sendIfDirect } from '../core/dispatch/attempt-entries';
import type { StageDeps } from '../core/deps';
import { expiresAtSecAfter } from '../core/domain/timing';
import { blocksKey, releaseGates } from '../core/gates/release';
import type { AttemptRecord, Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { MAX_TAKEOVERS } from '../core/domain/lease';
import { decideRetry } from '../core/domain/retry-policy';
import type { Ending, LeaseOutcome } from '../core/store/execution-store';

/**
 * Takes a stale lease away: the entry of the next attempt, then the row (conditional on the heartbeat seen), then its
 * message. An attempt whose executor was lost does not use up the user's retries; five in a row end the execution as
 * `crashed`. One that its target held by a token counts as failed, and goes by the job's retry policy.
 */
export async function takeOver(
  execution: Execution,
  job: Job | undefined,
  deps: StageDeps,
): Promise<LeaseOutcome> {
  const { jobKey, execId, cancelRequested } = execution;
  const nowMs = deps.clock.nowMs();
  const lost = lostRecords(execution, job, nowMs);
  if (cancelRequested)
    return end(execution, { status: 'cancelled', reason: cancelRequested.reason }, lost, job, deps);
  const verdict =
    execution.delegatedTo && job ? byPolicy(execution, job, nowMs, deps) : byCrash(execution, nowMs);
  if ('reason' in verdict) return end(execution, { status: 'failed', ...verdict }, lost, job, deps);

  const wait = { jobKey, execId, attempt: execution.attempt + 1, startAtMs: verdict.startAtMs };
  const entry = await attemptEntry(wait, deps);
  await deps.schedule.putEntries([entry]);
  const { failures, takeovers } = verdict;
  const next = { attempt: wait.attempt, startAtMs: entry.checkAtMs, failures, takeovers };
  const outcome = await deps.executions.takeOver(execution, next, lost);
  if (outcome === 'done') {
    deps.meter.count(Metric.takenOver);
    deps.log.warn('execution taken over', { jobKey, execId, takeovers, why: lost[0]?.error });
    // Without its job the new entry's own look ends the execution.
    if (job) await sendIfDirect(attemptMessage({ ...execution, takeovers }, wait, job), deps);
  }
  return outcome;
}

/** One for each target that the attempt was still waiting for. */
function lostRecords(execution: Execution, job: Job | undefined, nowMs: number): AttemptRecord[] {
  const { attempt, fence, claimedAtMs = nowMs, heartbeatAtMs = 0, delegatedTo } = execution;
  const isTimedOut = delegatedTo !== undefined && nowMs > delegatedTo.endsAtMs;
  const settled = execution.attempts.filter((one) => one.fence === fence || one.outcome === 'succeeded');
  const all = delegatedTo?.targets ?? (job?.targets ? [...job.targets.keys()] : [0]);
  const open = all.filter((place) => !settled.some(({ target }) => target === place));
  const record: Omit<AttemptRecord, 'target'> = {
    attempt,
    fence,
    startedAtMs: claimedAtMs,
    finishedAtMs: nowMs,
    outcome: isTimedOut ? 'retriable' : 'lost',
    error: isTimedOut
      ? `timed out after ${delegatedTo.endsAtMs - claimedAtMs} ms (job timeout)`
      : `no heartbeat since ${new Date(heartbeatAtMs).toISOString()}`,
  };
  return open.map((target) => ({ ...record, target }));
}

type TakeoverDecision =
  { startAtMs: number; failures: number; takeovers: number } | { reason: NonNullable<Ending['reason']> };

function byCrash({ failures, takeovers }: Execution, nowMs: number): TakeoverDecision {
  if (takeovers + 1 >= MAX_TAKEOVERS) return { reason: 'crashed' };
  return { startAtMs: nowMs, failures, takeovers: takeovers + 1 };
}

function byPolicy(execution: Execution, job: Job, nowMs: number, { random }: StageDeps): TakeoverDecision {
  const failures = execution.failures + 1;
  const { dueAtMs } = execution;
  const decision = decideRetry(job.retry, { failures, dueAtMs, nowMs, fraction: random.fraction() });
  if (!decision.retry) return { reason: decision.reason };
  return { startAtMs: decision.startAtMs, failures, takeovers: 0 };
}

async function end(
  execution: Execution,
  to: Pick<Ending, 'status' | 'reason'>,
  lost: readonly AttemptRecord[],
  job: Job | undefined,
  deps: StageDeps,
): Promise<LeaseOutcome> {
  const finishedAtMs = deps.clock.nowMs();
  const ending: Ending = {
    ...to,
    finishedAtMs,
    expiresAtSec: expiresAtSecAfter(finishedAtMs, deps.retentionDays),
    blocksKey: blocksKey(to, execution, job),
  };
  const outcome = await deps.executions.endStale(execution, ending, lost);
  if (outcome !== 'done') return outcome;
  if (to.status === 'failed') deps.meter.count(Metric.failed);
  await releaseGates({ ...execution, blocksKey: ending.blocksKey }, job, deps);
  return outcome;
}
