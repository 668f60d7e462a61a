import { Metric } from '../contracts/metrics';
import { jobRefOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { EndedBy } from '../domain/ended';
import { errandsOf, type Execution, isRun, type Run } from '../domain/execution';
import { followUps } from '../domain/follow-ups';
import { concurrencyKeyOf, detailOfPause, isWatched, type Job } from '../domain/job';
import type { RunLabels } from '../domain/run-labels';
import { countsAsLive, durationMsOf, expiresAtSecAfter, type Pace, paceOf } from '../domain/timing';
import type { TerminalStatus } from '../domain/transitions';
import { isTaskExecution } from '../domain/workflow/task-id';
import { recheckEntryNow } from '../queue/attempt-entries';
import type { Ending, LeaseOutcome } from '../store/execution-store';
import type { EndRequest, Precondition } from './end-request';

/**
 * Writes the end of an execution, publishes and counts it. Its follow-ups are left to the caller: only for
 * runs, and for the tasks and children that end with their run.
 *
 * @returns the execution as it ended; undefined if another process was faster, or if the end was left to the
 *   watcher
 */
export async function endWithoutFollowUps(
  asked: EndRequest,
  deps: StageDeps,
): Promise<Execution | undefined> {
  const request = await unlessLeft(asked, deps);
  if (!request) return undefined;
  const { execution, end, job } = request;
  const ending = endingOf(request, deps);
  const ended: Execution = { ...execution, ...ending };
  if ((await writeEnd(request, ending, ended, deps)) !== 'done') return undefined;
  if (request.precondition.kind === 'run' && isRun(execution) && countsAsLive(execution))
    await deps.liveRuns.count(jobRefOf(execution.jobKey).userId, -1);
  deps.publishEnd({ ...ended, workflow: end.workflow });
  countEnd(ended, job, end.error, deps);
  return ended;
}

/** An execution with an open errand ends once that has been seen to end. Undefined: its end was left. */
async function unlessLeft(request: EndRequest, deps: StageDeps): Promise<EndRequest | undefined> {
  const { execution, end, precondition, errand } = request;
  if (execution.openErrand === undefined || errand !== undefined) return request;
  const isLeft = await deps.leaveEnd({ execution, end, isStale: precondition.kind === 'stale' }, deps);
  return isLeft ? undefined : { ...request, errand: 'ended' };
}

/** Writes a row that is terminal from the start, and publishes it. False if the execution already has one. */
export async function endUnstartedWithoutFollowUps(
  row: Execution,
  by: EndedBy,
  deps: StageDeps,
): Promise<boolean> {
  if (needsEntry(row, by)) await deps.schedule.putEntries([await recheckEntryNow(row, deps)]);
  if ((await deps.ends.putEnded(row)) !== 'written') return false;
  deps.publishEnd(row);
  return true;
}

function endingOf(request: EndRequest, deps: StageDeps): Ending {
  const { execution, end, precondition, job, errand } = request;
  const finishedAtMs = deps.clock.nowMs();
  const { orderingKey, dueAtMs, runEndsAtMs = 0 } = execution;
  const blocks =
    end.status === 'failed' && orderingKey !== undefined && job?.orderingKey && job.onFailure === 'block';
  const hasWaited = precondition.kind === 'waiting' || precondition.kind === 'unclaimed';
  const slotKey = hasWaited && job ? concurrencyKeyOf(job, execution) : undefined;
  const detail = end.detail ?? (end.reason === 'paused' ? detailOfPause(job) : undefined);
  const mayOccupyJob = hasWaited && job !== undefined && job.overlap !== 'allow';
  const pace = endedAtPace(request, finishedAtMs);
  return {
    status: end.status,
    reason: end.reason,
    result: end.result,
    ...(end.failedTask && { failedTask: end.failedTask }),
    ...(end.output !== undefined && { output: end.output }),
    ...(end.ping && { ping: end.ping }),
    finishedAtMs,
    // From the due time if that is later: the row must outlive every message of its occurrence. A task's row
    // stays as long as its run's.
    expiresAtSec: expiresAtSecAfter(Math.max(finishedAtMs, dueAtMs, runEndsAtMs), deps.retentionDays),
    blocksKey: blocks ? true : undefined,
    awaited: job?.awaitedAtMs === undefined ? undefined : true,
    concurrencyKey: execution.concurrencyKey ?? slotKey,
    occupiesJob: execution.occupiesJob ?? (mayOccupyJob ? true : undefined),
    generation: job && job.revision === execution.revision ? job.generation : execution.generation,
    ...(detail && { detail }),
    ...(job && isWatched(job) && { watched: true }),
    ...(pace && { pace }),
    ...(job && isOfJob(execution) && labelsOrNone(execution, job, deps)),
    ...(end.userRequest && { userRequest: end.userRequest }),
    ...(execution.openErrand !== undefined && errand === 'ended' && { errands: errandsOf(execution) + 1 }),
  };
}

/** A task shows in its run, and a backfill calls nothing: its dates are found. */
const isOfJob = ({ execId, backfill }: Execution): boolean =>
  !isTaskExecution(execId) && backfill === undefined;

/**
 * It is decided once, by the job that its end knows. So a later change of the job tells nothing anew. A
 * ping knows for how long it has a duration.
 */
function endedAtPace({ execution, end, job }: EndRequest, finishedAtMs: number): Pace | undefined {
  if (end.status !== 'succeeded' || !job?.expectDuration || !isOfJob(execution)) return undefined;
  const attempts = [...execution.attempts, ...(end.records ?? [])];
  const durationMs = end.ping ? end.ping.durationMs : durationMsOf({ ...execution, attempts, finishedAtMs });
  return paceOf(durationMs, job.expectDuration);
}

/** No label is worth an end: a job whose schedule this version cannot read leaves out what it says. */
function labelsOrNone(execution: Execution, job: Job, deps: StageDeps): RunLabels {
  try {
    return deps.labelsOf(execution, job);
  } catch (error) {
    const { jobKey, execId, externalId } = execution;
    deps.log.error('run tags were left out', error, { jobKey, execId });
    const isUnnamed = job.externalId !== undefined && externalId === undefined;
    return { tagsLeftOut: (job.runTags?.length ?? 0) + (isUnnamed ? 1 : 0) };
  }
}

async function writeEnd(
  { execution, end: { records = [] }, precondition, by }: EndRequest,
  ending: Ending,
  ended: Execution,
  deps: StageDeps,
): Promise<LeaseOutcome> {
  if (!needsEntry(ended, by) && by === 'other' && (await needsRecheckSoon(ended, precondition, deps)))
    await deps.schedule.putEntries([await recheckEntryNow(ended, deps)]);
  if (needsEntry(ended, by)) await deps.schedule.putEntries([await recheckEntryNow(execution, deps)]);
  switch (precondition.kind) {
    case 'lease':
      return precondition.write(() => deps.ends.finish(precondition.lease, ending, records));
    case 'stale':
      return deps.ends.endStale(execution, ending, records);
    case 'waiting':
      return deps.ends.endWaiting(execution, ending);
    case 'run':
      return deps.ends.endRun(execution as Run, ending);
    case 'unclaimed':
      return (await deps.ends.putEnded(ended)) === 'written' ? 'done' : 'lease-lost';
  }
}

/**
 * Whether a notification or a watched job needs a recheck of this end soon. Only a run, the lease of a
 * target that reports, or what a ping ends, may be rechecked much later than its end. The miss that a late
 * ping finds might get no recheck. What waits or was planned gets one.
 */
async function needsRecheckSoon(ended: Execution, { kind }: Precondition, deps: StageDeps): Promise<boolean> {
  const mayBeLater =
    kind === 'lease' || kind === 'run' || ended.ping !== undefined || ended.reason === 'no-ping';
  if (!mayBeLater || isTaskExecution(ended.execId)) return false;
  return ended.watched === true || deps.needsRecheckSoon(ended, deps);
}

/** The executor's lease and the sweeper's own entry are rechecked anyway. */
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
  if (isTaskExecution(execId)) {
    if (status === 'failed') deps.meter.count(Metric.tasksFailed);
    return;
  }
  const metric = METRIC_OF[status as TerminalStatus];
  if (metric) deps.meter.count(metric, 1, job);
  if (status === 'failed') deps.log.warn('execution failed', { jobKey, execId, reason, error });
}
