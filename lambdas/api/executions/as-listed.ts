import { scheduleOf } from '../../core/domain/entry-planning';
import type { Execution } from '../../core/domain/execution';
import { type Listed, mergeSkipped, positionOf } from './merge-skipped-ranges';
import { filteredPage } from '../http/paging';
import { requestedJob } from '../http/parse-request';
import type { ApiDeps, ApiRequest } from '../request';

/**
 * A row as the list shows it, which makes one record of neighbouring skipped ones, under the id of the first: so far as
 * the list would read.
 */
export async function asListed(row: Execution, request: ApiRequest, deps: ApiDeps): Promise<Execution> {
  const job = row.status === 'skipped' ? await deps.jobs.get(requestedJob(request)) : undefined;
  if (!job) return row;
  const schedule = scheduleOf(job);
  const { items } = await filteredPage<Listed>({
    limit: 1,
    read: async (after, limit) => {
      const page = await deps.executions.list(row.jobKey, {
        order: 'asc',
        after,
        fromExecId: row.execId,
        limit,
      });
      return { rows: page.executions, nextAfter: page.nextAfter };
    },
    positionOf,
    merge: (rows) => mergeSkipped(rows, schedule, 'asc'),
    keep: (rows) => rows,
  });
  const [first] = items;
  return first?.execId === row.execId ? first : row;
}
