import { compactInstant, execIdOfOccurrence, jobKeyOf } from '../core/contracts/tables';
import type { StageDeps } from '../core/deps';
import { decidedAfterMs, scheduleOf } from '../core/domain/entry-planning';
import type { Execution } from '../core/domain/execution';
import type { Job } from '../core/domain/job';
import { isPlannedAt } from '../core/domain/planned-times';
import { limitWithoutStops } from '../core/ending/end-not-started';
import { coveringRow } from '../core/history/coverage';
import { nthLastOccurrence } from '../core/schedule/nth-occurrence';
import { isEnd, type Seen, type Signal } from './decide-ping';

/** Executions that are read to decide: more do not overlap in any job that makes sense. */
const ROWS_READ = 20;
/** The end of a run with an id is searched for its start among so many. */
const ROWS_SEARCHED = 200;

interface Sought {
  signal: Signal;
  rid?: string | undefined;
}

/**
 * What is on record of a monitor. Mostly one read.
 *
 * @param sought a ping whose run is sought among older executions
 */
export async function readSeen(job: Job, nowMs: number, deps: StageDeps, sought?: Sought): Promise<Seen> {
  const jobKey = jobKeyOf(job);
  const rows = await newestRows(jobKey, sought, nowMs, deps);
  const dueAtMs = lastDue(job, nowMs);
  const hasOccurrences = dueAtMs !== undefined;
  if (dueAtMs === undefined) return { rows, hasOccurrences };
  const execId = execIdOfOccurrence(dueAtMs);
  const isRead = rows.length < ROWS_READ || rows.at(-1)!.execId <= execId;
  const row =
    rows.find((one) => one.execId === execId) ??
    (isRead ? undefined : await deps.executions.get({ jobKey, execId }));
  if (row) return { rows, hasOccurrences };
  const limitMs = await limitWithoutStops({ fromMs: dueAtMs, withinMs: decidedAfterMs(job) }, deps);
  const occurrence = { execId, dueAtMs };
  if (nowMs <= limitMs) return { rows, hasOccurrences, waiting: occurrence };
  // Times before a calendar's last change are for the sweeper, which knows how they were planned.
  const isMissed =
    dueAtMs > (job.replannedAtMs ?? 0) && (await coveringRow({ jobKey, dueAtMs }, deps)) === undefined;
  return { rows, hasOccurrences, ...(isMissed && { missed: occurrence }) };
}

/** Newest first. Further back than usual only for the end of a run whose start is not among them. */
async function newestRows(
  jobKey: string,
  sought: Sought | undefined,
  nowMs: number,
  { executions }: Pick<StageDeps, 'executions'>,
): Promise<Execution[]> {
  const toExecId = compactInstant(nowMs) + AFTER_ALL;
  const rows: Execution[] = [];
  let after: string | undefined;
  do {
    const page = await executions.list(jobKey, { order: 'desc', toExecId, after, limit: ROWS_READ });
    rows.push(...page.executions);
    after = page.nextAfter;
  } while (after !== undefined && rows.length < ROWS_SEARCHED && isSearched(sought, rows));
  return rows;
}

const isSearched = ({ signal, rid }: Partial<Sought> = {}, rows: readonly Execution[]): boolean =>
  signal !== undefined &&
  rid !== undefined &&
  isEnd(signal) &&
  !rows.some(({ claimId, ping }) => claimId === rid || ping?.rid === rid);

/** Sorts after the ids of all executions of an instant. */
const AFTER_ALL = '~';

/** The last due time since the job was resumed or rescheduled. */
function lastDue(job: Job, nowMs: number): number | undefined {
  const schedule = scheduleOf(job);
  const afterMs = Math.max(job.activeSinceMs, job.scheduleChangedAtMs);
  const dueAtMs = nthLastOccurrence(schedule, 1, { afterMs, untilMs: nowMs });
  return dueAtMs !== undefined && isPlannedAt(job, schedule, dueAtMs) ? dueAtMs : undefined;
}
