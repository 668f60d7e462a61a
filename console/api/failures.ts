import type { Execution, FailureGroups } from '../../client/browser';
import { call, project } from './client';
import { type FailuresFilter, failuresQuery, INBOX } from './failures-filter';
import { type Polled, usePolled } from './polling';

export interface FailuresSoFar {
  items: Execution[];
  /** Older ones are left out. */
  hasMore: boolean;
  sinceMs: number;
}

/** More rows than these are not read. */
export const MOST_FAILURES = 1_000;

/** Failed and skipped executions of all jobs, newest first. */
export const useFailures = (filter: FailuresFilter, everyMs: number): Polled<FailuresSoFar> =>
  usePolled({
    key: ['failures', project.value, filter],
    keepPrevious: true,
    load: (signal, soFar) =>
      call(async (api) => {
        const query = failuresQuery(filter);
        const sinceMs = Date.parse(query.from);
        const items: Execution[] = [];
        for await (const page of api.failures({ ...query, limit: 100 }, { signal }).pages()) {
          items.push(...page.items);
          const hasMore = page.nextCursor !== null;
          if (items.length >= MOST_FAILURES) return { items, hasMore, sinceMs };
          if (hasMore) soFar({ items: [...items], hasMore, sinceMs });
        }
        return { items, hasMore: false, sinceMs };
      }),
    every: () => everyMs,
  });

/** Failures counted by cause: one request, however many there are. Pages with one filter share it. */
export const useFailureGroups = (filter: FailuresFilter = INBOX, everyMs = 60_000): Polled<FailureGroups> =>
  usePolled({
    key: ['failures', project.value, filter, 'groups'],
    keepPrevious: true,
    load: (signal) => call((api) => api.failureGroups(failuresQuery(filter), { signal })),
    every: () => everyMs,
  });

/** The failures of the last week that hold an ordering key. */
export const useBlocking = (): Polled<Execution[]> =>
  usePolled({
    key: ['failures', project.value, 'blocking'],
    load: (signal) => call((api) => api.failures({ blocksKey: true, limit: 100 }, { signal }).toArray(100)),
    every: () => 60_000,
  });

/** The newest failures of one cause, for a group whose rows are not among the first 1,000. */
export const useFailuresOf = (
  filter: FailuresFilter,
  fingerprint: string,
  enabled: boolean,
): Polled<Execution[]> =>
  usePolled({
    key: ['failures', project.value, filter, 'of', fingerprint],
    enabled,
    load: (signal) =>
      call((api) =>
        api.failures({ ...failuresQuery(filter), fingerprint, limit: 100 }, { signal }).toArray(100),
      ),
    every: () => 60_000,
  });
