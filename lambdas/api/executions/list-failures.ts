import { DEFAULT_FAILURES_LIMIT, ListFailuresQuery } from '../../core/http/failure-queries';
import { failureSortOf } from '../../core/contracts/tables';
import type { Execution } from '../../core/domain/execution';
import { executionView } from './execution-view';
import { failureWindow, jobReader, passesFailure } from './failure-filter';
import type { FailureRows } from '../../core/store/execution-store';
import { groupFailures } from './group-failures';
import { type InboxItem, inboxPage } from './inbox-page';
import { hasTags } from '../jobs/job-filter';
import { filteredPage, openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 200 with a page of the project's failed and skipped executions of all jobs, newest due time first. With
 * `view=inbox`, the page has what no user asked for, merged. With `group`, the body has counts instead.
 */
export async function listFailures(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ListFailuresQuery, ['tag']);
  const { limit = DEFAULT_FAILURES_LIMIT } = query;
  const nowMs = deps.clock.nowMs();
  const { fromMs, toMs } = failureWindow(query, nowMs, deps);
  const jobsOf = jobReader(deps);
  const read = async (after: string | undefined, size: number): Promise<FailureRows> =>
    fromMs >= toMs
      ? { executions: [] }
      : deps.executions.listFailures(request.project, { fromMs, toMs, after, limit: size });
  const keep = async (rows: readonly Execution[]) => {
    const passing = rows.filter((row) => passesFailure(row, query, nowMs));
    if (query.tag.length === 0) return passing;
    const jobs = await jobsOf(passing);
    return passing.filter(({ jobKey }) => {
      const job = jobs.get(jobKey);
      return job !== undefined && hasTags(job, query.tag);
    });
  };
  if (query.group) return { status: 200, body: await groupFailures({ read, keep }, deps) };

  const after = await openCursor(query.cursor, request, deps.secret);
  if (query.view) {
    const page = await inboxPage({ after, limit, read, keep, jobsOf });
    const show = { view: executionView, positionOf: ({ through }: InboxItem) => through };
    return { status: 200, body: await pageView(page, show, request, deps) };
  }
  const page = await filteredPage({
    after,
    limit,
    read: async (position, size) => {
      const { executions: rows, nextAfter } = await read(position, size);
      return { rows, nextAfter };
    },
    positionOf: failureSortOf,
    keep,
  });
  const show = { view: executionView, positionOf: failureSortOf };
  return { status: 200, body: await pageView(page, show, request, deps) };
}
