import { type Execution, type ExecutionsOfJobs, isTerminal, ValidationError } from '../../client/browser';
import { call, project } from './client';
import { untilDueMs } from './pace';
import { type Polled, queries, usePolled } from './polling';

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
        : untilDueMs(ledger?.items.findLast(({ status: one }) => one === 'scheduled')?.dueAt, Date.now());
    },
  });

/** One execution, until it has ended. */
export const useExecution = (jobId: string, execId: string): Polled<Execution> =>
  usePolled({
    key: ['execution', project.value, jobId, execId],
    load: (signal) => call((api) => api.executions.get(jobId, execId, { signal })),
    every: (execution) => (execution && isTerminal(execution) ? false : 2_000),
  });

/** What has begun and not ended, of the last day; null with more than 500 jobs. */
export const useRunning = (enabled: boolean): Polled<Execution[] | null> =>
  usePolled<Execution[] | null>({
    key: ['executions', project.value, 'running'],
    enabled,
    load: async (signal) => {
      const of = (status: 'running' | 'retrying') =>
        call((api) => api.executions.pageOfJobs({ status, limit: MOST_RUNNING }, { signal }));
      try {
        const pages = await Promise.all([of('running'), of('retrying')]);
        return pages.flatMap(({ items }) => items);
      } catch (thrown) {
        if (thrown instanceof ValidationError) return null;
        throw thrown;
      }
    },
    every: (running) => (running === null ? 300_000 : running?.length ? 45_000 : 60_000),
  });
const MOST_RUNNING = 100;

/** The executions of all jobs that were due since an instant. */
export interface Day {
  items: Execution[];
  /** Older ones are left out. */
  hasMore: boolean;
  /** Why executions may be missing. */
  incompleteBecause: ExecutionsOfJobs['incompleteBecause'];
}

/** More rows of a day are not read. */
const MOST_OF_DAY = 2_000;
/** A poll reads what was due within this time, and since the oldest that has not ended. */
const READ_AGAIN_MS = 600_000;

/** The day so far; null if more than 500 jobs pass, which the API does not list together. */
export const useDay = (fromMs: number, enabled: boolean): Polled<Day | null> => {
  const key = ['day', project.value, fromMs];
  return usePolled<Day | null>({
    key,
    enabled,
    load: (signal, soFar) => {
      const { data, isPartial } = queries.of(key);
      const known = isPartial ? undefined : ((data as Day | null | undefined) ?? undefined);
      return loadDay(fromMs, known, signal, soFar).catch((thrown: unknown) => {
        if (thrown instanceof ValidationError) return null;
        throw thrown;
      });
    },
    every: (day) => (day?.items.some((one) => !isTerminal(one)) ? 15_000 : 60_000),
  });
};

/** Reads what may have changed since `known`, and keeps the rest. The newest come first. */
async function loadDay(
  fromMs: number,
  known: Day | undefined,
  signal: AbortSignal,
  soFar: (part: Day) => void,
): Promise<Day> {
  const open = known?.items.filter((one) => !isTerminal(one)).map(({ dueAt }) => Date.parse(dueAt)) ?? [];
  const sinceMs = known ? Math.max(fromMs, Math.min(Date.now() - READ_AGAIN_MS, ...open)) : fromMs;
  const rows = new Map(known?.items.map((one) => [`${one.jobId} ${one.execId}`, one]));
  let cursor: string | undefined;
  let read = 0;
  let incompleteBecause: Day['incompleteBecause'] = [];
  const day = (): Day => ({
    items: [...rows.values()].sort((a, b) => (a.dueAt < b.dueAt ? 1 : -1)),
    hasMore: cursor !== undefined || (known?.hasMore ?? false),
    incompleteBecause,
  });
  do {
    const query = { from: new Date(sinceMs).toISOString(), limit: 100, cursor };
    const page = await call((api) => api.executions.pageOfJobs(query, { signal }));
    incompleteBecause = page.incompleteBecause;
    for (const one of page.items) if (one.status !== 'scheduled') rows.set(`${one.jobId} ${one.execId}`, one);
    read += page.items.length;
    cursor = page.nextCursor ?? undefined;
    if (cursor !== undefined) soFar(day());
  } while (cursor !== undefined && read < MOST_OF_DAY);
  return day();
}
