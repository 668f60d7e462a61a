import { groupBy } from '../async/group-by';
import { inParallel } from '../async/in-parallel';
import { isHiddenJob, jobKeyOf, jobRefOf } from '../contracts/tables';
import type { StageDeps } from '../deps';
import type { EndedExecution } from '../domain/ended';
import type { Execution } from '../domain/execution';
import { endJobOf } from '../domain/hidden-job';
import type { Job } from '../domain/job';
import { fileRun, runIdOf } from './file-message';
import { executionMessage } from './message';
import { pauseAfterFailures } from './pause-after';
import { tellEnds } from './tell-ends';

/**
 * Does what follows from ends beside the gates: calls the targets of `onEnd`, pauses jobs that keep failing,
 * and tells notifications. Each is idempotent.
 *
 * @returns the ends for which one of these failed, with the reason: their rechecks are repeated
 */
export async function afterEnds<Ended extends SeenEnd>(
  ended: readonly Ended[],
  deps: StageDeps,
): Promise<Map<Ended, unknown>> {
  const watched = await watchEnds(ended, deps);
  return new Map([...watched, ...(await tellEnds(ended, deps))]);
}

/** Jobs that are read side by side. */
const CONCURRENCY = 10;

/** What a status read tells of an end. */
type SeenEnd = EndedExecution & Pick<Execution, 'watched'>;

type Watched = SeenEnd & { status: 'succeeded' | 'failed' };

const isWatched = (end: SeenEnd): end is Watched =>
  end.watched === true && (end.status === 'succeeded' || end.status === 'failed') && !isHiddenJob(end.jobKey);

/**
 * Does what jobs with `onEnd` or `pauseAfter` ask for. The ends of all other jobs cost nothing.
 *
 * @returns the ends for which it failed, with the reason
 */
async function watchEnds<Ended extends SeenEnd>(
  ended: readonly Ended[],
  deps: StageDeps,
): Promise<Map<Ended, unknown>> {
  const failed = new Map<Ended, unknown>();
  const watched = ended.filter((end): end is Ended & Watched => isWatched(end));
  const byJob = groupBy(watched, ({ jobKey }) => jobKey);
  await inParallel(byJob, CONCURRENCY, async ([jobKey, ends]) => {
    try {
      const job = await deps.jobs.get(jobRefOf(jobKey));
      if (!job) return;
      for (const end of ends) await callOnEnd(job, end, deps);
      await pauseAfterFailures(job, ends, deps);
    } catch (error) {
      for (const one of ends) failed.set(one, error);
    }
  });
  return failed;
}

/** Files the call of the target, under an id that follows from the end: it is called for once. */
async function callOnEnd(
  job: Job,
  { execId, fence, status, finishedAtMs }: Watched,
  deps: StageDeps,
): Promise<void> {
  const endJob = endJobOf(job, status);
  if (!endJob || finishedAtMs === undefined || finishedAtMs < job.createdAtMs) return;
  const jobKey = jobKeyOf(job);
  const runId = runIdOf(finishedAtMs, [jobKey, execId, String(fence), 'onEnd', status]);
  if (await deps.executions.get({ jobKey: jobKeyOf(endJob), execId: runId })) return;
  const execution = await deps.executions.get({ jobKey, execId });
  const tell = { kind: status, execId, fence, atMs: finishedAtMs, sinceMs: finishedAtMs, count: 1 };
  const context = { notification: '', project: job.userId, consoleUrl: deps.alerting.consoleUrl };
  const {
    kind,
    project,
    job: of,
    execution: shown,
    url,
  } = executionMessage(tell, execution, { jobKey, job }, context);
  const payload = { type: 'quarterjack.end', version: 1, kind, project, job: of, execution: shown, url };
  const deliveryDepth = execution?.deliveryDepth ?? job.deliveryDepth ?? 0;
  await fileRun(endJob, { execId: runId, atMs: finishedAtMs, payload, deliveryDepth }, deps);
}
