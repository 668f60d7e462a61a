import { inParallel } from '../async/in-parallel';
import { jobKeyOf, jobRefOf, minuteOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import { type AfterCause, waitsFor } from '../domain/cause';
import type { EndedRow } from '../domain/ended';
import type { Execution } from '../domain/execution';
import { followUps } from '../domain/follow-ups';
import type { Job } from '../domain/job';
import { isTerminal } from '../domain/transitions';
import { NO_RATES } from '../quotas/rates';
import type { ExecutionRef } from '../store/execution-store';
import { findJobs } from '../store/read-whole';
import { causedRun, startRuns } from './start-runs';

/** Ends whose waiters are started at the same time. */
const CONCURRENCY = 5;
/** Rows of waiters that are read at once. */
const PAGE = 100;

/**
 * Starts the jobs that wait for these ends, each once for each end. Repeating it does no harm. Does nothing
 * for ends without the follow-up `start-waiters`.
 *
 * @returns the executions whose waiters could not be started, with the reason
 */
export async function startWaiters(
  ended: readonly EndedRow[],
  deps: StageDeps,
): Promise<Map<EndedRow, unknown>> {
  const failed = new Map<EndedRow, unknown>();
  const awaited = ended.filter((one) => followUps(one).includes('start-waiters'));
  await inParallel(awaited, CONCURRENCY, async (one) => {
    try {
      await startWaitersOf(one, deps);
    } catch (error) {
      failed.set(one, error);
    }
  });
  return failed;
}

/** Throws if a store does not respond. */
export async function startWaitersOf(ref: ExecutionRef, deps: StageDeps): Promise<void> {
  const upstream = await deps.executions.get(ref);
  const cause = upstream && causeOf(upstream);
  if (!cause) return;
  const jobs = await waitersOf(upstream.jobKey, deps);
  const own = jobs.get(upstream.jobKey);
  const deliveryDepth = (upstream.deliveryDepth ?? own?.deliveryDepth ?? 0) + 1;
  const atMs = upstream.finishedAtMs!; // every terminal row has it
  const waiting = [...jobs.values()].filter(({ schedule }) => waitsFor(schedule, cause));
  const hasRoomFor = await roomFor(upstream.jobKey, waiting, deps);
  const given = { atMs, dueAtMs: atMs, deliveryDepth };
  const runs = waiting.map((job) => causedRun(job, cause, { ...given, isFull: !hasRoomFor(job) }, deps));
  const started = await startRuns(runs, deps);
  if (started > 0) await countRuns(upstream.jobKey, started, deps);
}

/** Which of these jobs have room for a run: of those with workflows, as many as the quota of runs allows. */
async function roomFor(
  jobKey: string,
  jobs: readonly Job[],
  { liveRuns }: StageDeps,
): Promise<(job: Job) => boolean> {
  const withWorkflow = jobs.filter(({ workflow }) => workflow !== undefined);
  const room = withWorkflow.length > 0 ? await liveRuns.room(jobRefOf(jobKey).userId) : 0;
  const without = new Set(withWorkflow.slice(room));
  return (job) => !without.has(job);
}

/**
 * Counts runs towards the project's quota of the minute: what is left of it for events and requests. Ends
 * start their waiters also above the quota, because nothing could send them again later.
 */
async function countRuns(jobKey: string, runs: number, { usage, clock }: StageDeps): Promise<void> {
  await usage.addRates(jobRefOf(jobKey).userId, minuteOf(clock.nowMs()), { ...NO_RATES, runs });
}

/** The end that waiters wait for. Undefined: it has none. What never ran, or was skipped, starts nothing. */
function causeOf(upstream: Execution): AfterCause | undefined {
  const { status, awaited, execId, userRetries, fence } = upstream;
  if (!awaited || !isTerminal(status) || status === 'skipped' || fence === 0) return undefined;
  const { jobId } = jobRefOf(upstream.jobKey);
  return { type: 'after', jobId, execId, status, ...(userRetries !== undefined && { userRetries }) };
}

/** The jobs that may wait for a job, and the job itself, by their full ids. */
async function waitersOf(jobKey: string, deps: StageDeps): Promise<ReadonlyMap<string, Job>> {
  const { userId, jobId } = jobRefOf(jobKey);
  const jobKeys = [jobKey];
  for (let after: string | undefined; ;) {
    const uses = await deps.uses.list(userId, 'job', jobId, { after, limit: PAGE });
    jobKeys.push(...uses.map(jobKeyOf));
    if (uses.length < PAGE) break;
    after = uses.at(-1)!.jobId;
  }
  return (await findJobs(jobKeys, deps)).jobs;
}
