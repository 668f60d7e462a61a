import {
  type ChangeRecord,
  type Explanation,
  type Job,
  type JobStats,
  type JobSummary,
  type JobSummaryFilter,
  type JobWithEtag,
  NotFoundError,
  type PingKey,
  type UpcomingTimes,
} from '../../client/browser';
import { call, project } from './client';
import { type JobsFilter, textQuery } from './jobs-filter';
import { type Polled, usePolled } from './polling';

/** A part of the list of jobs. */
export interface JobsSoFar {
  items: JobSummary[];
  /** There are more. */
  hasMore: boolean;
}

export const isMoving = (job: JobSummary): boolean =>
  ['running', 'retrying', 'queued'].includes(job.lastExecution?.status ?? '');

/** Summaries of the first `most` jobs, each with its 20 newest executions. */
export const useJobs = (most: number, enabled: boolean): Polled<JobsSoFar> =>
  usePolled({
    key: ['jobs', project.value, most],
    enabled,
    load: (signal) =>
      call((api) => firstSummaries(api.jobs.summaries(summariesQuery(NO_FILTER), { signal }), most)),
    every: (data) => (data?.items.some(isMoving) ? 30_000 : 60_000),
  });
const NO_FILTER: JobsFilter = { q: '', status: '', tags: [], lastStatus: '' };

/** The first paused jobs. */
export const usePausedJobs = (): Polled<JobSummary[]> =>
  usePolled({
    key: ['jobs', project.value, 'paused'],
    load: (signal) =>
      call(async (api) => {
        const page = await api.jobs.pageOfSummaries({ status: 'paused', limit: MOST_PAUSED }, { signal });
        return page.items;
      }),
    every: () => 120_000,
  });
const MOST_PAUSED = 100;

export type JobStatusFilter = 'active' | 'paused' | 'completed' | undefined;

/** The query of one page of summaries, each with its 20 newest executions. */
export const summariesQuery = ({ q, status, tags, lastStatus }: JobsFilter) => ({
  ...textQuery(q),
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

/** The first jobs with a text, of one page of the API; for the find. */
export const findJobs = (text: string, signal: AbortSignal): Promise<JobSummary[]> =>
  call(async (api) => {
    const page = await api.jobs.pageOfSummaries({ ...textQuery(text), limit: MOST_FOUND }, { signal });
    return page.items;
  });
const MOST_FOUND = 8;

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

/** The URLs of a monitor, for who may change jobs. */
export const usePingKey = (jobId: string, enabled: boolean): Polled<PingKey> =>
  usePolled({
    key: ['ping-key', project.value, jobId],
    enabled,
    load: (signal) => call((api) => api.jobs.ping(jobId, { signal })),
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
