import type { BulkPage, BulkRequest } from '../../client/browser';

/** What came of a bulk action so far. */
export interface BulkState {
  total: number;
  /** Also those that were already as asked for. */
  done: number;
  refused: { name: string; why: unknown }[];
  isOver: boolean;
  /** It is to end: what is under way is waited for, so that the counts are true. */
  isStopping: boolean;
  /** Why it ended early: a quota, or no answer. */
  error?: unknown;
}

interface Watching {
  signal: AbortSignal;
  onState(state: BulkState): void;
}

/**
 * Something done to many. It goes on in bounded steps until it is over. After `signal` aborts, it begins no
 * further step, and waits for those under way.
 */
export interface Bulk {
  /** `Pause 5 jobs` */
  title: string;
  total: number;
  run(watching: Watching): Promise<BulkState>;
}

const AT_ONCE = 8;

interface ItemsBulk<Item> {
  title: string;
  items: readonly Item[];
  /** What an item is called in the list of refusals. */
  nameOf(item: Item): string;
  act(item: Item): Promise<unknown>;
}

/** One action for each item, 8 at a time and in their order. One that fails does not stop the others. */
export const bulkOfItems = <Item>({ title, items, nameOf, act }: ItemsBulk<Item>): Bulk => ({
  title,
  total: items.length,
  async run({ signal, onState }) {
    const state = begun(items.length, { signal, onState });
    const queue = items.values();
    const work = async (): Promise<void> => {
      for (const item of queue) {
        if (signal.aborted) return;
        try {
          await act(item);
          state.done++;
        } catch (why) {
          state.refused.push({ name: nameOf(item), why });
        }
        onState({ ...state });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return over(state, onState);
  },
});

/** Does one page of a bulk: at most 100 items. */
export type PageOf = (request: BulkRequest, idempotencyKey: string) => Promise<BulkPage>;

interface FilterBulk {
  title: string;
  /** What the filter selected when it was counted. */
  total: number;
  request: BulkRequest;
}

/** One action for everything that a filter selects. The API does it, page by page. */
export const bulkOfFilter = ({ title, total, request }: FilterBulk, pageOf: PageOf): Bulk => ({
  title,
  total,
  async run({ signal, onState }) {
    const state = begun(total, { signal, onState });
    const key = crypto.randomUUID();
    let cursor: string | undefined;
    try {
      do {
        const page = await pageOf({ ...request, cursor }, key);
        state.done += page.done + page.unchanged;
        for (const { jobId, execId, problem } of page.failed)
          state.refused.push({
            name: execId === undefined ? jobId : `${jobId}/${execId}`,
            why: new Error(problem.detail),
          });
        cursor = page.nextCursor ?? undefined;
        onState({ ...state });
      } while (cursor !== undefined && !signal.aborted);
    } catch (thrown) {
      state.error = thrown;
    }
    return over(state, onState);
  },
});

function begun(total: number, { signal, onState }: Watching): BulkState {
  const state: BulkState = { total, done: 0, refused: [], isOver: false, isStopping: false };
  signal.addEventListener('abort', () => {
    state.isStopping = true;
    onState({ ...state });
  });
  return state;
}

function over(state: BulkState, onState: Watching['onState']): BulkState {
  const ended = { ...state, isOver: true };
  onState(ended);
  return ended;
}

/** How many items a bulk would be about. Nothing is changed. */
export async function countOf(request: BulkRequest, pageOf: PageOf): Promise<number> {
  const key = crypto.randomUUID();
  let matched = 0;
  let cursor: string | undefined;
  do {
    const page = await pageOf({ ...request, dryRun: true, cursor }, key);
    matched += page.matched;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return matched;
}
