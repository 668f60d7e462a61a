import { compactInstant, execIdOfOccurrence, jobKeyOf } from '../../core/contracts/tables';
import { scheduleOf } from '../../core/domain/entry-planning';
import { type Execution, isPlanned } from '../../core/domain/execution';
import { type Job, plannedSinceMs } from '../../core/domain/job';
import { skippedRangeOf } from '../../core/domain/misfire';
import { pausedFromMs } from '../../core/domain/paused-range';
import { detailOfPause } from '../../core/ending/skip-detail';
import { nextPlanned, plannedBetween } from '../../core/domain/planned-times';
import type { Schedule } from '../../core/schedule/schedule';
import type { AnyExecution } from './execution-view';
import { endOfInstant } from '../jobs/derived-job-status';
import { derivedExecution, queuedForMs } from './planned-occurrence';
import type { ApiDeps } from '../request';

/**
 * Rows read, newest first, to know which occurrences have none. Occurrences before the oldest are not
 * derived.
 */
const ROWS_READ = 100;

/**
 * Executions that have no row, newest first:
 * - of an active job, the next occurrence as `scheduled`, and those due within the last hour as `queued`;
 * - of a worker job, those as far back as its work may wait;
 * - of a paused job, what it does not run, as the one `skipped` record that will be written when it is
 *   resumed.
 */
export async function derivedExecutions(job: Job, deps: ApiDeps): Promise<AnyExecution[]> {
  const nowMs = deps.clock.nowMs();
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
