import { ListJobsQuery } from '../../core/http/queries';
import type { Job } from '../../core/domain/job';
import { withSchedule } from './job-changes';
import { jobView } from './job-view';
import { type DerivedStatus, derivedJobStatus } from './derived-job-status';
import { filteredPage, openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

interface ListedJob {
  job: Job;
  status: DerivedStatus;
}

/** 200 with a page of the user's jobs, by jobId. */
export async function listJobs(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ListJobsQuery, ['tag']);
  const nowMs = deps.clock.nowMs();
  const page = await filteredPage<ListedJob>({
    after: await openCursor(query.cursor, request, deps.secret),
    limit: query.limit,
    read: async (after, limit) => {
      const { jobs, nextAfter } = await deps.jobs.list(request.project, { after, limit });
      const rows = await Promise.all(
        jobs
          .filter((job) => mayPass(job, query))
          .map(async (job) => ({
            job,
            status: await derivedJobStatus(withSchedule(job), { nowMs, withLast: false }, deps),
          })),
      );
      return { rows, nextAfter };
    },
    positionOf: jobIdOf,
    keep: (rows) => rows.filter(({ status }) => query.status === undefined || status.status === query.status),
  });
  const view = ({ job, status }: ListedJob) => jobView(job, status);
  return { status: 200, body: await pageView(page, { view, positionOf: jobIdOf }, request, deps) };
}

const jobIdOf = ({ job }: ListedJob): string => job.jobId;

/** The filters that need the row alone. */
const mayPass = (job: Job, { q, tag, status }: ListJobsQuery): boolean =>
  (q === undefined || job.jobId.startsWith(q) || (job.name?.startsWith(q) ?? false)) &&
  tag.every(({ key, value }) => Object.hasOwn(job.tags, key) && job.tags[key] === value) &&
  (status === undefined || (status === 'paused') === (job.status === 'paused'));
