import { Metric } from '../contracts/metrics';
import type { TargetResult } from '../domain/target-result';
import type { AttemptRecord, Execution, DelegatedLease } from '../domain/execution';
import { type Job, targetsOf } from '../domain/job';
import { leaseLimitMs } from '../domain/lease';
import { parseDuration } from '../schedule/duration';
import { reportingOf } from '../domain/target';
import { expiresAtSecAfter } from '../domain/timing';
import type { TerminalStatus } from '../domain/transitions';
import type { HeartbeatOutcome, Ending, DelegateOutcome, Lease } from '../store/execution-store';
import { attemptRecord } from '../domain/attempt-records';
import { attemptEntry, attemptMessage, limitEntry, sendIfDirect } from '../dispatch/attempt-entries';
import type { StageDeps } from '../deps';
import { blocksKey, releaseGates } from '../gates/release';

/** An attempt's lease in the hands of whoever reports its result. */
export interface LeaseHandle {
  readonly lease: Lease;
  /** Held by a target, by its token. */
  readonly isReport?: true;
  /** Somebody wants the execution to end. */
  cancelRequested(): boolean;
  /** Does a write under the lease, and again where it gets no answer, for as long as the holder may. */
  write<Outcome>(write: () => Promise<Outcome>): Promise<Outcome | 'lease-lost'>;
}

/** What the execution is once the attempt is written down; `running`: its target holds the lease now. */
export type SettledStatus = TerminalStatus | 'retrying' | 'running' | 'lease-lost';

/** One of several targets has reported; the others are still at work, or its executor is about to decide. */
export async function appendReports(
  records: readonly AttemptRecord[],
  { lease, write }: LeaseHandle,
  { executions }: StageDeps,
): Promise<'running' | 'lease-lost'> {
  for (const record of records)
    if ((await write(() => executions.appendReport(lease, record))) !== 'done') return 'lease-lost';
  return 'running';
}

/** Ends an execution that somebody asked to cancel, for the reason that they gave. */
export async function cancel(
  execution: Execution,
  job: Job | undefined,
  records: readonly AttemptRecord[],
  accepted: readonly number[],
  held: LeaseHandle,
  deps: StageDeps,
): Promise<SettledStatus> {
  const row = await deps.executions.get(execution);
  const reason = row?.cancelRequested?.reason ?? 'cancelled-by-user';
  const nowMs = deps.clock.nowMs();
  const cut = accepted.map((target) =>
    attemptRecord(execution, { outcome: 'cancelled', target }, execution.claimedAtMs ?? nowMs, nowMs),
  );
  const cancelled = records.map((record) =>
    record.outcome === 'succeeded' ? record : { ...record, outcome: 'cancelled' as const },
  );
  const to = { status: 'cancelled', reason } as const;
  return end(execution, job, to, held, deps, { records: [...cancelled, ...cut] });
}

export async function end(
  execution: Execution,
  job: Job | undefined,
  to: Pick<Ending, 'status' | 'reason'>,
  held: LeaseHandle,
  deps: StageDeps,
  made: { answer?: TargetResult; records?: readonly AttemptRecord[] } = {},
): Promise<SettledStatus> {
  const finishedAtMs = deps.clock.nowMs();
  const { answer, records = [] } = made;
  const ending: Ending = {
    ...to,
    result: answer && { statusCode: answer.statusCode, body: answer.body },
    finishedAtMs,
    expiresAtSec: expiresAtSecAfter(finishedAtMs, deps.retentionDays),
    blocksKey: blocksKey(to, execution, job),
  };
  const outcome = await held.write(() => deps.executions.finish(held.lease, ending, records));
  if (outcome !== 'done') return 'lease-lost';
  const ended = { ...execution, blocksKey: ending.blocksKey };
  await leaveToRecheckOnError(execution, deps, () => releaseGates(ended, job, deps));
  meterEnd(execution, job, to, answer, deps);
  return to.status;
}

function meterEnd(
  { jobKey, execId }: Execution,
  job: Job | undefined,
  { status, reason }: Pick<Ending, 'status' | 'reason'>,
  answer: TargetResult | undefined,
  deps: StageDeps,
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
export async function retryAt(
  startAtMs: number,
  at: {
    execution: Execution;
    job: Job;
    failures: number;
    records: readonly AttemptRecord[];
    held: LeaseHandle;
  },
  deps: StageDeps,
): Promise<SettledStatus> {
  const { execution, job, failures, records, held } = at;
  const wait = {
    jobKey: execution.jobKey,
    execId: execution.execId,
    attempt: execution.attempt + 1,
    startAtMs,
  };
  const outcome = await held.write<HeartbeatOutcome>(async () => {
    const entry = await attemptEntry(wait, deps);
    await deps.schedule.putEntries([entry]);
    const next = { attempt: wait.attempt, startAtMs: entry.checkAtMs, failures, takeovers: 0 };
    return deps.executions.awaitRetry(held.lease, next, records);
  });
  if (outcome === 'cancel-requested') return cancel(execution, job, records, [], held, deps);
  if (outcome === 'lease-lost') return outcome;
  deps.meter.count(Metric.retried, 1, job);
  const message = attemptMessage({ ...execution, takeovers: 0 }, wait, job);
  await leaveToRecheckOnError(execution, deps, () => sendIfDirect(message, deps));
  return 'retrying';
}

/** The attempt is written down by then: what does not go out now goes out at the second look. */
async function leaveToRecheckOnError(
  { jobKey, execId }: Execution,
  { log }: StageDeps,
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
export async function delegateLease(
  execution: Execution,
  job: Job,
  waiting: readonly number[],
  records: readonly AttemptRecord[],
  held: LeaseHandle,
  deps: StageDeps,
): Promise<'running' | 'lease-lost'> {
  const timeoutMs = parseDuration(job.timeout);
  const targets = targetsOf(job);
  // One lease for all: the most patient of them decides how long it may be silent.
  const silencesMs = waiting.map((place) => {
    const { heartbeatTimeout } = reportingOf(targets[place]!);
    return heartbeatTimeout === undefined ? timeoutMs : parseDuration(heartbeatTimeout);
  });
  const delegatedTo: DelegatedLease = {
    heartbeatWithinMs: Math.max(...silencesMs),
    endsAtMs: (execution.claimedAtMs ?? deps.clock.nowMs()) + timeoutMs,
    ...(job.targets && { targets: waiting }),
  };
  const outcome = await held.write<DelegateOutcome>(async () => {
    const nowMs = deps.clock.nowMs();
    const limitMs = leaseLimitMs({ heartbeatAtMs: nowMs, delegatedTo });
    await deps.schedule.putEntries([await limitEntry(execution, limitMs, deps)]);
    return deps.executions.delegateLease(held.lease, delegatedTo, nowMs, records);
  });
  return outcome === 'lease-lost' ? outcome : 'running';
}
