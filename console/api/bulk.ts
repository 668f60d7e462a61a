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

/** How fast a bulk goes: pages of so many items, and a pause after each. */
export interface BulkPace {
  items: number;
  everyMs: number;
}

interface FilterBulk {
  title: string;
  /** What the filter selected when it was counted. */
  total: number;
  request: BulkRequest;
  /** Absent: as fast as the API does it. */
  pace?: BulkPace | undefined;
  /** Where one that was left goes on. */
  from?: { key: string; cursor: string | undefined; done: number };
}

/** A bulk that is under way, with all that it takes to go on. */
export interface KeptBulk extends FilterBulk {
  from: NonNullable<FilterBulk['from']>;
}

/** Keeps a bulk for a page that is loaded anew. Undefined: it is over. */
export type Keep = (key: string, kept: KeptBulk | undefined) => void;

/** One action for everything that a filter selects. The API does it, page by page. */
export const bulkOfFilter = (bulk: FilterBulk, pageOf: PageOf, keep: Keep = () => undefined): Bulk => ({
  title: bulk.title,
  total: bulk.total,
  async run({ signal, onState }) {
    const { request, pace, from } = bulk;
    const state = begun(bulk.total, { signal, onState });
    const key = from?.key ?? crypto.randomUUID();
    let cursor = from?.cursor;
    state.done = from?.done ?? 0;
    try {
      for (;;) {
        keep(key, { ...bulk, from: { key, cursor, done: state.done } });
        const page = await pageOf({ ...request, cursor, ...(pace && { limit: pace.items }) }, key);
        state.done += page.done + page.unchanged;
        for (const { jobId, execId, problem } of page.failed)
          state.refused.push({
            name: execId === undefined ? jobId : `${jobId}/${execId}`,
            why: new Error(problem.detail),
          });
        cursor = page.nextCursor ?? undefined;
        onState({ ...state });
        if (cursor === undefined || signal.aborted) break;
        if (pace) await pauseMs(pace.everyMs, signal);
        if (signal.aborted) break;
      }
      keep(key, undefined);
    } catch (thrown) {
      state.error = thrown;
    }
    return over(state, onState);
  },
});

/** Resolves after a time, or as soon as the signal aborts. */
const pauseMs = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
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
