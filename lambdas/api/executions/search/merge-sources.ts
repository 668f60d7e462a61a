import { inParallel } from '../../../core/async/in-parallel';
import { failureSortOf } from '../../../core/contracts/tables';
import type { IsSpent } from '../../http/cpu-budget';
import type { Filtered } from '../../http/paging';
import type { ApiDeps } from '../../request';
import type { AnyExecution } from '../execution-view';
import type { JobSource } from './job-source';

const PARALLEL_READS = 32;
/** Rows that one page reads beyond the first two of each job. */
const MAX_ROWS = 5_000;

/** A page, or undefined: the CPU budget was used up before each job was read once. */
export async function mergeSources(
  sources: readonly JobSource[],
  { limit, keep, isSpent }: { limit: number; keep: (one: AnyExecution) => boolean; isSpent: IsSpent },
  deps: ApiDeps,
): Promise<Filtered<AnyExecution> | undefined> {
  let isCut = false;
  await inParallel(sources, PARALLEL_READS, async (source) => {
    if (isSpent()) isCut = true;
    else await source.read(deps);
  });
  if (isCut || sources.some((source) => source.mustRead || source.isCut)) return undefined;
  const firstRows = sources.reduce((sum, { rows }) => sum + rows, 0);
  const items: AnyExecution[] = [];
  let last: AnyExecution | undefined;
  for (;;) {
    const source = newestOf(sources);
    if (!source) return { items };
    const head = source.head!;
    const rows = sources.reduce((sum, one) => sum + one.rows, 0);
    const isLimit = items.length === limit || rows - firstRows > MAX_ROWS || isSpent();
    if (last && isLimit) return { items, nextAfter: failureSortOf(last) };
    if (keep(head)) items.push(head);
    last = head;
    source.take();
    // Without its next head, the order of the rest is not known.
    while (source.mustRead) {
      if (isSpent() && source.rows > 0) return { items, nextAfter: failureSortOf(last) };
      await source.read(deps);
      if (source.isCut) return { items, nextAfter: failureSortOf(last) };
    }
  }
}

/** The source whose head sorts last: by due time, then by job. */
function newestOf(sources: readonly JobSource[]): JobSource | undefined {
  let newest: JobSource | undefined;
  let position = '';
  for (const source of sources) {
    const own = source.head && failureSortOf(source.head);
    if (own === undefined || own <= position) continue;
    [newest, position] = [source, own];
  }
  return newest;
}
