/** Far below what API Gateway throttles, and enough that the way to the API is not what takes the time. */
const AT_ONCE = 8;

/** Does the same to each, a few at a time; the answers in the order of the items. Rejects with the first error. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
  atOnce = AT_ONCE,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const work = async () => {
    for (const [index, item] of left) results[index] = await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  return results;
}
