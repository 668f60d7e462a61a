import { execIdOfOccurrence, jobKeyOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import { type Execution, NEVER_CLAIMED, type SkipDetail } from '../domain/execution';
import type { Reason } from '../domain/reason';
import type { JobOfSchedule } from '../domain/entry-planning';
import type { Job } from '../domain/job';
import { expiresAtSecAfter } from '../domain/timing';
import { recheckEntryNow } from '../queue/attempt-entries';
import { skippedRangeOver, uncoveredRanges } from '../history/coverage';
import { endUnstarted } from './end-execution';
import type { EndedBy } from '../domain/ended';

/**
 * How skipped occurrences are recorded. Neighbours that are skipped at once are one row, which a claim in the
 * middle does not see. Hence both sides write first and read afterwards (docs/adr/0007). The writer of a
 * range reads rows until there is no gap left. A late claim reads ranges, and its row stays inside one.
 */

/** A job as it planned what is skipped. */
type PlannedJob = JobOfSchedule & Pick<Job, 'generation' | 'awaitedAtMs'>;

/** One occurrence, and what its message named. */
export interface SkippedOccurrence {
  jobKey: string;
  dueAtMs: number;
  orderingKey?: string;
  concurrencyKey?: string;
  /** The job's revision by which its message was sent, if it was. */
  revision?: string;
  detail?: SkipDetail;
}

/**
 * Records all occurrences from `fromMs` through `toMs` as skipped, around those that have a record already.
 * @returns how many it recorded
 */
export async function recordSkippedRange(
  job: PlannedJob,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  skip: { reason: Reason; detail?: SkipDetail },
  deps: StageDeps,
): Promise<number> {
  const { generation, awaitedAtMs } = job;
  const awaited = awaitedAtMs === undefined ? {} : ({ awaited: true } as const);
  for (let count = 0; ;) {
    const gaps = await uncoveredRanges(job, { fromMs, toMs }, deps);
    if (gaps.length === 0) return count;
    for (const gap of gaps) {
      const skipped = skippedRow(jobKeyOf(job), gap, skip.reason, deps);
      const row = { ...skipped, generation, detail: skip.detail, ...awaited };
      // An entry of the first occurrence is rechecked anyway; behind a row of its own there may be none.
      if (skip.reason === 'misfire' && gap.fromMs !== fromMs)
        await deps.schedule.putEntries([await recheckEntryNow(row, deps)]);
      if (await endUnstarted(row, 'other', deps)) count += gap.count;
    }
  }
}

/**
 * Records one occurrence as skipped, unless it has a row of its own already.
 * @returns false if it has
 */
export async function recordSkippedOccurrence(
  { jobKey, dueAtMs, orderingKey, concurrencyKey, revision, detail }: SkippedOccurrence,
  reason: Reason,
  by: EndedBy,
  deps: StageDeps,
): Promise<boolean> {
  const one = { fromMs: dueAtMs, toMs: dueAtMs, count: 1 };
  const row = {
    ...skippedRow(jobKey, one, reason, deps),
    orderingKey,
    concurrencyKey,
    revision: revision || undefined,
    detail,
  };
  const recorded = await endUnstarted(row, by, deps);
  await keepRangeWhole({ jobKey, execId: execIdOfOccurrence(dueAtMs), dueAtMs }, deps);
  return recorded;
}

/**
 * Records an occurrence that a skipped range covers by a row of its own, for the same reason. A claim that is
 * still on its way finds that row; it would not see the range.
 * @returns false if it has a row of its own already
 */
export function recordInsideRange(
  { jobKey, reason, generation, detail }: Execution,
  { dueAtMs, orderingKey }: Pick<SkippedOccurrence, 'dueAtMs' | 'orderingKey'>,
  deps: StageDeps,
): Promise<boolean> {
  const one = { fromMs: dueAtMs, toMs: dueAtMs, count: 1 };
  const row = skippedRow(jobKey, one, reason, deps);
  return endUnstarted({ ...row, generation, detail, orderingKey, insideRange: true }, 'sweeper', deps);
}

/**
 * Call after a row was written for an occurrence that was not delivered. A concurrent skipped range may cover
 * it. The row then lies inside that range, which goes on after it.
 */
export async function keepRangeWhole(
  { jobKey, execId, dueAtMs }: Pick<Execution, 'jobKey' | 'execId' | 'dueAtMs'>,
  deps: StageDeps,
): Promise<void> {
  if (await skippedRangeOver({ jobKey, dueAtMs }, deps))
    await deps.executions.markInsideRange({ jobKey, execId });
}

/** A terminal row for occurrences that never ran, all for one reason. Its `execId` is that of the first. */
export function skippedRow(
  jobKey: string,
  skipped: { fromMs: number; toMs: number; count: number },
  reason: Reason | undefined,
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
    ...NEVER_CLAIMED,
    finishedAtMs: nowMs,
    skipped,
    expiresAtSec: expiresAtSecAfter(nowMs, deps.retentionDays),
  };
}
