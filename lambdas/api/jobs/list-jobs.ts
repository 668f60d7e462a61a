import { ListJobsQuery } from '../../core/http/queries';
import type { Job } from '../../core/domain/job';
import { openCursor } from '../http/cursor';
import { jobView } from './job-view';
import { type DerivedStatus, derivedJobStatus } from './derived-job-status';
import { filteredPage, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

interface ListedJob {
  job: Job;
  derived: DerivedStatus;
}

/** The user's jobs by jobId. */
export async function listJobs(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ListJobsQuery, ['tag']);
  const nowMs = deps.clock.nowMs();
  const page = await filteredPage<ListedJob>({
    after: await openCursor(query.cursor, request, deps.secret),
    limit: query.limit,
    read: async (after, limit) => {
      const { jobs, nextAfter } = await deps.jobs.list(request.userId, { after, limit });
      const wanted = jobs.filter((job) => mayPass(job, query));
      const rows = await Promise.all(
        wanted.map(async (job) => ({
          job,
          derived: await derivedJobStatus(job, { nowMs, withLast: false }, deps),
        })),
      );
      return { rows, nextAfter };
    },
    positionOf,
    keep: (rows) =>
      rows.filter(({ derived }) => query.status === undefined || derived.status === query.status),
  });
  const view = ({ job, derived }: ListedJob) => jobView(job, derived);
  return { status: 200, body: await pageView(page, { view, positionOf }, request, deps) };
}

const positionOf = ({ job }: ListedJob): string => job.jobId;

/** What the row alone decides. */
const mayPass = (job: Job, { q, tag, status }: ListJobsQuery): boolean =>
  (q === undefined || job.jobId.startsWith(q) || (job.name?.startsWith(q) ?? false)) &&
  tag.every(({ key, value }) => Object.hasOwn(job.tags, key) && job.tags[key] === value) &&
  (status === undefined || (status === 'paused') === (job.status === 'paused'));
