import { execIdOfOccurrence } from '../contracts/tables';
import type { Execution } from '../domain/execution';
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
