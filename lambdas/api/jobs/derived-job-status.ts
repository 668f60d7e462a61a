import { DAY_MS } from '../../core/clock/clock';
import { compactInstant, jobKeyOf } from '../../core/contracts/tables';
import type { Execution } from '../../core/domain/execution';
import { isPausedAt, type Job, plansSinceMs } from '../../core/domain/job';
import { nextPlanned } from '../../core/domain/planned-times';
import { asPlannedAhead } from '../../core/domain/resumption';
import { isExternal } from '../../core/schedule/spec';
import type { Schedule } from '../../core/schedule/schedule';
import { CLOCK_SKEW_MS } from '../../core/domain/timing';
import { isTerminal } from '../../core/domain/transitions';
import type { JobWithSchedule } from './job-changes';
import type { ApiDeps } from '../request';

/** Sorts after every execId of its instant: those of manual runs have a suffix. */
export const endOfInstant = (ms: number): string => `${compactInstant(ms)}~`;

/** What follows from a job's definition and its newest execution. It is never stored. */
export interface DerivedStatus {
  /** A job with nothing left to run is completed, whether it is paused or not. */
  status: 'active' | 'paused' | 'completed';
  /** Undefined: nothing is planned, or a user has to resume the job first. */
  nextFireAtMs?: number;
  /** The newest row of this job that is due. Rows of an earlier job with the same id do not count. */
  last?: Execution;
  /** That row and those before it, newest first: as many as were asked for. */
  newest: readonly Execution[];
}

/**
 * `rows`: how many of the newest rows are read. 0 reads the newest row only if the status depends on it.
 */
export async function derivedJobStatus(
  { job, schedule }: JobWithSchedule,
  { nowMs, rows }: { nowMs: number; rows: number },
  deps: Pick<ApiDeps, 'executions' | 'retentionDays'>,
): Promise<DerivedStatus> {
  const nextMs = nextPlanned(job, schedule, nowMs);
  const mayBeCompleted = nextMs === undefined && !isExternal(job.schedule);
  const limit = mayBeCompleted ? Math.max(rows, 1) : rows;
  const newest = limit > 0 ? await newestExecutions(job, nowMs, limit, deps) : [];
  const [last] = newest;
  const completed = mayBeCompleted && hasEnded(job, schedule, last, nowMs - deps.retentionDays * DAY_MS);
  return {
    status: completed ? 'completed' : job.status,
    nextFireAtMs: job.status === 'active' ? nextMs : nextAfterPause(job, schedule, nowMs),
    last,
    newest,
  };
}

function nextAfterPause(job: Job, schedule: Schedule, nowMs: number): number | undefined {
  const ahead = asPlannedAhead(job);
  return ahead.status === 'active'
    ? nextPlanned(ahead, schedule, Math.max(nowMs, ahead.activeSinceMs))
    : undefined;
}

/**
 * The last execution has ended and nothing is planned after it, or all occurrences lie beyond retention. What
 * falls due in a pause is skipped, also before a resume records that.
 */
function hasEnded(
  job: Job,
  schedule: Schedule,
  last: Execution | undefined,
  retainedFromMs: number,
): boolean {
  if (last && !isTerminal(last.status)) return false;
  const coveredMs = last ? (last.skipped?.toMs ?? last.dueAtMs) : retainedFromMs;
  const openMs = nextPlanned(job, schedule, coveredMs);
  return openMs === undefined || (isPausedAt(job, openMs) && openMs > plansSinceMs(job));
}

async function newestExecutions(
  job: Job,
  nowMs: number,
  limit: number,
  { executions }: Pick<ApiDeps, 'executions'>,
): Promise<Execution[]> {
  const page = await executions.list(jobKeyOf(job), {
    order: 'desc',
    fromExecId: compactInstant(job.createdAtMs),
    toExecId: endOfInstant(nowMs + CLOCK_SKEW_MS),
    limit,
  });
  return page.executions;
}
