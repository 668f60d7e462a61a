import type { Execution, FailureGroups } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

/** How far back failures are shown, in milliseconds. */
export const SPANS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const;
export type Span = keyof typeof SPANS;
export const isSpan = (text: string | null): text is Span => text !== null && Object.hasOwn(SPANS, text);

/** Which failures. */
export interface FailuresFilter {
  /** Back from now, or between two instants as RFC 3339. */
  span: Span | { from: string; to: string };
  tags: readonly string[];
  /** `inbox`: what no user asked for. `all`: also what was skipped because a user paused or deleted a job. */
  view: 'inbox' | 'all';
}

/** What no user asked for, of the last day. */
export const INBOX: FailuresFilter = { span: '24h', tags: [], view: 'inbox' };

export interface FailuresSoFar {
  items: Execution[];
  /** Older ones are left out. */
  hasMore: boolean;
  sinceMs: number;
}

/** More rows than these are not read. */
export const MOST_FAILURES = 1_000;

/** The filter as the API takes it. It ends now unless the span says otherwise. */
export function failuresQuery({ span, tags, view }: FailuresFilter) {
  const range =
    typeof span === 'string' ? { from: new Date(Date.now() - SPANS[span]).toISOString() } : { ...span };
  return {
    ...range,
    ...(tags.length > 0 && { tag: [...tags] }),
    ...(view === 'inbox' && { view: 'inbox' as const }),
  };
}

/** Failed and skipped executions of all jobs. Pages with the same filter share one request. */
export const useFailures = (filter: FailuresFilter = INBOX, everyMs = 60_000): Polled<FailuresSoFar> =>
  usePolled({
    key: ['failures', project.value, filter],
    keepPrevious: true,
    load: (signal) =>
      call(async (api) => {
        const query = failuresQuery(filter);
        const sinceMs = Date.parse(query.from);
        const items: Execution[] = [];
        for await (const page of api.failures({ ...query, limit: 100 }, { signal }).pages()) {
          items.push(...page.items);
          if (items.length >= MOST_FAILURES) return { items, hasMore: page.nextCursor !== null, sinceMs };
        }
        return { items, hasMore: false, sinceMs };
      }),
    every: () => everyMs,
  });

/** The same, counted by cause: also those beyond the first 1,000. */
export const useFailureGroups = (filter: FailuresFilter, everyMs: number): Polled<FailureGroups> =>
  usePolled({
    key: ['failures', project.value, filter, 'groups'],
    keepPrevious: true,
    load: (signal) => call((api) => api.failureGroups(failuresQuery(filter), { signal })),
    every: () => everyMs,
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
