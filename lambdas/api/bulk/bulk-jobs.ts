import { inParallel } from '../../core/async/in-parallel';
import type { Job } from '../../core/domain/job';
import type { BulkFilter } from '../../core/http/bulk';
import type { JobFilter } from '../../core/http/query-fields';
import { derivedJobStatus } from '../jobs/derived-job-status';
import { withSchedule } from '../jobs/job-changes';
import { passesRow } from '../jobs/job-filter';
import type { ApiDeps } from '../request';
import type { ItemSource } from './bulk-item';

const JOBS_A_READ = 100;
const PARALLEL_READS = 16;

/** What a bulk is about: fixed when it begins. */
export interface Selection {
  project: string;
  filter: BulkFilter;
  begunAtMs: number;
}

type JobTest = (job: Job) => Promise<boolean>;

/** The filter, as that of a list of jobs. A status of executions is none of jobs. */
export const jobFilterOf = ({ status, tag, q, kind, pool, target }: BulkFilter): JobFilter => ({
  status: status === 'failed' || status === 'skipped' ? undefined : status,
  tag,
  q,
  kind,
  pool,
  target,
});

/** Tests whether a job passes the filter, and existed when the bulk began. */
export function jobTest({ filter, begunAtMs }: Selection, deps: ApiDeps): JobTest {
  const ofJobs = jobFilterOf(filter);
  return async (job) => {
    if (job.createdAtMs > begunAtMs || !passesRow(job, ofJobs)) return false;
    if (ofJobs.status === undefined) return true;
    const derived = await derivedJobStatus(withSchedule(job), { nowMs: deps.clock.nowMs(), rows: 0 }, deps);
    return derived.status === ofJobs.status;
  };
}

/** The jobs that pass, by jobId. */
export function bulkJobs(selection: Selection, deps: ApiDeps, limit = JOBS_A_READ): ItemSource {
  const passes = jobTest(selection, deps);
  return async (after) => {
    const page = await deps.jobs.list(selection.project, { after, limit });
    const passing = new Set<string>();
    await inParallel(page.jobs, PARALLEL_READS, async (job) => {
      if (await passes(job)) passing.add(job.jobId);
    });
    return {
      items: page.jobs.filter(({ jobId }) => passing.has(jobId)).map((job) => ({ position: job.jobId, job })),
      nextAfter: page.nextAfter,
    };
  };
}
