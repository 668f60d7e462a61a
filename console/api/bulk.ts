/** What came of a bulk action so far. */
export interface BulkState<Item> {
  total: number;
  done: number;
  refused: { item: Item; why: unknown }[];
  isOver: boolean;
}

const AT_ONCE = 8;

/**
 * Does the same to each item, 8 at a time and in their order, until all are done or `signal` aborts. One that
 * fails does not stop the others.
 */
export async function runBulk<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  { signal, onState }: { signal: AbortSignal; onState(state: BulkState<Item>): void },
): Promise<BulkState<Item>> {
  const state: BulkState<Item> = { total: items.length, done: 0, refused: [], isOver: false };
  const queue = items.values();
  const work = async (): Promise<void> => {
    for (const item of queue) {
      if (signal.aborted) return;
      try {
        await act(item);
        state.done++;
      } catch (why) {
        state.refused.push({ item, why });
      }
      onState({ ...state });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  state.isOver = true;
  onState({ ...state });
  return state;
}
