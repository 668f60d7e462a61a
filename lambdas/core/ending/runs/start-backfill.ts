import { chunksOf } from '../../async/chunks';
import { inParallel } from '../../async/in-parallel';
import { SEGMENT_ITEMS } from '../../contracts/execution-keys';
import { jobKeyOf, parseCompactInstant } from '../../contracts/tables';
import type { StageDeps } from '../../deps';
import { type Execution, NEVER_CLAIMED } from '../../domain/execution';
import type { Job } from '../../domain/job';
import { expiresAtSecAfter, LONGEST_RUN_MS } from '../../domain/timing';
import { type Backfill, BACKFILL_TASK, itemOfDate } from '../../domain/workflow/backfill';
import type { Params } from '../../domain/workflow/params';
import { taskExecId } from '../../domain/workflow/task-id';
import { startRuns } from '../start-runs';

/** Segments that are written at the same time. */
const CONCURRENCY = 10;

/** A backfill of a job, as it was asked for. */
export interface AskedBackfill extends Pick<Execution, 'deliveryDepth' | 'trace' | 'userRequest'> {
  /** `execIdOfBackfill`: a repeat of the request has the same one. */
  execId: string;
  backfill: Backfill;
  /** In the order in which they begin, each once: `backfill.count` of them, at most `MAX_BACKFILL_DATES`. */
  dueTimesMs: readonly number[];
  /** The parameters that every child is given: its job has a workflow. They are checked. */
  params?: Params | undefined;
}

/**
 * Starts a backfill. Repeating it does no harm. Order of writes: its dates → its parameters → the entry of
 * its first attempt → its row → the message.
 *
 * @returns its row as it was written
 */
export async function startBackfill(
  { execId, backfill, dueTimesMs, params, deliveryDepth, trace, userRequest }: AskedBackfill,
  job: Job,
  deps: StageDeps,
): Promise<Execution> {
  const nowMs = deps.clock.nowMs();
  const askedAtMs = parseCompactInstant(execId);
  const jobKey = jobKeyOf(job);
  const expiresAtSec = expiresAtSecAfter(nowMs + LONGEST_RUN_MS, deps.retentionDays);
  const fanOut = { jobKey, execId: taskExecId({ run: execId, task: BACKFILL_TASK, round: 1 }) };
  const dates = dueTimesMs.map(itemOfDate);
  // No dates are a list too: without a row, they would look like dates that are gone.
  const segments = dates.length > 0 ? chunksOf(dates, SEGMENT_ITEMS) : [[]];
  await inParallel(segments.entries(), CONCURRENCY, ([segment, items]) =>
    deps.fanOuts.putItems(fanOut, segment, { count: dueTimesMs.length, items }, expiresAtSec),
  );
  if (params) await deps.runInputs.put({ jobKey, execId }, { params }, expiresAtSec);
  const run: Execution = {
    jobKey,
    execId,
    trigger: 'backfill',
    dueAtMs: askedAtMs,
    status: 'queued',
    ...NEVER_CLAIMED,
    startAtMs: askedAtMs,
    backfill,
    ...(params && { hasParams: true as const }),
    ...(deliveryDepth !== undefined && { deliveryDepth }),
    ...(trace && { trace }),
    ...(userRequest && { userRequest }),
  };
  await startRuns([{ run, job }], deps);
  return run;
}
