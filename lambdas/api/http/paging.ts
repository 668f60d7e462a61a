import type { PageView } from '../../core/http/answers';
import { sealCursor } from './cursor';
import type { ApiDeps, ApiRequest } from '../request';

/** Rows that one request looks through at most, however few of them its filters let pass. */
const MAX_ROWS = 1_000;
const FURTHER_PAGE = 100;
/** Lambda answers at most 6 MB, in which our JSON is a string: each of its quotes counts twice. */
const MAX_BYTES = 2_500_000;

interface StorePage<Row> {
  rows: Row[];
  nextAfter?: string;
}

export interface Filtered<Row> {
  items: Row[];
  /** Where to go on; undefined at the end. */
  nextAfter?: string;
}

/**
 * Reads on until `limit` rows have passed the filter, the rows are at their end, or `MAX_ROWS` were read: a
 * page may thus be short, or empty, and still have a next one.
 */
export async function filteredPage<Row>(query: {
  after?: string;
  limit: number;
  read: (after: string | undefined, limit: number) => Promise<StorePage<Row>>;
  positionOf: (row: Row) => string;
  keep: (rows: Row[]) => Promise<Row[]> | Row[];
  /** Makes one item of several that belong together. */
  merge?: (items: Row[]) => Row[];
}): Promise<Filtered<Row>> {
  const { limit, positionOf } = query;
  let items: Row[] = [];
  let { after } = query;
  for (let seen = 0; seen < MAX_ROWS;) {
    const wanted = seen === 0 ? limit + 1 : FURTHER_PAGE;
    const page = await query.read(after, wanted);
    items = items.concat(await query.keep(page.rows));
    if (query.merge) items = query.merge(items);
    const last = items.length > limit ? items[limit - 1] : undefined;
    if (last) return { items: items.slice(0, limit), nextAfter: positionOf(last) };
    after = page.nextAfter;
    if (after === undefined) break;
    seen += wanted;
  }
  return { items, nextAfter: after };
}

/** Makes an answer of a page, shorter where it would grow beyond what Lambda can answer. */
export async function pageView<Row, Item>(
  page: Filtered<Row>,
  show: { view: (row: Row) => Item; positionOf: (row: Row) => string },
  request: ApiRequest,
  { secret }: ApiDeps,
): Promise<PageView<Item>> {
  const items: Item[] = [];
  let { nextAfter } = page;
  let bytes = 0;
  let last: Row | undefined;
  for (const row of page.items) {
    const item = show.view(row);
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (bytes > MAX_BYTES && last) {
      nextAfter = show.positionOf(last);
      break;
    }
    items.push(item);
    last = row;
  }
  return { items, nextCursor: nextAfter === undefined ? null : await sealCursor(nextAfter, request, secret) };
}
