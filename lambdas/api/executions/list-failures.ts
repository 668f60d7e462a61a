import { DEFAULT_FAILURES_LIMIT, ListFailuresQuery } from '../../core/http/lookup-queries';
import { failureSortOf } from '../../core/contracts/tables';
import type { Execution } from '../../core/domain/execution';
import type { FailureRows } from '../../core/store/failures-page';
import { scheduleOf } from '../../core/domain/entry-planning';
import type { Job } from '../../core/domain/job';
import type { Schedule } from '../../core/schedule/schedule';
import { hasTags } from '../jobs/job-filter';
import { filteredPage, openCursor, pageView, type Filtered } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { executionViews } from './execution-view';
import { failureWindow, jobReader, passesFailure } from './failure-filter';
import { groupsOfFailures } from './group-failures';
import { mergeSkipped } from './merge-skipped-ranges';

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
  if (query.group)
    return { status: 200, body: await groupsOfFailures({ read, keep }, request.project, deps) };

  const after = await openCursor(query.cursor, request, deps.secret);
  if (query.view) {
    const page = await inboxPage({ after, limit, read, keep, jobsOf });
    const show = { view: await executionViews(deps), positionOf: ({ through }: InboxItem) => through };
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
  const show = { view: await executionViews(deps), positionOf: failureSortOf };
  return { status: 200, body: await pageView(page, show, request, deps) };
}

/** Upper bound on the rows that one request reads, however few of them pass. */
const MAX_ROWS = 1_000;
const ROWS_A_READ = 100;

/** An item of the inbox. `through`: the position of the last row read before the next item. */
type InboxItem = Execution & { through: string };

interface InboxQuery {
  after?: string;
  limit: number;
  read(after: string | undefined, limit: number): Promise<FailureRows>;
  keep(rows: readonly Execution[]): Promise<readonly Execution[]>;
  jobsOf(rows: readonly Execution[]): Promise<ReadonlyMap<string, Job>>;
}

/**
 * A page of the inbox, newest first. Neighbouring skips of one job are one item, also if rows of other jobs
 * lie between them. The page ends where a further item would begin, so no row is on two pages.
 */
async function inboxPage(query: InboxQuery): Promise<Filtered<InboxItem>> {
  const inbox = mergingList(query.limit);
  let { after } = query;
  for (let rows = 0; rows < MAX_ROWS; rows += ROWS_A_READ) {
    const page = await query.read(after, ROWS_A_READ);
    const kept = new Set(await query.keep(page.executions));
    const jobs = await query.jobsOf([...kept].filter(({ status }) => status === 'skipped'));
    for (const row of page.executions) {
      if (kept.has(row) && !inbox.add(row, jobs.get(row.jobKey)))
        return { items: inbox.items, nextAfter: after };
      after = failureSortOf(row);
      inbox.readThrough(after);
    }
    if (page.nextAfter === undefined) return { items: inbox.items };
    after = page.nextAfter;
  }
  return { items: inbox.items, nextAfter: after };
}

/** Collects rows, newest first. `add` is false if the row would be one item more than `limit`. */
function mergingList(limit: number) {
  const items: InboxItem[] = [];
  const lastOf = new Map<string, number>();
  const schedules = new Map<string, Schedule>();
  const scheduleFor = (job: Job | undefined, jobKey: string): Schedule | undefined => {
    if (job && !schedules.has(jobKey)) schedules.set(jobKey, scheduleOf(job));
    return schedules.get(jobKey);
  };
  return {
    items,
    add(row: Execution, job: Job | undefined): boolean {
      const at = lastOf.get(row.jobKey);
      const schedule = row.status === 'skipped' ? scheduleFor(job, row.jobKey) : undefined;
      const newer = at === undefined ? undefined : items[at];
      const merged = newer && schedule ? mergeSkipped([newer, row], schedule, 'desc') : [newer, row];
      const isJoined = merged.length === 1;
      if (isJoined && newer) {
        items[at!] = { ...merged[0]!, through: newer.through };
        return true;
      }
      if (items.length === limit) return false;
      lastOf.set(row.jobKey, items.length);
      items.push({ ...merged.at(-1)!, through: failureSortOf(row) });
      return true;
    },
    readThrough(position: string): void {
      const last = items.at(-1);
      if (last) last.through = position;
    },
  };
}
