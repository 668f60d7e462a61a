import type { Execution } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

/** How far back failures are shown, in milliseconds. */
export const SPANS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const;
export type Span = keyof typeof SPANS;
export const isSpan = (text: string | null): text is Span => text !== null && Object.hasOwn(SPANS, text);

export interface FailuresSoFar {
  items: Execution[];
  /** Older ones are left out. */
  hasMore: boolean;
  sinceMs: number;
}

/** More rows than these are not read. */
export const MOST_FAILURES = 1_000;

/** Failed and skipped executions of all jobs. Pages with the same span share one request. */
export const useFailures = (span: Span = '24h', everyMs = 60_000): Polled<FailuresSoFar> =>
  usePolled({
    key: ['failures', project.value, span],
    load: (signal) =>
      call(async (api) => {
        const sinceMs = Date.now() - SPANS[span];
        const from = new Date(sinceMs).toISOString();
        const items: Execution[] = [];
        for await (const page of api.failures({ from, limit: 100 }, { signal }).pages()) {
          items.push(...page.items);
          if (items.length >= MOST_FAILURES) return { items, hasMore: page.nextCursor !== null, sinceMs };
        }
        return { items, hasMore: false, sinceMs };
      }),
    every: () => everyMs,
  });

/** Failures that no user asked for: what the number beside the page counts. */
export const openFailures = ({ items }: FailuresSoFar): Execution[] =>
  items.filter(({ status }) => status === 'failed');
