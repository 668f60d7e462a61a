import { ArgumentError } from './errors';

export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/**
 * A list that is fetched while it is iterated: `for await (const job of client.jobs.list())`. Each iteration
 * starts again from the first page. `pages()` returns it page by page, and `toArray()` as a whole.
 */
export class Listing<Item> implements AsyncIterable<Item> {
  constructor(private readonly fetchPage: (cursor: string | undefined) => Promise<Page<Item>>) {
    if (typeof fetchPage !== 'function') throw new ArgumentError('fetchPage', fetchPage, 'a function');
  }

  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.fetchPage(cursor);
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** All items, or the first `max`. */
  async toArray(max = Infinity): Promise<Item[]> {
    const all: Item[] = [];
    if (max <= 0) return all;
    for await (const item of this) {
      all.push(item);
      if (all.length >= max) break;
    }
    return all;
  }
}
