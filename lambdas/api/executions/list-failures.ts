import { DAY_MS } from '../../core/clock/clock';
import { ListFailuresQuery } from '../../core/http/queries';
import { failureSortOf } from '../../core/contracts/tables';
import { CLOCK_SKEW_MS } from '../../core/domain/timing';
import { executionView, isRetained } from './execution-view';
import { filteredPage, openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

const DEFAULT_WINDOW_MS = 7 * DAY_MS;

/** 200 with a page of the user's failed and skipped executions of all jobs, newest due time first. */
export async function listFailures(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ListFailuresQuery);
  const nowMs = deps.clock.nowMs();
  const toMs = query.to ?? nowMs + CLOCK_SKEW_MS;
  // Older rows have been removed.
  const fromMs = Math.max(query.from ?? toMs - DEFAULT_WINDOW_MS, nowMs - deps.retentionDays * DAY_MS);
  const page = await filteredPage({
    after: await openCursor(query.cursor, request, deps.secret),
    limit: query.limit,
    read: async (after, limit) => {
      if (fromMs >= toMs) return { rows: [] };
      const found = await deps.executions.listFailures(request.project, { fromMs, toMs, after, limit });
      return { rows: found.executions, nextAfter: found.nextAfter };
    },
    positionOf: failureSortOf,
    keep: (rows) =>
      rows.filter(
        (row) => isRetained(row, nowMs) && (query.status === undefined || row.status === query.status),
      ),
  });
  const show = { view: executionView, positionOf: failureSortOf };
  return { status: 200, body: await pageView(page, show, request, deps) };
}
