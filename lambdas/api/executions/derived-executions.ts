import {
  compactInstant,
  execIdOfOccurrence,
  jobKeyOf,
  parseCompactInstant,
} from '../../core/contracts/tables';
import { decidedAfterMs, scheduleOf } from '../../core/domain/entry-planning';
import { type Execution, isPlanned, NEVER_CLAIMED } from '../../core/domain/execution';
import { concurrencyKeyOf, detailOfPause, type Job, plannedSinceMs } from '../../core/domain/job';
import { skippedRangeOf } from '../../core/domain/misfire';
import { pausedFromMs } from '../../core/domain/paused-range';
import { asPlannedAt } from '../../core/domain/resumption';
import { nextPlanned, plannedBetween, isPlannedAt } from '../../core/domain/planned-times';
import type { Schedule } from '../../core/schedule/schedule';
import { DAY_MS, HOUR_MS } from '../../core/clock/clock';
import { waitingDetailOf, workerTargetOf } from '../../core/domain/work';
import { parseDuration } from '../../core/schedule/duration';
import { endOfInstant } from '../jobs/derived-job-status';
import type { ApiDeps } from '../request';
import type { AnyExecution } from './execution-view';

/**
 * Rows read, newest first, to know which occurrences have none. Occurrences before the oldest are not
 * derived.
 */
const ROWS_READ = 100;

/**
 * Executions that have no row, newest first:
 * - of an active job, the next occurrence as `scheduled`, and those due within the last hour as `queued`;
 * - of a worker job, those as far back as its work may wait, and of a monitor, as it waits for pings;
 * - of a paused job, what it does not run, as the one `skipped` record that will be written when it is
 *   resumed.
 */
export async function derivedExecutions(stored: Job, deps: ApiDeps): Promise<AnyExecution[]> {
  const nowMs = deps.clock.nowMs();
  const job = asPlannedAt(stored, nowMs);
  const schedule = scheduleOf(job);
  if (job.status === 'paused') {
    const rows = await newestRows(job, nowMs, deps);
    const afterMs = pausedFromMs(job, nowMs, deps.retentionDays) - 1;
    return pausedRange(job, schedule, Math.max(afterMs, newestDueMs(rows)), nowMs);
  }
  const nextMs = nextPlanned(job, schedule, nowMs);
  // The next occurrence has a row if it was cancelled ahead of its time.
  const rows = await newestRows(job, nextMs ?? nowMs, deps);
  const isRecorded = recordedBy(rows);
  const knownFromMs = rows.length === ROWS_READ ? rows.at(-1)!.dueAtMs : 0;
  const fromMs = Math.max(plannedSinceMs(job), nowMs - queuedForMs(job), knownFromMs);
  const waiting = [...plannedBetween(job, schedule, fromMs, nowMs)].filter((dueAtMs) => !isRecorded(dueAtMs));
  return [
    ...(nextMs === undefined || isRecorded(nextMs) ? [] : [derivedExecution(job, nextMs, 'scheduled')]),
    ...waiting.reverse().map((dueAtMs) => derivedExecution(job, dueAtMs, 'queued')),
  ];
}

async function newestRows(job: Job, throughMs: number, { executions }: ApiDeps): Promise<Execution[]> {
  const page = await executions.list(jobKeyOf(job), {
    order: 'desc',
    fromExecId: compactInstant(job.createdAtMs),
    toExecId: endOfInstant(throughMs),
    limit: ROWS_READ,
  });
  return page.executions;
}

/**
 * Tests whether an occurrence is on record among the rows: as its own row, or in a skipped range that began
 * before.
 */
export function recordedBy(
  rows: readonly Pick<Execution, 'execId' | 'dueAtMs' | 'skipped'>[],
): (dueAtMs: number) => boolean {
  const execIds = new Set(rows.map(({ execId }) => execId));
  const ranges = rows.filter(({ skipped }) => skipped);
  return (dueAtMs) =>
    execIds.has(execIdOfOccurrence(dueAtMs)) ||
    ranges.some((row) => row.dueAtMs < dueAtMs && row.skipped!.toMs >= dueAtMs);
}

const newestDueMs = (rows: readonly Execution[]): number =>
  rows.reduce((newest, { trigger, dueAtMs }) => (isPlanned(trigger) ? Math.max(newest, dueAtMs) : newest), 0);

function pausedRange(job: Job, schedule: Schedule, afterMs: number, nowMs: number): AnyExecution[] {
  const firstMs = schedule.next(afterMs, nowMs);
  if (firstMs === undefined) return [];
  const skipped = skippedRangeOf(schedule, firstMs, nowMs);
  const record = derivedExecution(job, firstMs, 'skipped');
  return [{ ...record, reason: 'paused', detail: detailOfPause(job), skipped }];
}

/** How long after its due time an occurrence without a row counts as waiting. */
const QUEUED_FOR_MS = HOUR_MS;

/** How long an occurrence of a job counts as waiting: at a work queue, as long as `startWithin` says. */
export function queuedForMs(job: Pick<Job, 'target' | 'targets'>): number {
  const target = workerTargetOf(job);
  if (!target) return QUEUED_FOR_MS + decidedAfterMs(job);
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
  ...NEVER_CLAIMED,
  orderingKey: job.orderingKey ?? undefined,
  concurrencyKey: concurrencyKeyOf(job),
  generation: job.generation,
  ...(status === 'queued' && waitingDetailOf(job)),
});

/** Due since the job was created, resumed or rescheduled, by its current schedule, within its `maxRuns`. */
const isStillPlanned = (job: Job, schedule: Schedule, dueAtMs: number): boolean =>
  dueAtMs > plannedSinceMs(job) && isPlannedAt(job, schedule, dueAtMs);
