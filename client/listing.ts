export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/**
 * A list that is fetched as it is walked: `for await (const job of client.jobs.list())`. Each walk starts anew.
 * `pages()` gives it page by page, and `toArray()` at once.
 */
export class Listing<Item> implements AsyncIterable<Item> {
  constructor(private readonly fetchPage: (cursor: string | undefined) => Promise<Page<Item>>) {}

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

  /** All of them, or the first `max`. */
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
