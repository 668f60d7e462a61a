import { execIdOfOccurrence, jobKeyOf, jobRefOf } from '../contracts/tables';
import type { Execution, Reason } from '../domain/execution';
import type { Job } from '../domain/job';
import { skippedRangeOf } from '../domain/misfire';
import { expiresAtSecAfter } from '../domain/timing';
import { newestRowThrough, coveredThroughMs, rowsBetween } from './coverage';
import type { StageDeps } from '../deps';
import { scheduleOf } from '../domain/entry-planning';

/**
 * How skipped occurrences get on record, whoever skips them. Neighbours that are skipped at once are one row, which a
 * claim of one in the middle would not see. Hence both sides write first and look afterwards (docs/adr/0007): who writes
 * a stretch looks for rows that came meanwhile, who claims late looks for a stretch.
 */
type Deps = Pick<StageDeps, 'jobs' | 'executions' | 'clock' | 'retentionDays'>;

/**
 * Puts all occurrences from `fromMs` through `toMs` on record as skipped, around those that have a record already.
 * @returns how many it put on record
 */
export async function recordSkippedRange(
  job: Job,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  reason: Reason,
  deps: Deps,
): Promise<number> {
  for (let count = 0; ;) {
    const gaps = await uncoveredRanges(job, { fromMs, toMs }, deps);
    if (gaps.length === 0) return count;
    for (const gap of gaps) {
      const outcome = await deps.executions.putSkipped(skippedRow(jobKeyOf(job), gap, reason, deps));
      if (outcome === 'written') count += gap.count;
    }
  }
}

/** Stretches of occurrences for which no row stands; a row ends the reach of those before it. `maxRuns` is not asked. */
export async function uncoveredRanges(
  job: Job,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  deps: Pick<StageDeps, 'executions'>,
): Promise<{ fromMs: number; toMs: number; count: number }[]> {
  const schedule = scheduleOf(job);
  const before = await newestRowThrough(jobKeyOf(job), fromMs - 1, deps);
  const rows = [...(before ? [before] : []), ...(await rowsBetween(jobKeyOf(job), fromMs, toMs, deps))];
  const gaps = [];
  let afterMs = fromMs - 1;
  for (const row of [...rows, undefined]) {
    const endMs = row ? row.dueAtMs - 1 : toMs;
    const firstMs = schedule.next(afterMs);
    if (firstMs !== undefined && firstMs <= endMs) gaps.push(skippedRangeOf(schedule, firstMs, endMs));
    if (row) afterMs = Math.max(fromMs - 1, coveredThroughMs(row));
  }
  return gaps;
}

/** Puts one occurrence on record as skipped, unless a row of its own is there already. */
export async function recordSkippedOccurrence(
  { jobKey, dueAtMs }: { jobKey: string; dueAtMs: number },
  reason: Reason,
  deps: Deps,
): Promise<void> {
  const one = { fromMs: dueAtMs, toMs: dueAtMs, count: 1 };
  await deps.executions.putSkipped(skippedRow(jobKey, one, reason, deps));
  await restoreRangeTail({ jobKey, dueAtMs }, deps);
}

/**
 * To be called after an occurrence got a row of its own without being called: where somebody put a stretch over it
 * meanwhile, the row has cut that in two, and the rest goes on record again. A schedule that is gone cannot say what
 * the rest is.
 */
export async function restoreRangeTail(
  { jobKey, dueAtMs }: { jobKey: string; dueAtMs: number },
  deps: Deps,
): Promise<void> {
  const over = await skippedRangeOver({ jobKey, dueAtMs }, deps);
  const job = over && (await deps.jobs.get(jobRefOf(jobKey)));
  if (!over?.reason || !job || job.scheduleChangedAtMs >= dueAtMs) return;
  await recordSkippedRange(job, { fromMs: dueAtMs + 1, toMs: coveredThroughMs(over) }, over.reason, deps);
}

/** The stretch of skipped ones that began before this occurrence and reaches it. One consistent read. */
export async function skippedRangeOver(
  { jobKey, dueAtMs }: { jobKey: string; dueAtMs: number },
  deps: Pick<StageDeps, 'executions'>,
): Promise<Execution | undefined> {
  const before = await newestRowThrough(jobKey, dueAtMs - 1, deps);
  return before && coveredThroughMs(before) >= dueAtMs ? before : undefined;
}

/** A finished row for occurrences that never ran, all for one reason: `execId` is that of the first. */
export function skippedRow(
  jobKey: string,
  skipped: { fromMs: number; toMs: number; count: number },
  reason: Reason,
  deps: Pick<StageDeps, 'clock' | 'retentionDays'>,
): Execution {
  const nowMs = deps.clock.nowMs();
  return {
    jobKey,
    execId: execIdOfOccurrence(skipped.fromMs),
    trigger: 'schedule',
    dueAtMs: skipped.fromMs,
    status: 'skipped',
    reason,
    attempt: 1,
    failures: 0,
    takeovers: 0,
    fence: 0,
    attempts: [],
    finishedAtMs: nowMs,
    skipped,
    expiresAtSec: expiresAtSecAfter(nowMs, deps.retentionDays),
  };
}
