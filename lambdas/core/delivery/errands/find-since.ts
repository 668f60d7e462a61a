import { MINUTE_MS } from '../../clock/clock';
import type { KnownErrand } from './errand-kind';

/** Clocks differ: what does an errand may seem to have begun so long before it. */
const EARLIER_MS = 5 * MINUTE_MS;

/** A page of what a service lists, the newest first. */
interface ListedPage<Item> {
  items: readonly Item[];
  /** When some of them began. One before the errand tells that the pages after it are older. */
  startsMs: readonly (number | undefined)[];
  /** Absent: it is the last page. */
  next: string | undefined;
}

/**
 * The listed item that does an errand. Undefined: none since its start does. Throws `tooMany` if there are
 * more pages than are read.
 */
export async function findSince<Item>(
  { firstStartAtMs }: Pick<KnownErrand, 'firstStartAtMs'>,
  { maxPages, tooMany }: { maxPages: number; tooMany: string },
  isIt: (item: Item) => boolean,
  read: (token: string | undefined) => Promise<ListedPage<Item>>,
): Promise<Item | undefined> {
  let token: string | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { items, startsMs, next } = await read(token);
    const found = items.find(isIt);
    const isEarlier = startsMs.some((ms) => ms !== undefined && ms < firstStartAtMs - EARLIER_MS);
    if (found || isEarlier || !next) return found;
    token = next;
  }
  throw new Error(tooMany);
}
