import { inParallel } from '../async/in-parallel';
import type { ExecutionMessage } from '../contracts/messages';
import { MAX_AFTER_DEPTH } from '../contracts/loop-guard';
import { Metric } from '../contracts/metrics';
import { jobKeyOf, parseCompactInstant } from '../contracts/tables';
import type { StageDeps } from '../deps';
import { type Cause, execIdOfCause } from '../domain/cause';
import type { AttemptEntry } from '../domain/entry';
import { type Execution, NEVER_CLAIMED } from '../domain/execution';
import type { Reason } from '../domain/reason';
import type { RunLabels } from '../domain/run-labels';
import { isPausedAt, isWatched, type Job } from '../domain/job';
import { expiresAtSecAfter } from '../domain/timing';
import { waitingDetailOf } from '../domain/work';
import { attemptEntry, attemptMessage, recheckEntryNow, sendAllIfDirect } from '../queue/attempt-entries';
import { entryOfRepeat } from '../queue/repeated-start';
import type { Ending } from '../store/execution-store';
import { startDeadline, withinDeadline } from '../store/write-deadline';
import { endUnstartedWithoutFollowUps } from './end-without-follow-ups';

/** Runs that are written at the same time. */
const CONCURRENCY = 10;

/** A run that a cause starts, and its job. If the run has ended, it is recorded and not started. */
export interface CausedRun {
  run: Execution;
  job: Job;
}

/** A run whose row was read, if it has one. `entry`: the one that is to be filed again for it. */
export interface SeenRun extends CausedRun {
  row?: Execution;
  entry?: AttemptEntry;
}

/** What a cause gives a run. */
interface CauseGiven extends Pick<Execution, 'deliveryDepth' | 'trace' | 'payload'> {
  atMs: number;
  dueAtMs: number;
  isFull?: boolean;
  misfit?: string | undefined;
  labels?: RunLabels;
}

/**
 * A run of a job for a cause. It is skipped if the job is paused then, or if too many causes led to it. A run
 * of a workflow is skipped too if the project has no room for it. With a `misfit`, it has failed: the text
 * says why its payload does not fit.
 */
export function causedRun(
  job: Job,
  cause: Cause,
  given: CauseGiven,
  { clock, retentionDays }: Pick<StageDeps, 'clock' | 'retentionDays'>,
): CausedRun {
  const { atMs, dueAtMs, deliveryDepth, trace, payload, labels, isFull = false, misfit } = given;
  const jobKey = jobKeyOf(job);
  const run: Execution = {
    jobKey,
    execId: execIdOfCause(atMs, cause, jobKey),
    trigger: cause.type,
    cause,
    dueAtMs,
    status: 'queued',
    ...NEVER_CLAIMED,
    ...(deliveryDepth !== undefined && { deliveryDepth }),
    ...(trace && { trace }),
    ...(payload !== undefined && { payload }),
    ...labels,
  };
  const reason = isPausedAt(job, atMs) ? 'paused' : whySkipped(job, deliveryDepth, isFull);
  const finishedAtMs = clock.nowMs();
  const ended = { finishedAtMs, expiresAtSec: expiresAtSecAfter(finishedAtMs, retentionDays) };
  if (reason !== undefined) return { job, run: { ...run, status: 'skipped', reason, ...ended } };
  if (misfit !== undefined) return { job, run: { ...run, ...failedBy(misfit, job), ...ended } };
  const { createdAtMs: jobCreatedAtMs, orderingKey } = job;
  return { job, run: { ...run, startAtMs: dueAtMs, jobCreatedAtMs, orderingKey: orderingKey ?? undefined } };
}

/** Such a run has passed no gate, so it holds nothing. */
const failedBy = (misfit: string, job: Job): Omit<Ending, 'finishedAtMs' | 'expiresAtSec'> => ({
  status: 'failed',
  reason: 'bad-payload',
  result: { body: misfit },
  ...(job.awaitedAtMs !== undefined && { awaited: true }),
  ...(isWatched(job) && { watched: true }),
});

function whySkipped({ workflow }: Job, deliveryDepth = 0, isFull: boolean): Reason | undefined {
  if (deliveryDepth > MAX_AFTER_DEPTH) return 'delivery-depth';
  return workflow && isFull ? 'live-runs' : undefined;
}

/**
 * Starts runs, each once: their ids follow from their causes. Order of writes for each: the entry of its
 * first attempt → its row → the message. A repeat starts what an earlier call has left undone, and files
 * nothing for a run that is sure to be rechecked.
 *
 * Throws if a store fails. A message that cannot be sent is left to the recheck of its entry.
 *
 * @returns how many runs this call has written: an earlier call may have written the others
 */
