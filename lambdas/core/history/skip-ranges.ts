import { execIdOfOccurrence, jobKeyOf, jobRefOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { Execution, Reason, SkippedRange } from '../domain/execution';
import type { Job } from '../domain/job';
import { expiresAtSecAfter } from '../domain/timing';
import { coveredThroughMs, skippedRangeOver, uncoveredRanges } from './coverage';

/**
 * Records occurrences as skipped. Neighbours that are skipped at once are one row, which a claim in the
 * middle of the range does not see. Hence both sides write first and read afterwards (docs/adr/0007). The
 * writer of a range reads rows until there is no gap left; a late claim reads ranges.
 */
type Deps = Pick<StageDeps, 'jobs' | 'executions' | 'clock' | 'retentionDays'>;

/**
 * Records all occurrences from `fromMs` through `toMs` as skipped, except those that a row covers already.
 *
 * @returns how many it recorded
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

/** Records one occurrence as skipped, unless it has a row of its own. */
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
 * Call after an occurrence got a row of its own without being called. If a concurrent skipped range covered
 * it, that row cut the range in two: this records the tail again. Does nothing if the schedule has changed
 * since, because the tail can no longer be computed.
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

/** A finished row for occurrences that did not run, all for one reason. Its `execId` is that of the first. */
export function skippedRow(
  jobKey: string,
  skipped: SkippedRange,
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
