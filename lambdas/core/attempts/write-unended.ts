import { Metric } from '../contracts/metrics';
import type { StageDeps } from '../deps';
import type { AttemptRecord, DelegatedLease, Execution } from '../domain/execution';
import { type Job, targetsOf } from '../domain/job';
import { leaseLimitMs } from '../domain/lease';
import { reportingOf } from '../domain/target';
import { attemptEntry, attemptMessage, limitEntry, sendOrLeave } from '../queue/attempt-entries';
import { parseDuration } from '../schedule/duration';
import type { DelegateOutcome, HeartbeatOutcome, NextAttempt } from '../store/execution-store';
import type { LeaseHandle } from '../store/lease-handle';

/** The writes after which an execution goes on. Its end is written by `core/ending`. */
export type WrittenDown = 'retrying' | 'lease-lost' | 'cancel-requested';

interface GoingOn {
  execution: Execution;
  job: Job;
  handle: LeaseHandle;
}

/** One of several targets has reported; the others are at work, or the executor is about to decide. */
export async function appendReports(
  records: readonly AttemptRecord[],
  { lease, write }: LeaseHandle,
  { executions }: StageDeps,
): Promise<'running' | 'lease-lost'> {
  for (const record of records)
    if ((await write(() => executions.appendReport(lease, record))) !== 'done') return 'lease-lost';
  return 'running';
}

type Counted = Pick<NextAttempt, 'failures' | 'takeovers' | 'releases' | 'errands'>;

/**
 * Writes the entry of the next attempt, then the row, then sends the message. A recheck repairs a crash in
 * between.
 */
export async function retryAt(
  startAtMs: number,
  {
    execution,
    job,
    handle,
    counted,
    records,
  }: GoingOn & { counted: Counted; records: readonly AttemptRecord[] },
  deps: StageDeps,
): Promise<WrittenDown> {
  const { jobKey, execId, userRetries } = execution;
  const wait = { jobKey, execId, userRetries, attempt: execution.attempt + 1, startAtMs };
  const outcome = await handle.write<HeartbeatOutcome>(async () => {
    const entry = await attemptEntry(wait, deps);
    await deps.schedule.putEntries([entry]);
    const next = { attempt: wait.attempt, startAtMs: entry.checkAtMs, ...counted };
    return deps.executions.awaitRetry(handle.lease, next, records);
  });
  if (outcome !== 'done') return outcome;
  deps.meter.count(Metric.retried, 1, job);
  const openErrand = counted.errands === undefined ? execution.openErrand : undefined;
  const next = { ...execution, takeovers: counted.takeovers, openErrand };
  await sendOrLeave(attemptMessage(next, wait, job), deps);
  return 'retrying';
}

/**
 * Delegates the lease to the targets that report later: the entry of the recheck at its limit, then the row.
 * A target that has reported by then has ended the attempt itself.
 */
export async function delegateToTargets(
  { execution, job, handle }: GoingOn,
  waiting: readonly number[],
  records: readonly AttemptRecord[],
  deps: StageDeps,
): Promise<'running' | 'lease-lost'> {
  const timeoutMs = parseDuration(job.timeout);
  const targets = targetsOf(job);
  // One lease for all of them: the longest time-out decides how long it may be silent.
  const silencesMs = waiting.map((index) => {
    const { heartbeatTimeout } = reportingOf(targets[index]!);
    return heartbeatTimeout === undefined ? timeoutMs : parseDuration(heartbeatTimeout);
  });
  const delegatedTo: DelegatedLease = {
    heartbeatWithinMs: Math.max(...silencesMs),
    endsAtMs: (execution.claimedAtMs ?? deps.clock.nowMs()) + timeoutMs,
    ...(job.targets && { targets: waiting }),
  };
  const outcome = await handle.write<DelegateOutcome>(async () => {
    const nowMs = deps.clock.nowMs();
    const limitMs = leaseLimitMs({ heartbeatAtMs: nowMs, delegatedTo });
    await deps.schedule.putEntries([await limitEntry(execution, limitMs, deps)]);
    return deps.executions.delegateLease(handle.lease, delegatedTo, nowMs, records);
  });
  return outcome === 'lease-lost' ? outcome : 'running';
}
