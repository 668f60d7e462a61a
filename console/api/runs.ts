import {
  type Execution,
  isTerminal,
  type Item,
  type ItemDetail,
  type ItemFilter,
} from '../../client/browser';
import { call, project } from './client';
import { endOf } from './ends';
import { type Polled, refresh, usePolled } from './polling';

const ITEMS_MS = 5_000;
const ITEMS_ON_PAGE = 50;
/** A status that few items have is looked for on so many pages of the API. */
const MOST_PAGES = 20;

export type ItemStatus = NonNullable<ItemFilter['status']>;

export interface ItemsSoFar {
  items: Item[];
  hasMore: boolean;
}

interface TaskOfRun {
  execution: Execution;
  taskId: string;
}

/** The first `pages` pages of the items of a fan-out. The first page alone is asked for again and again. */
export const useItems = (
  { execution, taskId }: TaskOfRun,
  { status, pages }: { status: ItemStatus | undefined; pages: number },
): Polled<ItemsSoFar> => {
  const { jobId, execId } = execution;
  const hasEnded = isTerminal(execution);
  return usePolled({
    key: ['items', project.value, jobId, execId, taskId, status, pages, endOf(execution)],
    keepPrevious: true,
    load: (signal) =>
      call(async (api) => {
        const items: Item[] = [];
        let read = 0;
        const filter = { status, limit: ITEMS_ON_PAGE };
        for await (const page of api.tasks.items(jobId, execId, taskId, filter, { signal }).pages()) {
          items.push(...page.items);
          if (items.length >= pages * ITEMS_ON_PAGE || ++read >= pages * MOST_PAGES)
            return { items, hasMore: page.nextCursor !== null };
        }
        return { items, hasMore: false };
      }),
    every: () => (hasEnded || pages > 1 ? false : ITEMS_MS),
  });
};

/** One item with its attempts. */
export const useItem = (
  { execution: { jobId, execId, status, finishedAt }, taskId }: TaskOfRun,
  index: number,
): Polled<ItemDetail> =>
  usePolled({
    key: ['items', project.value, jobId, execId, taskId, index, endOf({ status, finishedAt })],
    keepPrevious: true,
    load: (signal) => call((api) => api.tasks.item(jobId, execId, taskId, index, { signal })),
    every: () => (isTerminal({ status }) ? false : ITEMS_MS),
  });

/** Asks again for all that an action on a run may have changed. */
export const refreshRun = (): Promise<unknown> =>
  Promise.all(['execution', 'backfill', 'tasks', 'task', 'items', 'waiting'].map((name) => refresh(name)));
