import { inParallel } from '../../core/async/in-parallel';
import { DAY_MS } from '../../core/clock/clock';
import { compactInstant, jobKeyOf } from '../../core/contracts/tables';
import type { Job } from '../../core/domain/job';
import { isTerminal } from '../../core/domain/transitions';
import { derivedExecutions } from '../executions/derived-executions';
import { endOfInstant } from '../jobs/derived-job-status';
import type { ApiDeps } from '../request';
import type { BulkItem, ItemSource } from './bulk-item';
import { bulkJobs, jobTest, type Selection } from './bulk-jobs';

const DEFAULT_WINDOW_MS = 7 * DAY_MS;
const JOBS_A_READ = 20;
const ROWS_A_READ = 500;

/** execIds, both inclusive. */
interface Range {
  from: string;
  to: string;
}

/**
 * The executions that wait or run, of all jobs that pass: by job, then by due time. A position is a jobId, or
 * `jobId/execId` inside a job. The next occurrence of a job is not due, and so not among them.
 */
export function bulkLive(selection: Selection, deps: ApiDeps): ItemSource {
  const { project, filter, begunAtMs } = selection;
  const jobsAfter = bulkJobs(selection, deps, JOBS_A_READ);
  const passes = jobTest(selection, deps);
  const beforeMs = Math.min(filter.to ?? begunAtMs + 1, begunAtMs + 1);
  const range: Range = {
    from: compactInstant(filter.from ?? begunAtMs - DEFAULT_WINDOW_MS),
    to: endOfInstant(beforeMs - 1),
  };
  return async (after) => {
    const [jobId, execId] = after?.split('/') ?? [];
    if (jobId !== undefined && execId !== undefined) {
      const job = await deps.jobs.get({ userId: project, jobId });
      if (!job || !(await passes(job))) return { items: [], nextAfter: jobId };
      const { items, readThrough } = await liveOf(job, execId, range, deps);
      return { items, nextAfter: readThrough ?? jobId };
    }
    const chunk = await jobsAfter(jobId);
    const found = new Map<string, LiveRead>();
    await inParallel(chunk.items, JOBS_A_READ, async ({ job }) => {
      found.set(job.jobId, await liveOf(job, undefined, range, deps));
    });
    const items: BulkItem[] = [];
    for (const { job } of chunk.items) {
      const live = found.get(job.jobId)!;
      items.push(...live.items);
      if (live.readThrough !== undefined) return { items, nextAfter: live.readThrough };
    }
    return { items, nextAfter: chunk.nextAfter };
  };
}

interface LiveRead {
  items: BulkItem[];
  /** Position of the last row that was read, if the job has more. */
  readThrough?: string;
}

/** Those of one job after `afterExecId`: its rows, and occurrences that are due and have none. */
async function liveOf(
  job: Job,
  afterExecId: string | undefined,
  { from, to }: Range,
  deps: ApiDeps,
): Promise<LiveRead> {
  if (from > to) return { items: [] };
  const page = await deps.executions.list(jobKeyOf(job), {
    order: 'asc',
    after: afterExecId,
    fromExecId: from,
    toExecId: to,
    limit: ROWS_A_READ,
  });
  const execIds = page.executions
    .filter(({ status, cancelRequested }) => !isTerminal(status) && !cancelRequested)
    .map(({ execId }) => execId);
  if (page.nextAfter === undefined && job.status === 'active')
    for (const { status, execId } of await derivedExecutions(job, deps))
      if (status === 'queued' && execId >= from && execId <= to && execId > (afterExecId ?? ''))
        execIds.push(execId);
  const positionOf = (execId: string) => `${job.jobId}/${execId}`;
  return {
    items: execIds.toSorted().map((execId) => ({ position: positionOf(execId), job, execId })),
    ...(page.nextAfter !== undefined && { readThrough: positionOf(page.nextAfter) }),
  };
}
