/**
 * Works on items in their order, `atOnce` of them at a time. Rejects with the first failure, while work on
 * other items may still be running.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const next = items[Symbol.iterator]();
  const worker = async () => {
    for (let item = next.next(); !item.done; item = next.next()) await work(item.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
