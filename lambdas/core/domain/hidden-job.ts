import { END_JOBS, jobKeyOf, jobRefOf } from '../contracts/tables';
import type { Job } from './job';
import { FIRST_CHANGE } from './job-revision';

type Given = Pick<
  Job,
  'userId' | 'jobId' | 'target' | 'pool' | 'etag' | 'createdAtMs' | 'updatedAtMs' | 'by'
>;

/** A job that Quarterjack makes for itself. It never fires by itself: others run it. */
export const hiddenJob = ({
  userId,
  jobId,
  target,
  pool,
  etag,
  createdAtMs,
  updatedAtMs,
  by,
}: Given): Job => ({
  userId,
  jobId,
  schedule: { type: 'none' },
  target,
  priority: 'high',
  pool,
  retry: { maxAttempts: 8, initialDelay: '10s', maxDelay: '15m', multiplier: 3, maxAge: '24h' },
  misfire: { policy: 'fire-now', grace: '60s', catchUpWindow: '1h' },
  overlap: 'allow',
  orderingKey: null,
  onFailure: 'continue',
  timeout: '1m',
  tags: {},
  status: 'active',
  generation: 1,
  changeNumber: FIRST_CHANGE,
  revision: etag,
  etag,
  createdAtMs,
  updatedAtMs,
  scheduleChangedAtMs: createdAtMs,
  activeSinceMs: createdAtMs,
  ...(by && { by }),
});

/** How an execution ends that `onEnd` may follow. */
export type WatchedEnd = keyof typeof END_JOBS;

/** The hidden job that calls the target of a job's `onEnd`; undefined if the job has none for this end. */
export function endJobOf(job: Job, end: WatchedEnd): Job | undefined {
  const target = job.onEnd?.[end];
  return target && hiddenJob({ ...job, jobId: END_JOBS[end] + job.jobId, target });
}

/** The job that a hidden job of an end belongs to, and that end; undefined for all other jobs. */
export function ofEndJob(jobKey: string): { jobKey: string; end: WatchedEnd } | undefined {
  const { userId, jobId } = jobRefOf(jobKey);
  for (const end of ['succeeded', 'failed'] as const) {
    const prefix = END_JOBS[end];
    if (jobId.startsWith(prefix))
      return { jobKey: jobKeyOf({ userId, jobId: jobId.slice(prefix.length) }), end };
  }
  return undefined;
}
