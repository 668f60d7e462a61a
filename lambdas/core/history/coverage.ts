import type { StageDeps } from '../deps';
import { execIdOfOccurrence, jobKeyOf } from '../contracts/tables';
import { type JobOfSchedule, scheduleOf } from '../domain/entry-planning';
import { type Execution, isPlanned, type SkippedRange } from '../domain/execution';
import { skippedRangeOf } from '../domain/misfire';
import { isTerminal } from '../domain/transitions';
import type { Schedule } from '../schedule/schedule';

/**
 * Which row covers an occurrence (docs/adr/0007): the newest row of a planned occurrence at or before it, if
 * that row extends to it. The row is the occurrence's own, or a skipped range that began earlier. A row ends
 * the coverage of all earlier rows, so at most one row covers an occurrence. Two kinds of rows do not: manual
 * runs cover nothing, and a row `insideRange` covers its own occurrence alone.
 */

const PAGE_LIMIT = 100;

type Occurrence = Pick<Execution, 'jobKey' | 'dueAtMs'>;
type Reads = Pick<StageDeps, 'executions'>;

/** The last due time to which a row extends: its own, or the end of its skipped range. */
export const coveredThroughMs = ({ dueAtMs, skipped }: Pick<Execution, 'dueAtMs' | 'skipped'>): number =>
  Math.max(dueAtMs, skipped?.toMs ?? 0);

/** Whether `newest`, the newest row at or before an occurrence, covers it. */
export const covers = (
  newest: Pick<Execution, 'dueAtMs' | 'skipped'> | undefined,
  dueAtMs: number,
): boolean => newest !== undefined && coveredThroughMs(newest) >= dueAtMs;

/** The row that covers the occurrence, if any. One consistent read, and more only past manual runs. */
export async function coveringRow(
  { jobKey, dueAtMs }: Occurrence,
  deps: Reads,
): Promise<Execution | undefined> {
  const newest = await newestRowThrough(jobKey, dueAtMs, deps);
  return covers(newest, dueAtMs) ? newest : undefined;
}

/**
 * The skipped range that began before the occurrence and extends to it, whether or not the occurrence has a
 * row of its own by now. Reads as `coveringRow` does.
 */
export async function skippedRangeOver(
  { jobKey, dueAtMs }: Occurrence,
  deps: Reads,
): Promise<Execution | undefined> {
  const before = await newestRowThrough(jobKey, dueAtMs - 1, deps);
  return covers(before, dueAtMs) ? before : undefined;
}

/**
 * Whether nothing of an execution is left to run. Either its row has ended, or it has none and a skipped
 * range covers its occurrence.
 */
export async function isFinished(
  { jobKey, execId, dueAtMs }: Pick<Execution, 'jobKey' | 'execId' | 'dueAtMs'>,
  deps: Reads,
): Promise<boolean> {
  const own = await deps.executions.get({ jobKey, execId });
  // Its own row may have come since, and does not count as a range.
  return own ? isTerminal(own.status) : (await skippedRangeOver({ jobKey, dueAtMs }, deps)) !== undefined;
}

/** The ranges of a job's occurrences, from `fromMs` through `toMs`, that no row covers. Ignores `maxRuns`. */
export async function uncoveredRanges(
  job: JobOfSchedule,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  deps: Reads,
): Promise<SkippedRange[]> {
  const schedule = scheduleOf(job);
  const jobKey = jobKeyOf(job);
  const before = await newestRowThrough(jobKey, fromMs - 1, deps);
  const rows = await rowsBetween(jobKey, fromMs, toMs, deps);
  return gapsBetween(before ? [before, ...rows] : rows, schedule, { fromMs, toMs });
}

/** The ranges of due times from `fromMs` through `toMs` that none of `rows` covers. `rows` ascend. */
export function gapsBetween(
  rows: readonly Pick<Execution, 'dueAtMs' | 'skipped' | 'insideRange'>[],
  schedule: Schedule,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): SkippedRange[] {
  const gaps: SkippedRange[] = [];
  let afterMs = fromMs - 1;
  for (const row of [...rows, undefined]) {
    const endMs = row ? row.dueAtMs - 1 : toMs;
    const firstMs = schedule.next(afterMs, endMs);
    if (firstMs !== undefined) gaps.push(skippedRangeOf(schedule, firstMs, endMs));
    if (row) afterMs = Math.max(row.insideRange ? afterMs : fromMs - 1, coveredThroughMs(row));
  }
  return gaps;
}

/**
 * The newest row of a planned occurrence at or before `dueAtMs`, among those that `counts` accepts. A row
 * inside a range that began before it does not count.
 */
export async function newestRowThrough(
  jobKey: string,
  dueAtMs: number,
  { executions }: Reads,
  counts: (row: Execution) => boolean = () => true,
): Promise<Execution | undefined> {
  let after: string | undefined;
  do {
    const page = await executions.list(jobKey, {
      order: 'desc',
      toExecId: execIdOfOccurrence(dueAtMs),
      after,
      limit: after === undefined ? 1 : PAGE_LIMIT, // other rows in between are rare
    });
    const found = page.executions.find(
      (row) => isPlanned(row.trigger) && (!row.insideRange || row.dueAtMs === dueAtMs) && counts(row),
    );
    if (found) return found;
    after = page.nextAfter;
  } while (after !== undefined);
  return undefined;
}

/** Rows of planned occurrences due from `fromMs` through `toMs`, ascending. */
export async function rowsBetween(
  jobKey: string,
  fromMs: number,
  toMs: number,
  { executions }: Reads,
): Promise<Execution[]> {
  const rows: Execution[] = [];
  let after: string | undefined;
  if (fromMs > toMs) return rows;
  do {
    const page = await executions.list(jobKey, {
      order: 'asc',
      fromExecId: execIdOfOccurrence(fromMs),
      toExecId: execIdOfOccurrence(toMs),
      after,
      limit: PAGE_LIMIT,
    });
    rows.push(...page.executions.filter(({ trigger }) => isPlanned(trigger)));
    after = page.nextAfter;
  } while (after !== undefined);
  return rows;
}
