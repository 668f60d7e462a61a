import { useEffect, useMemo } from 'preact/hooks';

import type { JobSummary } from '../../client/browser';
import { call, project } from './client';
import { isMoving, type JobsSoFar, summariesQuery } from './jobs';
import type { JobsFilter } from './jobs-filter';
import { type Polled, queries, usePolled } from './polling';
import { type ListedPage, readOn, type Span } from './read-on';

const EVERYTHING: Span = { from: 0, to: Infinity };

/**
 * The first `most` jobs or a few more, each with its 20 newest executions. A poll reads the rows in `view`
 * alone; a change that the reader makes reads all of them.
 */
export function useJobPages(filter: JobsFilter, most: number, view: () => Span): Polled<JobsSoFar> {
  const key = ['jobs', project.value, filter, 'pages'];
  const polled = usePolled<ListedPage<JobSummary>[]>({
    key,
    keepPrevious: true,
    load: (signal, soFar) => {
      const { data: known, isInvalidated } = queries.of(key);
      return readOn((known as ListedPage<JobSummary>[] | undefined) ?? [], {
        most,
        again: isInvalidated ? EVERYTHING : view(),
        onPage: (pages) => soFar([...pages]),
        read: (cursor) =>
          call((api) => api.jobs.pageOfSummaries({ ...summariesQuery(filter), cursor }, { signal })),
      });
    },
    every: (pages) => (pages?.some(({ items }) => items.some(isMoving)) ? 30_000 : 60_000),
  });
  const data = useMemo(() => polled.data && soFar(polled.data), [polled.data]);
  const isWhole = !polled.isPartial && !polled.isPrevious;
  const lacks = isWhole && data?.hasMore === true && data.items.length < most;
  useEffect(() => {
    if (lacks) polled.refetch();
  }, [lacks, most]);
  return { ...polled, data };
}

/** A row that has moved to another page is listed once. */
function soFar(pages: readonly ListedPage<JobSummary>[]): JobsSoFar {
  const rows = new Map(pages.flatMap(({ items }) => items.map((one) => [one.jobId, one] as const)));
  return { items: [...rows.values()], hasMore: pages.at(-1)?.next !== null };
}
