/** A page of a list, with the cursor at which it begins. */
export interface ListedPage<Item> {
  from: string | undefined;
  items: readonly Item[];
  next: string | null;
}

/** Rows of a list, from the first to before the last. */
export interface Span {
  from: number;
  to: number;
}

interface Reading<Item> {
  /** Rows that are wanted in all. */
  most: number;
  /** Rows that are read again, as far as they are known. */
  again: Span;
  read(from: string | undefined): Promise<{ items: readonly Item[]; nextCursor: string | null }>;
  /** Gets the pages after each one that is read. */
  onPage?(pages: readonly ListedPage<Item>[]): void;
}

/**
 * Reads a list on: the pages in view again, and further pages until there are `most` rows. A page that now
 * ends elsewhere has gained or lost a row, so the pages behind it are read again too.
 */
export async function readOn<Item>(
  known: readonly ListedPage<Item>[],
  { most, again, read, onPage }: Reading<Item>,
): Promise<ListedPage<Item>[]> {
  const pages: ListedPage<Item>[] = [];
  let rows = 0;
  let next: string | null | undefined;
  const take = (page: ListedPage<Item>): void => {
    pages.push(page);
    rows += page.items.length;
    next = page.next;
  };
  const readFrom = async (from: string | undefined): Promise<void> => {
    const { items, nextCursor } = await read(from);
    take({ from, items, next: nextCursor });
    onPage?.([...pages]);
  };
  for (const page of known) {
    if (page.from !== (next ?? undefined)) break;
    const isInView = rows < again.to && rows + page.items.length > again.from;
    if (isInView) await readFrom(page.from);
    else take(page);
    if (next === null) break;
  }
  while (next !== null && (pages.length === 0 || rows < most)) await readFrom(next);
  return pages;
}
