import { inParallel } from '../async/in-parallel';
import type { ExecutionMessage } from '../contracts/messages';
import { MAX_AFTER_DEPTH } from '../contracts/loop-guard';
import { Metric } from '../contracts/metrics';
import { jobKeyOf, parseCompactInstant } from '../contracts/tables';
import type { StageDeps } from '../deps';
import { type Cause, execIdOfCause } from '../domain/cause';
import type { Execution, Reason } from '../domain/execution';
import type { Job } from '../domain/job';
import { expiresAtSecAfter } from '../domain/timing';
import { waitingDetailOf } from '../domain/work';
import { attemptEntry, attemptMessage, sendAllIfDirect } from '../queue/attempt-entries';
import { startDeadline, withinDeadline } from '../store/write-deadline';

/** Runs that are written at the same time. */
const CONCURRENCY = 10;

/** A run that a cause starts, and its job. If the run is `skipped`, it is recorded and not started. */
export interface CausedRun {
  run: Execution;
  job: Job;
}

/**
 * A run of a job for a cause. It is skipped if the job is paused, or if too many causes led to it. A run of a
 * workflow is skipped too if the project has no room for it.
 */
export function causedRun(
  job: Job,
  cause: Cause,
  given: { atMs: number; dueAtMs: number; isFull?: boolean } & Pick<Execution, 'deliveryDepth' | 'payload'>,
  { clock, retentionDays }: Pick<StageDeps, 'clock' | 'retentionDays'>,
): CausedRun {
  const { atMs, dueAtMs, deliveryDepth, payload, isFull = false } = given;
  const jobKey = jobKeyOf(job);
  const run: Execution = {
    jobKey,
    execId: execIdOfCause(atMs, cause, jobKey),
    trigger: cause.type,
    cause,
    dueAtMs,
    status: 'queued',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    fence: 0,
    attempts: [],
    ...(deliveryDepth !== undefined && { deliveryDepth }),
    ...(payload !== undefined && { payload }),
  };
  const reason = whySkipped(job, deliveryDepth, isFull);
  if (reason === undefined)
    return { job, run: { ...run, startAtMs: dueAtMs, orderingKey: job.orderingKey ?? undefined } };
  const finishedAtMs = clock.nowMs();
  const expiresAtSec = expiresAtSecAfter(finishedAtMs, retentionDays);
  return { job, run: { ...run, status: 'skipped', reason, finishedAtMs, expiresAtSec } };
}

function whySkipped({ status, workflow }: Job, deliveryDepth = 0, isFull: boolean): Reason | undefined {
  if (status === 'paused') return 'paused';
  if (deliveryDepth > MAX_AFTER_DEPTH) return 'delivery-depth';
  return workflow && isFull ? 'live-runs' : undefined;
}

/**
 * Starts runs, each once: their ids follow from their causes. Order of writes for each: the entry of its
 * first attempt → its row → the message. A repeat starts what an earlier call has left undone.
 *
 * Throws if a store fails. A message that cannot be sent is left to the recheck of its entry.
 *
 * @returns how many runs this call has written: an earlier call may have written the others
 */
export async function startRuns(runs: readonly CausedRun[], deps: StageDeps): Promise<number> {
  const messages: ExecutionMessage[] = [];
  let written = 0;
  await inParallel(runs, CONCURRENCY, async (one) => {
    const { message, isNew = false } = await writeRun(one, deps);
    if (message) messages.push(message);
    if (isNew) written += 1;
  });
  try {
    await sendAllIfDirect(messages, deps);
  } catch (error) {
    deps.log.error('runs are left to their rechecks', error, { jobs: messages.map(({ jobKey }) => jobKey) });
  }
  return written;
}

/** @returns the message to send, unless there is nothing to start any more */
async function writeRun(
  { run, job }: CausedRun,
  deps: StageDeps,
): Promise<{ message?: ExecutionMessage; isNew?: boolean }> {
  const current = await deps.executions.get(run);
  if (current && !isUnclaimed(current)) return {};
  if (!current && run.status === 'skipped') {
    await recordSkipped(run, deps);
    return {};
  }
  const waiting = current ?? run;
  const deadline = startDeadline(deps.clock);
  const startAtMs = Math.max(waiting.startAtMs ?? waiting.dueAtMs, deadline.nowMs);
  const entry = await attemptEntry({ ...waiting, startAtMs }, deps);
  await deps.schedule.putEntries([entry], deadline.leftMs());
  const row = { ...run, ...waitingDetailOf(job) };
  const outcome =
    !current && (await withinDeadline(deadline, (options) => deps.executions.putQueued(row, options), deps));
  const message = attemptMessage(waiting, { attempt: 1, startAtMs }, job);
  return { message, isNew: outcome === 'written' };
}

/**
 * Its writer may have died before it sent the message, or may have written the row later than the recheck of
 * its entry. Then nothing else would start it.
 */
const isUnclaimed = ({ status, fence }: Execution): boolean => status === 'queued' && fence === 0;

/** Such a row has no follow-ups: it passed no gate, and its end starts nothing. */
async function recordSkipped(run: Execution, deps: StageDeps): Promise<void> {
  if ((await deps.ends.putEnded(run)) !== 'written') return;
  deps.publishEnd(run);
  deps.meter.count(Metric.skipped);
}

/** When a run was created, by its id. Its due time may move later. */
export const createdAtMsOf = ({ execId }: Pick<Execution, 'execId'>): number => parseCompactInstant(execId);
