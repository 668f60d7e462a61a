/** Well below the rate that API Gateway throttles, and enough to hide the latency of single requests. */
const CONCURRENCY = 8;

/**
 * Calls `act` for each item, `concurrency` calls at a time. Resolves to the results in the order of the
 * items, or rejects with the first error.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
  concurrency = CONCURRENCY,
): Promise<Result[]> {
  const results: Result[] = [];
  const remaining = items.entries();
  const work = async () => {
    for (const [index, item] of remaining) results[index] = await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
  return results;
}
