import { inParallel } from '../../core/async/in-parallel';
import { jobKeyOf } from '../../core/contracts/tables';
import { ListBackfillsQuery } from '../../core/http/backfill';
import type { BackfillView } from '../../core/http/backfill-answers';
import type { PlannedBackfill } from '../../core/store/backfill-store';
import { executionMapKey } from '../../core/store/execution-store';
import { findExecutions } from '../../core/store/read-whole';
import { isRetained } from '../executions/execution-view';
import { mustHaveExisted } from '../executions/list-executions';
import { openCursor, pageView } from '../http/paging';
import { readQuery, requestedJob } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { backfillView } from './backfill-view';

/** Backfills whose progress is read at the same time. */
const CONCURRENCY = 10;

/** 200 with the backfills of a job, newest first; also of a deleted job. A page may be short. */
export async function listBackfills(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const { cursor, limit } = readQuery(request, ListBackfillsQuery);
  const after = await openCursor(cursor, request, deps.secret);
  const { backfills, nextAfter } = await deps.backfills.list(jobKeyOf(ref), { after, limit });
  if (backfills.length === 0 && !(await deps.jobs.get(ref))) await mustHaveExisted(ref, deps);
  const views = await viewsOf(backfills, deps);
  const items = backfills.flatMap(({ execId }) => views.get(execId) ?? []);
  const page = { items, ...(nextAfter !== undefined && { nextAfter }) };
  const positionOf = ({ execId }: BackfillView) => execId;
  return { status: 200, body: await pageView(page, { view: (one) => one, positionOf }, request, deps) };
}

/** By execId. One whose run was not written, or has expired, is left out. */
async function viewsOf(
  backfills: readonly PlannedBackfill[],
  deps: ApiDeps,
): Promise<Map<string, BackfillView>> {
  const views = new Map<string, BackfillView>();
  if (backfills.length === 0) return views;
  const { executions } = await findExecutions(backfills, deps);
  const nowMs = deps.clock.nowMs();
  await inParallel(backfills, CONCURRENCY, async (planned) => {
    const run = executions.get(executionMapKey(planned));
    if (run?.backfill && isRetained(run, nowMs))
      views.set(planned.execId, await backfillView(run, planned, deps));
  });
  return views;
}
