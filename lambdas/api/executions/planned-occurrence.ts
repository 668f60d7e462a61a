import { DAY_MS, HOUR_MS } from '../../core/clock/clock';
import { execIdOfOccurrence, jobKeyOf, parseCompactInstant } from '../../core/contracts/tables';
import { scheduleOf } from '../../core/domain/entry-planning';
import { type Job, plannedSinceMs } from '../../core/domain/job';
import { isPlannedAt, nextPlanned } from '../../core/domain/planned-times';
import { waitingDetailOf, workerTargetOf } from '../../core/domain/work';
import { parseDuration } from '../../core/schedule/duration';
import type { Schedule } from '../../core/schedule/schedule';
import type { AnyExecution } from './execution-view';

/** How long after its due time an occurrence without a row counts as waiting. */
const QUEUED_FOR_MS = HOUR_MS;

/** How long an occurrence of a job counts as waiting: at a work queue, as long as `startWithin` says. */
export function queuedForMs(job: Pick<Job, 'target' | 'targets'>): number {
  const target = workerTargetOf(job);
  if (!target) return QUEUED_FOR_MS;
  return Math.max(
    QUEUED_FOR_MS,
    target.startWithin === undefined ? DAY_MS : parseDuration(target.startWithin),
  );
}

/**
 * The planned execution with this id, for which there is no row. The job's next occurrence is `scheduled`. An
 * occurrence that fell due within the last hour is `queued`. Undefined for every other id.
 */
export function plannedOccurrence(job: Job, execId: string, nowMs: number): AnyExecution | undefined {
  const dueAtMs = parseCompactInstant(execId);
  if (Number.isNaN(dueAtMs) || execIdOfOccurrence(dueAtMs) !== execId) return undefined;
  const schedule = scheduleOf(job);
  if (job.status !== 'active') return undefined;
  // An execution may wait days for its ordering key, or for a slot of its concurrency key.
  const mayWait = job.orderingKey !== null || job.concurrencyKey !== undefined;
  const waitsForMs = mayWait ? Number.POSITIVE_INFINITY : queuedForMs(job);
  const waits = dueAtMs <= nowMs && dueAtMs > nowMs - waitsForMs;
  // The id may name any instant: runs are counted through now, never through that.
  if (waits ? !isStillPlanned(job, schedule, dueAtMs) : dueAtMs !== nextPlanned(job, schedule, nowMs))
    return undefined;
  return derivedExecution(job, dueAtMs, waits ? 'queued' : 'scheduled');
}

/** An execution of which nothing is stored yet. */
export const derivedExecution = (
  job: Job,
  dueAtMs: number,
  status: 'scheduled' | 'queued' | 'skipped',
): AnyExecution => ({
  jobKey: jobKeyOf(job),
  execId: execIdOfOccurrence(dueAtMs),
  trigger: 'schedule',
  dueAtMs,
  status,
  attempt: 1,
  failures: 0,
  takeovers: 0,
  fence: 0,
  attempts: [],
  orderingKey: job.orderingKey ?? undefined,
  concurrencyKey: job.concurrencyKey,
  generation: job.generation,
  ...(status === 'queued' && waitingDetailOf(job)),
});

/** Due since the job was created, resumed or rescheduled, by its current schedule, within its `maxRuns`. */
const isStillPlanned = (job: Job, schedule: Schedule, dueAtMs: number): boolean =>
  dueAtMs > plannedSinceMs(job) && isPlannedAt(job, schedule, dueAtMs);
