import { createHmac, timingSafeEqual } from 'node:crypto';

import type { PageView } from '../../core/http/openapi/answers';
import type { DeploymentSecret } from '../../core/delivery/signing/deployment-secret';
import { canonicalJson } from './json';
import { invalidField } from './problem';
import type { ApiDeps, ApiRequest } from '../request';

/** Upper bound on the rows that one request reads, however few of them pass its filters. */
const MAX_ROWS = 1_000;
const FURTHER_PAGE = 100;
/** Lambda returns at most 6 MB, in which our JSON is a string: each of its quotes counts twice. */
const MAX_BYTES = 2_500_000;

interface StorePage<Row> {
  rows: Row[];
  nextAfter?: string;
}

export interface Filtered<Row> {
  items: Row[];
  /** Position to continue after; undefined at the end. */
  nextAfter?: string;
}

/**
 * Reads until `limit` rows have passed the filter, the rows end, or `maxRows` are read. So a page may be
 * short or empty and still have a next one.
 */
export async function filteredPage<Row>(query: {
  after?: string;
  limit: number;
  /** Upper bound on the rows that are read. @default 1,000 */
  maxRows?: number;
  read: (after: string | undefined, limit: number) => Promise<StorePage<Row>>;
  positionOf: (row: Row) => string;
  keep: (rows: Row[]) => Promise<readonly Row[]> | readonly Row[];
  /** Joins items that belong together into one. */
  merge?: (items: Row[]) => Row[];
}): Promise<Filtered<Row>> {
  const { limit, positionOf, maxRows = MAX_ROWS } = query;
  let items: Row[] = [];
  let { after } = query;
  for (let requested = 0; requested < maxRows;) {
    const wanted = Math.min(requested === 0 ? limit + 1 : FURTHER_PAGE, maxRows - requested);
    const page = await query.read(after, wanted);
    items = items.concat(await query.keep(page.rows));
    if (query.merge) items = query.merge(items);
    const last = items.length > limit ? items[limit - 1] : undefined;
    if (last) return { items: items.slice(0, limit), nextAfter: positionOf(last) };
    after = page.nextAfter;
    if (after === undefined) break;
    requested += wanted;
  }
  return { items, nextAfter: after };
}

/**
 * The body of a list: the page's items as JSON, fewer if they exceed what Lambda can return, and the next
 * cursor.
 */
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

/** Makes a list position into an opaque text that only the same user and query can use. */
export async function sealCursor(
  position: string,
  request: ApiRequest,
  secret: DeploymentSecret,
): Promise<string> {
  const payload = Buffer.from(JSON.stringify({ after: position })).toString('base64url');
  return `${payload}.${await signatureOf(payload, request, secret)}`;
}

/** The position in a cursor of the same user and query. Throws `ProblemError` 400 for any other text. */
export async function openCursor(
  cursor: string | undefined,
  request: ApiRequest,
  secret: DeploymentSecret,
  field = 'cursor',
): Promise<string | undefined> {
  if (cursor === undefined) return undefined;
  const [payload = '', signature = ''] = cursor.split('.', 2);
  const given = Buffer.from(signature);
  const expected = Buffer.from(await signatureOf(payload, request, secret));
  if (
    given.length !== expected.length ||
    !timingSafeEqual(given, expected) ||
    cursor.split('.').length !== 2
  ) {
    throw invalidField(field, 'must be the nextCursor of this list with the same filters');
  }
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { after: string }).after;
}

async function signatureOf(payload: string, request: ApiRequest, secret: DeploymentSecret): Promise<string> {
  const key = createHmac('sha256', await secret.get())
    .update('list-cursor')
    .digest();
  return createHmac('sha256', key)
    .update(`${cursorScope(request)}\n${payload}`)
    .digest('base64url');
}

/** Parameters that say which part of a list is asked for. */
const NO_FILTERS: ReadonlySet<string> = new Set(['cursor', 'after', 'limit']);

/** A cursor is valid for the same user, route and query; `limit` may change. */
function cursorScope({ project, route, params, query }: ApiRequest): string {
  const filters = [...query].filter(([name]) => !NO_FILTERS.has(name));
  return canonicalJson([project, route.operation, { ...params }, Object.fromEntries(filters)]);
}
