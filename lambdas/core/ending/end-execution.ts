import { mayNotify } from '../alerts/tell-ends';
import { Metric } from '../contracts/metrics';
import type { StageDeps } from '../deps';
import type { AttemptRecord, Execution, ExecutionResult, Reason, SkipDetail } from '../domain/execution';
import { followUps } from '../domain/follow-ups';
import { isWatched, type Job } from '../domain/job';
import { expiresAtSecAfter } from '../domain/timing';
import type { TerminalStatus } from '../domain/transitions';
import { recheckEntryNow } from '../queue/attempt-entries';
import type { Ending, Lease, LeaseOutcome } from '../store/execution-store';
import { type EndedBy, runFollowUps } from './run-follow-ups';
import { detailOfPause } from './skip-detail';

/** How an execution ends. */
export interface End {
  status: TerminalStatus;
  reason?: Reason;
  result?: ExecutionResult;
  /** What the last attempt adds to the history. */
  records?: readonly AttemptRecord[];
  /** What the gate knows that ends it. */
  detail?: SkipDetail;
  /** Present if a user ends it. */
  userRequest?: Execution['userRequest'];
  /** For the log of a failure. */
  error?: string;
}

/**
 * What entitles the caller to end the execution as it was seen. `lease`: the claim; `write` repeats the write
 * for as long as the lease holds. `stale`: a heartbeat that has not moved. `waiting`: the attempt that it
 * waits for.
 */
export type Under =
  | { the: 'lease'; lease: Lease; write: (end: () => Promise<LeaseOutcome>) => Promise<LeaseOutcome> }
  | { the: 'stale' }
  | { the: 'waiting' };

export interface EndRequest {
  execution: Execution;
  end: End;
  under: Under;
  /** As read after the claim, or now; undefined: it is deleted. */
  job: Job | undefined;
  by: EndedBy;
}

/**
 * Makes an execution terminal: the only way to do so. Writes the end, publishes it, runs its follow-ups and
 * counts it. An end with follow-ups that no recheck would find gets an entry first. So a crash between the
 * end and its follow-ups is repaired.
 *
 * @returns the execution as it ended; undefined if another process was faster
 */
export async function endExecution(request: EndRequest, deps: StageDeps): Promise<Execution | undefined> {
  const { execution, end, job, by } = request;
  const ending = endingOf(request, deps);
  const ended: Execution = { ...execution, ...ending };
  if ((await writeEnd(request, ending, ended, deps)) !== 'done') return undefined;
  deps.publishEnd(ended);
  await runFollowUps(ended, { job, by }, deps);
  countEnd(ended, job, end.error, deps);
  return ended;
}

/**
 * Ends an occurrence that never ran: writes a row that is terminal from the start. Its follow-ups derive from
 * the gates that it waited at, if its message named any.
 *
 * @returns false if the execution already has a row
 */
export async function endUnstarted(row: Execution, by: EndedBy, deps: StageDeps): Promise<boolean> {
  if (needsEntry(row, by)) await deps.schedule.putEntries([await recheckEntryNow(row, deps)]);
  if ((await deps.ends.putEnded(row)) !== 'written') return false;
  deps.publishEnd(row);
  await runFollowUps(row, { by }, deps);
  return true;
}

/**
 * Publishes an end again and runs its follow-ups again. For an end whose writer may have crashed before it
 * did either.
 */
export async function repeatEnd(
  ended: Execution,
  at: { job?: Job; by: EndedBy },
  deps: StageDeps,
): Promise<void> {
  deps.publishEnd(ended);
  await runFollowUps(ended, at, deps);
}

function endingOf({ execution, end, under, job }: EndRequest, deps: StageDeps): Ending {
  const finishedAtMs = deps.clock.nowMs();
  const { orderingKey, dueAtMs } = execution;
  const blocks =
    end.status === 'failed' && orderingKey !== undefined && job?.orderingKey && job.onFailure === 'block';
  const slotKey = under.the === 'waiting' ? job?.concurrencyKey : undefined;
  const mayOccupyJob = under.the === 'waiting' && job !== undefined && job.overlap !== 'allow';
  return {
    status: end.status,
    reason: end.reason,
    result: end.result,
    finishedAtMs,
    // From the due time if that is later: the row must outlive every message of its occurrence.
    expiresAtSec: expiresAtSecAfter(Math.max(finishedAtMs, dueAtMs), deps.retentionDays),
    blocksKey: blocks ? true : undefined,
    awaited: job?.awaitedAtMs !== undefined && startsWaiters(execution, end.status) ? true : undefined,
    concurrencyKey: execution.concurrencyKey ?? slotKey,
    occupiesJob: execution.occupiesJob ?? (mayOccupyJob ? true : undefined),
    generation: job && job.revision === execution.revision ? job.generation : execution.generation,
    detail: end.detail ?? (end.reason === 'paused' ? detailOfPause(job) : undefined),
    ...(job && isWatched(job) && { watched: true }),
    ...(end.userRequest && { userRequest: end.userRequest }),
  };
}

/** An execution that never ran, or that was skipped, starts nothing. */
const startsWaiters = ({ fence }: Execution, status: TerminalStatus): boolean =>
  fence > 0 && status !== 'skipped';

async function writeEnd(
  { execution, end: { records = [] }, under, by }: EndRequest,
  ending: Ending,
  ended: Execution,
  deps: StageDeps,
): Promise<LeaseOutcome> {
  const isReport = by === 'other' && under.the === 'lease';
  if (isReport && !needsEntry(ended, by) && (ended.watched || (await mayNotify(ended, deps))))
    await deps.schedule.putEntries([await recheckEntryNow(ended, deps)]);
  if (needsEntry(ended, by)) await deps.schedule.putEntries([await recheckEntryNow(execution, deps)]);
  switch (under.the) {
    case 'lease':
      return under.write(() => deps.ends.finish(under.lease, ending, records));
    case 'stale':
      return deps.ends.endStale(execution, ending, records);
    case 'waiting':
      return deps.ends.endWaiting(execution, ending);
  }
}

/**
 * The executor's lease and the sweeper's own entry are rechecked anyway. So is what waits or was planned:
 * only the lease of a target that reports may be rechecked much later than its end.
 */
const needsEntry = (ended: Execution, by: EndedBy): boolean => by === 'other' && followUps(ended).length > 0;

const METRIC_OF: Partial<Record<TerminalStatus, (typeof Metric)['succeeded' | 'failed' | 'skipped']>> = {
  succeeded: Metric.succeeded,
  failed: Metric.failed,
  skipped: Metric.skipped,
};

function countEnd(
  { jobKey, execId, status, reason }: Execution,
  job: Job | undefined,
  error: string | undefined,
  deps: StageDeps,
): void {
  const metric = METRIC_OF[status as TerminalStatus];
  if (metric) deps.meter.count(metric, 1, job);
  if (status === 'failed') deps.log.warn('execution failed', { jobKey, execId, reason, error });
}
