import { type Execution, isTerminal, type Quarterjack } from '../../client';
import type { Context } from '../context';
import { type JobFilterFlags, jobFilterOf } from '../job-filter-flags';

/** The most executions of one page, and of one look-up. */
const MAX_PAGE = 100;
const HOUR_MS = 3_600_000;

/**
 * Polls the executions of all jobs that pass a filter. Each poll returns the newest 100 that were due within
 * the last hour, and those of earlier polls that had not ended.
 */
export function recentOfJobs(
  client: Quarterjack,
  flags: JobFilterFlags,
  { io }: Pick<Context, 'io'>,
): () => Promise<Execution[]> {
  const filter = jobFilterOf(flags);
  let open: Execution[] = [];
  return async () => {
    const from = new Date(io.nowMs() - HOUR_MS).toISOString();
    const { items } = await client.executions.pageOfJobs({ ...filter, from, limit: MAX_PAGE });
    const keys = new Set(items.map(keyOf));
    const earlier = open.filter((one) => !keys.has(keyOf(one))).slice(0, MAX_PAGE);
    const found = earlier.length > 0 ? await client.executions.lookup(earlier) : [];
    const recent = [...items, ...found.filter((one) => one !== null)];
    open = recent.filter((one) => !isTerminal(one) && one.status !== 'scheduled');
    return recent;
  };
}

const keyOf = ({ jobId, execId }: Execution): string => `${jobId}/${execId}`;
