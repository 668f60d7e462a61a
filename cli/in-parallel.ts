/** Well below the rate that API Gateway throttles, and enough to hide the latency of single requests. */
const CONCURRENCY = 8;

/**
 * Calls `act` for each item, `concurrency` calls at a time. Resolves to the results in the order of the
 * items, or rejects with the first error. Once `signal` aborts, it starts no further call, and the results
 * are those of the calls that were started.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
  { concurrency = CONCURRENCY, signal }: { concurrency?: number; signal?: AbortSignal } = {},
): Promise<Result[]> {
  const results: Result[] = [];
  const remaining = items.entries();
  const work = async () => {
    for (const [index, item] of remaining) {
      if (signal?.aborted) return;
      results[index] = await act(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
  // A call that was not started has left no result.
  return signal?.aborted ? results.filter(() => true) : results;
}
