import { type Execution, isTerminal } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

/** What the ledger shows. */
export interface LedgerFilter {
  status?: Execution['status'] | undefined;
}

/** Rows of a ledger, newest first. */
export interface Ledger {
  items: Execution[];
  hasMore: boolean;
}

const PAGE = 60;

/** The newest `pages` pages of a job's executions. Only the first page is asked for again and again. */
export const useLedger = (jobId: string, { status }: LedgerFilter, pages: number): Polled<Ledger> =>
  usePolled({
    key: ['ledger', project.value, jobId, status, pages],
    keepPrevious: true,
    load: (signal) =>
      call(async (api) => {
        const items: Execution[] = [];
        const listing = api.executions.list(jobId, { status, limit: PAGE }, { signal });
        for await (const page of listing.pages()) {
          items.push(...page.items);
          if (items.length >= pages * PAGE) return { items, hasMore: page.nextCursor !== null };
        }
        return { items, hasMore: false };
      }),
    every: (ledger) => {
      if (pages > 1) return false;
      return ledger?.items.some(
        ({ status: one }) => one === 'running' || one === 'retrying' || one === 'queued',
      )
        ? 5_000
        : 30_000;
    },
  });

/** One execution, until it has ended. */
export const useExecution = (jobId: string, execId: string): Polled<Execution> =>
  usePolled({
    key: ['execution', project.value, jobId, execId],
    load: (signal) => call((api) => api.executions.get(jobId, execId, { signal })),
    every: (execution) => (execution && isTerminal(execution) ? false : 2_000),
  });
