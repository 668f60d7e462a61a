import { ListExecutionsQuery } from '../../core/contracts/http/queries';
import { compactInstant, jobKeyOf, type JobRef } from '../../core/contracts/tables';
import type { Execution } from '../../core/domain/execution';
import { openCursor } from '../cursor';
import { executionView } from '../execution-view';
import { endOfInstant } from '../outlook';
import { type Filtered, filteredPage, pageView } from '../pages';
import { notFound } from '../problem';
import { jobRefOf, readQuery } from '../read';
import { isRetained } from '../retention';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** A job's history, newest first unless asked otherwise; that of a deleted job too. */
export async function listExecutions(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = jobRefOf(request);
  const query = readQuery(request, ListExecutionsQuery);
  const after = await openCursor(query.cursor, request, deps.secret);
  const stored = await storedExecutions(jobKeyOf(ref), query, after, deps);
  if (stored.items.length === 0) await mustExist(ref, deps);
  return { status: 200, body: await pageView(stored, { view: executionView, positionOf }, request, deps) };
}

const storedExecutions = (
  jobKey: string,
  { from, to, order, status, limit }: ListExecutionsQuery,
  after: string | undefined,
  { executions, clock }: ApiDeps,
): Promise<Filtered<Execution>> => {
  const nowMs = clock.nowMs();
  return filteredPage<Execution>({
    after,
    limit,
    read: async (next, pageLimit) => {
      const page = await executions.list(jobKey, {
        order,
        after: next,
        fromExecId: from === undefined ? undefined : compactInstant(from),
        toExecId: to === undefined ? undefined : endOfInstant(to - 1),
        limit: pageLimit,
      });
      return { rows: page.executions, nextAfter: page.nextAfter };
    },
    positionOf,
    keep: (rows) =>
      rows.filter((row) => isRetained(row, nowMs) && (status === undefined || row.status === status)),
  });
};

const positionOf = ({ execId }: Execution): string => execId;

/** A job that is gone is still one while any of its history is there. Throws `Problem` 404. */
async function mustExist(ref: JobRef, { jobs, executions, clock }: ApiDeps): Promise<void> {
  if (await jobs.get(ref)) return;
  const [newest] = (await executions.list(jobKeyOf(ref), { order: 'desc', limit: 1 })).executions;
  if (!newest || !isRetained(newest, clock.nowMs())) throw notFound('job');
}
