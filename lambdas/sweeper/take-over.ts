import { Metric } from '../core/contracts/metrics';
import { attemptEntry, attemptMessage, sendIfDirect } from '../core/dispatch/attempts';
import type { DispatchDeps } from '../core/dispatch/deps';
import { expiresAtSecAfter } from '../core/domain/timing';
import { blocksKey, makeWay } from '../core/dispatch/make-way';
import type { AttemptRecord, Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { MAX_TAKEOVERS } from '../core/domain/lease';
import type { Ending, LeaseOutcome } from '../core/store/execution-store';

/**
 * Takes a stale lease away: the entry of the next attempt, then the row (conditional on the heartbeat seen), then its
 * message. Lost attempts do not use up the user's retries; five in a row end the execution as `crashed`.
 */
export async function takeOver(
  execution: Execution,
  job: Job | undefined,
  deps: DispatchDeps,
): Promise<LeaseOutcome> {
  const nowMs = deps.clock.nowMs();
  const takeovers = execution.takeovers + 1;
  const lost: AttemptRecord = {
    attempt: execution.attempt,
    fence: execution.fence,
    startedAtMs: execution.claimedAtMs ?? nowMs,
    finishedAtMs: nowMs,
    outcome: 'lost',
    target: 0,
    error: `no heartbeat since ${new Date(execution.heartbeatAtMs ?? 0).toISOString()}`,
  };
  const { cancelAsked } = execution;
  if (cancelAsked)
    return end(execution, { status: 'cancelled', reason: cancelAsked.reason }, lost, job, deps);
  if (takeovers >= MAX_TAKEOVERS)
    return end(execution, { status: 'failed', reason: 'crashed' }, lost, job, deps);

  const wait = {
    jobKey: execution.jobKey,
    execId: execution.execId,
    attempt: execution.attempt + 1,
    startAtMs: nowMs,
  };
  await deps.schedule.putEntries([await attemptEntry(wait, deps)]);
  const next = { attempt: wait.attempt, startAtMs: nowMs, failures: execution.failures, takeovers };
  const outcome = await deps.executions.takeOver(execution, next, lost);
  if (outcome === 'done') {
    deps.meter.count(Metric.takenOver);
    deps.log.warn('execution taken over', { jobKey: execution.jobKey, execId: execution.execId, takeovers });
    // Without its job the new entry's own look ends the execution.
    if (job) await sendIfDirect(attemptMessage({ ...execution, takeovers }, wait, job), deps);
  }
  return outcome;
}

async function end(
  execution: Execution,
  to: Pick<Ending, 'status' | 'reason'>,
  lost: AttemptRecord,
  job: Job | undefined,
  deps: DispatchDeps,
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
  await makeWay({ ...execution, blocksKey: ending.blocksKey }, job, deps);
  return outcome;
}