export const startRuns = (runs: readonly CausedRun[], deps: StageDeps): Promise<number> =>
  startEach(runs, async (one) => writeRun(await seen(one, deps), deps), deps);

/** Starts runs, as `startRuns` does, whose rows were read before. */
export const startSeenRuns = (runs: readonly SeenRun[], deps: StageDeps): Promise<number> =>
  startEach(runs, (one) => writeRun(one, deps), deps);

async function startEach<Run extends CausedRun>(
  runs: readonly Run[],
  write: (run: Run) => ReturnType<typeof writeRun>,
  deps: StageDeps,
): Promise<number> {
  const messages: ExecutionMessage[] = [];
  let written = 0;
  await inParallel(runs, CONCURRENCY, async (one) => {
    const { message, isNew = false } = await write(one);
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
  { run, job, row: current, entry: again }: SeenRun,
  deps: StageDeps,
): Promise<{ message?: ExecutionMessage; isNew?: boolean }> {
  if (current) {
    if (!again) return {};
    await deps.schedule.putEntries([again]);
    return { message: attemptMessage(current, { attempt: 1, startAtMs: deps.clock.nowMs() }, job) };
  }
  if (run.status === 'skipped') {
    await recordSkipped(run, deps);
    return {};
  }
  if (run.status === 'failed') {
    await recordFailed(run, job, deps);
    return {};
  }
  const deadline = startDeadline(deps.clock);
  const startAtMs = Math.max(run.startAtMs ?? run.dueAtMs, deadline.nowMs);
  const entry = await attemptEntry({ ...run, startAtMs }, deps);
  await deps.schedule.putEntries([entry], deadline.leftMs());
  const row = { ...run, ...waitingDetailOf(job) };
  const outcome = await withinDeadline(deadline, (options) => deps.executions.putQueued(row, options), deps);
  const isNew = outcome === 'written';
  // Another call may have written it before an edit of the job: its row says under which ordering key.
  const written = isNew ? run : await deps.executions.get(run);
  return written ? { message: attemptMessage(written, { attempt: 1, startAtMs }, job), isNew } : {};
}

/**
 * The writer of a row may have died before it sent the message. Or it has written the row later than the
 * recheck of its entry: then nothing else would start it.
 */
const entryLeft = async (row: Execution, deps: StageDeps): Promise<AttemptEntry | undefined> =>
  row.status === 'queued' && row.fence === 0 ? entryOfRepeat(row, deps) : undefined;

/** Reads the rows of runs that an earlier call may have started. */
export async function seeRuns(runs: readonly CausedRun[], deps: StageDeps): Promise<SeenRun[]> {
  const all: SeenRun[] = [];
  await inParallel(runs.entries(), CONCURRENCY, async ([at, one]) => {
    all[at] = await seen(one, deps);
  });
  return all;
}

const seen = async (one: CausedRun, deps: StageDeps): Promise<SeenRun> =>
  seenAs(await deps.executions.get(one.run), one, deps);

/** A run whose row the caller has read. */
export async function seenAs(row: Execution | undefined, one: CausedRun, deps: StageDeps): Promise<SeenRun> {
  const entry = row && (await entryLeft(row, deps));
  return { ...one, ...(row && { row }), ...(entry && { entry }) };
}

/** What is still to be written of them: so many rows, and for so many others an entry again. */
export const leftOf = (runs: readonly SeenRun[]): { rows: number; entries: number } => ({
  rows: runs.filter(({ run, row }) => !row && run.status !== 'skipped').length,
  entries: runs.filter(({ entry }) => entry !== undefined).length,
});

/** Such a row has no follow-ups: it passed no gate, and its end starts nothing. */
async function recordSkipped(run: Execution, deps: StageDeps): Promise<void> {
  if (await endUnstartedWithoutFollowUps(run, 'other', deps)) deps.meter.count(Metric.skipped);
}

/** Order of writes: the entry by which an end is found whose writer has died → the row → what follows it. */
async function recordFailed(run: Execution, job: Job, deps: StageDeps): Promise<void> {
  await deps.schedule.putEntries([await recheckEntryNow(run, deps)]);
  if (!(await endUnstartedWithoutFollowUps(run, 'executor', deps))) return;
  deps.meter.count(Metric.failed, 1, job);
  await deps.followUps.afterOne(run, { job, by: 'other' }, deps);
}

/** When a run was created, by its id. Its due time may move later. */
export const createdAtMsOf = ({ execId }: Pick<Execution, 'execId'>): number => parseCompactInstant(execId);
