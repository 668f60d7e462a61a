import { SECOND_MS } from '../../core/clock/clock';
import type { Job } from '../../core/domain/job';
import type { Filtered } from '../http/paging';
import type { ApiDeps } from '../request';

/** A page of hits is short: people type on, rather than read it. */
const MOST_HITS = 20;
const MOST_MS = 3 * SECOND_MS;
const JOBS_A_READ = 500;
/** Between four ranges of ids, of which each has about as many words. */
const BORDERS = ['d', 'k', 'r'];

interface Range {
  /** It was read through this id. */
  after: string | undefined;
  /** Its last id; undefined: the last of all. */
  through: string | undefined;
  hits: Job[];
  isOver: boolean;
}

interface Search {
  after: string | undefined;
  limit: number;
  isHit(job: Job): boolean;
}

/**
 * A page of the jobs of a project that are hits, by jobId. Four ranges of ids are read at once, until there
 * are 20 hits or 3 s have passed. So a page may be short or empty and still have a next one.
 */
export async function searchJobs(
  project: string,
  { after, limit, isHit }: Search,
  deps: Pick<ApiDeps, 'jobs' | 'clock'>,
): Promise<Filtered<Job>> {
  const endMs = deps.clock.nowMs() + MOST_MS;
  const most = Math.min(limit, MOST_HITS);
  const ranges = rangesAfter(after);
  for (;;) {
    const open = ranges.filter(({ isOver }) => !isOver);
    await Promise.all(
      open.map(async (range) => {
        const { after: from, through } = range;
        const page = await deps.jobs.list(project, { after: from, through, limit: JOBS_A_READ });
        range.hits.push(...page.jobs.filter(isHit));
        range.isOver = page.nextAfter === undefined;
        range.after = page.nextAfter;
      }),
    );
    const { items, readThrough } = inOrder(ranges);
    if (items.length > most) return { items: items.slice(0, most), nextAfter: items[most - 1]!.jobId };
    if (readThrough === undefined) return { items };
    if (deps.clock.nowMs() >= endMs) return { items, nextAfter: readThrough };
  }
}

function rangesAfter(after: string | undefined): Range[] {
  const begins = [after, ...BORDERS.filter((border) => after === undefined || border > after)];
  return begins.map((begin, index) => ({
    after: begin,
    through: begins[index + 1],
    hits: [],
    isOver: false,
  }));
}

/** The hits before the first gap. `readThrough`: the id where it begins; undefined: there is none. */
function inOrder(ranges: readonly Range[]): { items: Job[]; readThrough: string | undefined } {
  const open = ranges.findIndex(({ isOver }) => !isOver);
  const read = open < 0 ? ranges : ranges.slice(0, open + 1);
  return { items: read.flatMap(({ hits }) => hits), readThrough: ranges[open]?.after };
}
