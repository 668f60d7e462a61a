import { execIdOfOccurrence, jobKeyOf } from '../contracts/tables';
import { scheduleOf } from '../domain/entry-planning';
import type { Execution } from '../domain/execution';
import type { Job } from '../domain/job';
import { skippedRangeOf } from '../domain/misfire';
import { isTerminal } from '../domain/transitions';
import type { StageDeps } from '../deps';

const PAGE_LIMIT = 100;
const isPlanned = ({ trigger }: Execution): boolean => trigger !== 'manual';

/** The newest row of a planned occurrence, at or before `dueAtMs`, that `counts`: all do unless told otherwise. */
export async function newestRowThrough(
  jobKey: string,
  dueAtMs: number,
  { executions }: Pick<StageDeps, 'executions'>,
  counts: (row: Execution) => boolean = () => true,
): Promise<Execution | undefined> {
  let after: string | undefined;
  do {
    const page = await executions.list(jobKey, {
      order: 'desc',
      toExecId: execIdOfOccurrence(dueAtMs),
      after,
      limit: after === undefined ? 1 : PAGE_LIMIT, // manual runs in between are rare
    });
    const found = page.executions.find((row) => isPlanned(row) && counts(row));
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
  { executions }: Pick<StageDeps, 'executions'>,
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
    rows.push(...page.executions.filter(isPlanned));
    after = page.nextAfter;
  } while (after !== undefined);
  return rows;
}

/** The last occurrence that a row speaks of: its own, or the end of a stretch of skipped ones. */
export const coveredThroughMs = ({ dueAtMs, skipped }: Execution): number =>
  Math.max(dueAtMs, skipped?.toMs ?? 0);

/**
 * Whether the newest row at or before an occurrence stands for it: its own, or a stretch of skipped ones that began
 * earlier. A row ends the reach of those before it, so one row stands for each occurrence at most.
 */
export const covers = (newest: Execution | undefined, dueAtMs: number): boolean =>
  newest !== undefined && coveredThroughMs(newest) >= dueAtMs;

/**
 * Whether nothing is left to be run: the execution has ended, or a stretch of skipped ones stands for its occurrence,
 * which then has no row under its own id.
 */
export async function isFinished(
  { jobKey, execId, dueAtMs }: Pick<Execution, 'jobKey' | 'execId' | 'dueAtMs'>,
  deps: Pick<StageDeps, 'executions'>,
): Promise<boolean> {
  const own = await deps.executions.get({ jobKey, execId });
  if (own) return isTerminal(own.status);
  return covers(await newestRowThrough(jobKey, dueAtMs, deps), dueAtMs);
}

/** Ranges of occurrences that no row covers. A later row truncates an earlier range. `maxRuns` is not applied. */
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

/** The skipped range that began before this occurrence and covers it. One consistent read. */
export async function skippedRangeOver(
  { jobKey, dueAtMs }: { jobKey: string; dueAtMs: number },
  deps: Pick<StageDeps, 'executions'>,
): Promise<Execution | undefined> {
  const before = await newestRowThrough(jobKey, dueAtMs - 1, deps);
  return before && coveredThroughMs(before) >= dueAtMs ? before : undefined;
}
