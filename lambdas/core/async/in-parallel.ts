/**
 * Works on items in order, at most `concurrency` of them at a time. After a failure no further item begins.
 * Rejects with the first failure, once the work that had begun has ended: no write goes on after the answer
 * of its invocation.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const next = items[Symbol.iterator]();
  let failure: { error: unknown } | undefined;
  const worker = async () => {
    for (let item = next.next(); !item.done && !failure; item = next.next())
      await work(item.value).catch((error: unknown) => (failure ??= { error }));
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failure) throw failure.error;
}
