import { compactInstant, execIdOfOccurrence, jobKeyOf } from '../core/contracts/tables';
import { scheduleOf } from '../core/dispatch/entries';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { stretch } from '../core/domain/misfire';
import type { AnyExecution } from './execution-view';
import { endOfInstant, nextPlanned } from './outlook';
import { derivedExecution, QUEUED_FOR_MS } from './planned-occurrence';
import type { ApiDeps } from './request';

/** Newest rows that are read to know which occurrences have none; older ones than these are not derived. */
const ROWS_LOOKED_AT = 100;

/**
 * Executions that exist without a row, newest first: the next occurrence as `scheduled`, those due within the last hour as
 * `queued`, and of a paused job what it does not run, as the one `skipped` record that will be written when it goes on.
 */
export async function derivedExecutions(job: Job, deps: ApiDeps): Promise<AnyExecution[]> {
  const nowMs = deps.clock.nowMs();
  const schedule = scheduleOf(job);
  const sinceMs = Math.max(job.activeSinceMs, job.scheduleChangedAtMs, job.pausedAtMs ?? 0);
  const rows = await newestRows(job, nowMs, deps);
  const knownFromMs = rows.length === ROWS_LOOKED_AT ? rows.at(-1)!.dueAtMs : 0;
  if (job.status === 'paused') return pausedStretch(job, Math.max(sinceMs, newestDueMs(rows)), nowMs);

  const nextMs = nextPlanned(job, schedule, nowMs);
  const derived = nextMs === undefined ? [] : [derivedExecution(job, nextMs, 'scheduled')];
  const fromMs = Math.max(sinceMs, nowMs - QUEUED_FOR_MS, knownFromMs);
  const queued: AnyExecution[] = [];
  for (let dueAtMs = nextPlanned(job, schedule, fromMs); dueAtMs !== undefined && dueAtMs <= nowMs;) {
    if (!isRecorded(rows, dueAtMs)) queued.push(derivedExecution(job, dueAtMs, 'queued'));
    dueAtMs = nextPlanned(job, schedule, dueAtMs);
  }
  return [...derived, ...queued.reverse()];
}

async function newestRows(job: Job, nowMs: number, { executions }: ApiDeps): Promise<Execution[]> {
  const page = await executions.list(jobKeyOf(job), {
    order: 'desc',
    fromExecId: compactInstant(job.createdAtMs),
    toExecId: endOfInstant(nowMs),
    limit: ROWS_LOOKED_AT,
  });
  return page.executions;
}

/** Whether a row speaks of an occurrence: its own, or a stretch of skipped ones that began before. */
export const isRecorded = (
  rows: readonly Pick<Execution, 'execId' | 'dueAtMs' | 'skipped'>[],
  dueAtMs: number,
): boolean =>
  rows.some(
    (row) =>
      row.execId === execIdOfOccurrence(dueAtMs) ||
      (row.dueAtMs < dueAtMs && (row.skipped?.toMs ?? 0) >= dueAtMs),
  );

const newestDueMs = (rows: readonly Execution[]): number =>
  rows.reduce(
    (newest, { trigger, dueAtMs }) => (trigger === 'manual' ? newest : Math.max(newest, dueAtMs)),
    0,
  );

function pausedStretch(job: Job, afterMs: number, nowMs: number): AnyExecution[] {
  const schedule = scheduleOf(job);
  const firstMs = schedule.next(afterMs);
  if (firstMs === undefined || firstMs > nowMs) return [];
  const skipped = stretch(schedule, firstMs, nowMs);
  return [{ ...derivedExecution(job, firstMs, 'skipped'), reason: 'paused', skipped }];
}
