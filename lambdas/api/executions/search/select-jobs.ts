import type { Job } from '../../../core/domain/job';
import type { JobFilter } from '../../../core/http/query-fields';
import type { IsSpent } from '../../http/cpu-budget';
import { invalidField } from '../../http/problem';
import { passesRow } from '../../jobs/job-filter';
import type { ApiDeps } from '../../request';

const MAX_JOBS = 500;
const JOBS_A_READ = 100;
/** About a page of a query. */
const JOBS_A_LONG_READ = 500;

/** The jobs of a project that pass a filter. `isAll`: the CPU budget was enough to read all of them. */
export interface SelectedJobs {
  jobs: Job[];
  isAll: boolean;
}

/** A filter of jobs, whatever their status. */
export type SelectFilter = Omit<JobFilter, 'status'>;

/** Whether every job passes. */
export const passesAll = ({ tag, q, contains, kind, pool, target }: SelectFilter): boolean =>
  tag.length === 0 && [q, contains, kind, pool, target].every((one) => one === undefined);

/** Throws `ProblemError` 400 if more than 500 jobs pass, unless any number may. */
export async function selectJobs(
  project: string,
  { filter, isBounded }: { filter: SelectFilter; isBounded: boolean },
  isSpent: IsSpent,
  deps: ApiDeps,
): Promise<SelectedJobs> {
  const jobs: Job[] = [];
  let after: string | undefined;
  do {
    const page = await deps.jobs.list(project, { after, limit: isBounded ? JOBS_A_READ : JOBS_A_LONG_READ });
    jobs.push(...page.jobs.filter((job) => passesRow(job, { ...filter, status: undefined })));
    if (isBounded && jobs.length > MAX_JOBS)
      throw invalidField(
        'query',
        `selects more than ${MAX_JOBS} jobs; allowed are ${MAX_JOBS}: narrow it with tag, q, contains, kind, pool or target`,
      );
    after = page.nextAfter;
  } while (after !== undefined && !isSpent());
  return { jobs, isAll: after === undefined };
}
