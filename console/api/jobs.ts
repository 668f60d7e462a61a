import {
  type ChangeRecord,
  type Explanation,
  type Job,
  type JobStats,
  type JobSummary,
  type JobSummaryFilter,
  type JobWithEtag,
  NotFoundError,
  type UpcomingTimes,
} from '../../client/browser';
import { call, project } from './client';
import type { JobsFilter } from './jobs-filter';
import { type Polled, usePolled } from './polling';

/** A part of the list of jobs. */
export interface JobsSoFar {
  items: JobSummary[];
  /** There are more. */
  hasMore: boolean;
}

export const isMoving = (job: JobSummary): boolean =>
  ['running', 'retrying', 'queued'].includes(job.lastExecution?.status ?? '');

/** Summaries of the first `most` jobs; with `history`, each with its 20 newest executions. */
export const useJobs = (filter: JobsFilter, most: number, history: boolean): Polled<JobsSoFar> =>
  usePolled({
    key: ['jobs', project.value, filter, most, history],
    keepPrevious: true,
    load: (signal) =>
      call((api) =>
        firstSummaries(
          api.jobs.summaries(history ? summariesQuery(filter) : briefQuery(filter), { signal }),
          most,
        ),
      ),
    // Without executions, little changes.
    every: (data) => (!history ? 120_000 : data?.items.some(isMoving) ? 30_000 : 60_000),
  });

export type JobStatusFilter = 'active' | 'paused' | 'completed' | undefined;

/** The query of one page of summaries, each with its 20 newest executions. */
export const summariesQuery = ({ q, status, tags, lastStatus }: JobsFilter) => ({
  q: q || undefined,
  status: (status || undefined) as JobStatusFilter,
  tag: tags.length > 0 ? [...tags] : undefined,
  lastStatus: (lastStatus || undefined) as JobSummaryStatus,
  history: 20,
  limit: 50,
});
/** A list of jobs without their executions: more of them on a page. */
const briefQuery = (filter: JobsFilter) => ({ ...summariesQuery(filter), history: undefined, limit: 500 });
type JobSummaryStatus = JobSummaryFilter['lastStatus'];

async function firstSummaries(
  listing: { pages(): AsyncIterable<{ items: JobSummary[]; nextCursor: string | null }> },
  most: number,
): Promise<JobsSoFar> {
  const items: JobSummary[] = [];
  for await (const page of listing.pages()) {
    items.push(...page.items);
    if (items.length >= most && page.nextCursor !== null) return { items, hasMore: true };
  }
  return { items, hasMore: false };
}

/** All ids that match, for a choice of all. */
export const matchingIds = (filter: JobsFilter): Promise<string[]> =>
  call(async (api) => {
    const all = await api.jobs.summaries(briefQuery(filter)).toArray();
    return all.map(({ jobId }) => jobId);
  });

/** How many jobs there are whose id or name begins so; for the find. */
export const findJobs = (q: string, signal: AbortSignal): Promise<JobSummary[]> =>
  call((api) => api.jobs.summaries({ q, limit: 8 }, { signal }).toArray(8));

/** A job with its ETag; null if there is none, though its history may still be there. */
export const useJob = (jobId: string): Polled<JobWithEtag | null> =>
  usePolled({
    key: ['job', project.value, jobId],
    load: (signal) => call((api) => api.jobs.get(jobId, { signal })).catch(nullIfMissing),
    every: (job) => {
      const dueInMs = job?.nextFireAt ? Date.parse(job.nextFireAt) + 1_000 - Date.now() : Infinity;
      return Math.min(30_000, Math.max(2_000, dueInMs));
    },
  });

function nullIfMissing(thrown: unknown): null {
  if (thrown instanceof NotFoundError) return null;
  throw thrown;
}

export const useUpcoming = (job: Job, count: number): Polled<UpcomingTimes> =>
  usePolled({
    key: ['upcoming', project.value, job.jobId, job.generation, job.nextFireAt, count],
    load: (signal) => call((api) => api.jobs.upcoming(job.jobId, count, { signal })),
    every: () => false,
    keepPrevious: true,
  });

export const useStats = (jobId: string): Polled<JobStats> =>
  usePolled({
    key: ['stats', project.value, jobId],
    load: (signal) => call((api) => api.jobs.stats(jobId, 30, { signal })),
    every: () => 300_000,
  });

/** The newest changes of a job. */
export const useChanges = (jobId: string): Polled<ChangeRecord[]> =>
  usePolled({
    key: ['changes', project.value, jobId],
    load: (signal) => call((api) => api.changes.list(jobId, { limit: 50 }, { signal }).toArray(50)),
    every: () => 60_000,
  });

/** Why an occurrence ran or not. What has not happened yet is asked for again. */
export const useExplanation = (jobId: string, at: string): Polled<Explanation> =>
  usePolled({
    key: ['explanation', project.value, jobId, at],
    load: (signal) => call((api) => api.jobs.explain(jobId, at, { signal })),
    every: (data) => (data && ['waits', 'will-run', 'late'].includes(data.verdict) ? 10_000 : false),
  });
