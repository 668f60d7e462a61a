import { inParallel } from '../core/async/in-parallel';

/**
 * Writes items of a batch, and goes on after a failure: the stream brings the changes again.
 *
 * @param items `first`: the index of the first change that is in it
 * @returns the index of the first change of which something may not be written; undefined: all is
 */
export async function writeEach<Item extends { first: number }>(
  items: readonly Item[],
  concurrency: number,
  write: (item: Item) => Promise<unknown>,
  onFailure: (error: unknown, item: Item) => void,
): Promise<number | undefined> {
  let failed: number | undefined;
  await inParallel(items, concurrency, async (item) => {
    try {
      await write(item);
    } catch (error) {
      onFailure(error, item);
      failed = Math.min(failed ?? item.first, item.first);
    }
  });
  return failed;
}
