import { inParallel } from '../../core/async/in-parallel';
import type { ConcurrencyKeyView } from '../../core/http/concurrency-answers';
import { ListConcurrencyKeysQuery } from '../../core/http/queries';
import { openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { concurrencyKeyView } from './concurrency-key-view';

const CONCURRENCY = 5;

/** 200 with a page of the project's concurrency keys by name. */
export async function listConcurrencyKeys(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { cursor, limit } = readQuery(request, ListConcurrencyKeysQuery);
  const after = (await openCursor(cursor, request, deps.secret)) ?? '';
  const rest = (await deps.concurrency.listKeys(request.project)).filter(({ name }) => name > after);
  const items: ConcurrencyKeyView[] = [];
  await inParallel(rest.slice(0, limit).entries(), CONCURRENCY, async ([index, key]) => {
    items[index] = await concurrencyKeyView(key, deps);
  });
  const nextAfter = rest.length > limit ? items.at(-1)?.key : undefined;
  const show = { view: (item: ConcurrencyKeyView) => item, positionOf: ({ key }: ConcurrencyKeyView) => key };
  return {
    status: 200,
    body: await pageView({ items, ...(nextAfter !== undefined && { nextAfter }) }, show, request, deps),
  };
}
