import { failureSortOf } from '../../core/contracts/tables';
import { scheduleOf } from '../../core/domain/entry-planning';
import type { Execution } from '../../core/domain/execution';
import type { Job } from '../../core/domain/job';
import type { Schedule } from '../../core/schedule/schedule';
import type { FailureRows } from '../../core/store/execution-store';
import type { Filtered } from '../http/paging';
import { mergeSkipped } from './merge-skipped-ranges';

/** Upper bound on the rows that one request reads, however few of them pass. */
const MAX_ROWS = 1_000;
const ROWS_A_READ = 100;

/** An item of the inbox. `through`: the position of the last row read before the next item. */
export type InboxItem = Execution & { through: string };

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
export async function inboxPage(query: InboxQuery): Promise<Filtered<InboxItem>> {
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
