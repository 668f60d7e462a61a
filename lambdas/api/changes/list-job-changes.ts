import { withWorkflows } from './with-workflows';
import { jobKeyOf, type JobRef } from '../../core/contracts/tables';
import { ListChangesQuery } from '../../core/http/queries';
import type { Job } from '../../core/domain/job';
import { filteredPage, openCursor, pageView } from '../http/paging';
import { readQuery, requestedJob } from '../http/parse-request';
import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { changeView } from './change-view';
import { changesOf, type JobChange } from './changes-of';
import { withPresent } from './find-change';

/** 200 with a page of the changes of all jobs that have had the id, newest first. */
export async function listJobChanges(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const query = readQuery(request, ListChangesQuery);
  const after = await openCursor(query.cursor, request, deps.secret);
  const job = await deps.jobs.get(ref);
  const page = await filteredPage<JobChange>({
    after,
    limit: query.limit,
    read: (from, limit) => readChanges(ref, job, { after: from, limit }, deps),
    positionOf,
    keep: (changes) => changes,
  });
  if (after === undefined && page.items.length === 0) throw notFound('job');
  const items = await withWorkflows(jobKeyOf(ref), page.items, deps);
  return {
    status: 200,
    body: await pageView({ ...page, items }, { view: changeView(request), positionOf }, request, deps),
  };
}

const positionOf = ({ position }: JobChange): string => position;

/**
 * At least `limit` changes after a position, if there are as many. Reads the state at the position again: it
 * tells whether the one below was deleted. Reads one state more, from which the last change began.
 */
async function readChanges(
  ref: JobRef,
  job: Job | undefined,
  { after, limit }: { after: string | undefined; limit: number },
  deps: ApiDeps,
): Promise<{ rows: JobChange[]; nextAfter?: string }> {
  const kept = await deps.changes.list(jobKeyOf(ref), {
    ...(after !== undefined && { before: `${after}#` }), // above the state of that position
    limit: limit + 2,
  });
  const changes = changesOf(withPresent(kept.states, job), job);
  if (kept.nextBefore !== undefined) changes.pop();
  const rows = changes.filter(({ position }) => after === undefined || position < after);
  const last = rows.at(-1);
  return { rows, ...(kept.nextBefore !== undefined && last && { nextAfter: positionOf(last) }) };
}
