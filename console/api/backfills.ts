import { type Backfill, type BackfillFilter, type Execution, isTerminal } from '../../client/browser';
import { call, project } from './client';
import { endOf } from './ends';
import { type Polled, usePolled } from './polling';

/** Older backfills of a job are not listed. */
const MOST_BACKFILLS = 50;
/** A status that few backfills have is looked for on so many pages of the API. */
const MOST_PAGES = 10;

/** Whether an execution is a backfill itself, and not one of its dates. */
export const isBackfill = ({ trigger, parent }: Pick<Execution, 'trigger' | 'parent'>): boolean =>
  trigger === 'backfill' && !parent;

/** The backfills of a job, newest first. */
export const useBackfills = (jobId: string): Polled<Backfill[]> =>
  usePolled({
    key: ['backfill', project.value, jobId],
    load: (signal) =>
      call((api) => api.backfills.list(jobId, { limit: MOST_BACKFILLS }, { signal }).toArray(MOST_BACKFILLS)),
    every: (found) => (found?.every(isTerminal) ? 30_000 : 5_000),
  });

export interface BackfillsSoFar {
  items: Backfill[];
  hasMore: boolean;
}

/** The backfills of all jobs, newest first, `pages` times 50. The first 50 alone are read again and again. */
export const useAllBackfills = (status: BackfillFilter['status'], pages: number): Polled<BackfillsSoFar> =>
  usePolled({
    key: ['backfill', project.value, { status, pages }],
    keepPrevious: true,
    load: (signal) =>
      call(async (api) => {
        const items: Backfill[] = [];
        let read = 0;
        const filter = { status, limit: MOST_BACKFILLS };
        for await (const page of api.backfills.listAll(filter, { signal }).pages()) {
          items.push(...page.items);
          if (items.length >= pages * MOST_BACKFILLS || ++read >= pages * MOST_PAGES)
            return { items, hasMore: page.nextCursor !== null };
        }
        return { items, hasMore: false };
      }),
    every: (found) => {
      if (pages > 1) return false;
      return found?.items.every(isTerminal) ? 30_000 : 5_000;
    },
  });

/** How far a backfill is. */
export const useBackfill = ({ jobId, execId, status, finishedAt }: Execution): Polled<Backfill> =>
  usePolled({
    key: ['backfill', project.value, jobId, execId, endOf({ status, finishedAt })],
    keepPrevious: true,
    load: (signal) => call((api) => api.backfills.get(jobId, execId, { signal })),
    every: () => (isTerminal({ status }) ? false : 2_000),
  });
