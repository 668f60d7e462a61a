import { inParallel } from '../../core/async/in-parallel';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { openCursor, pageView } from './paging';

/** Views that are made at the same time: some read what else a thing is about. */
const CONCURRENCY = 5;

/** 200 with a page of things of which a project has so few that all are read, in the order of their names. */
export async function listByName<Thing, View>(
  all: readonly Thing[],
  show: { nameOf: (thing: Thing) => string; view: (thing: Thing) => View | Promise<View> },
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  request: ApiRequest,
  deps: ApiDeps,
): Promise<ApiResponse> {
  const after = (await openCursor(cursor, request, deps.secret)) ?? '';
  const rest = all.filter((thing) => show.nameOf(thing) > after);
  const items: { name: string; view: View }[] = [];
  await inParallel(rest.slice(0, limit).entries(), CONCURRENCY, async ([index, thing]) => {
    items[index] = { name: show.nameOf(thing), view: await show.view(thing) };
  });
  const page = { items, nextAfter: rest.length > limit ? items.at(-1)?.name : undefined };
  type Shown = (typeof items)[number];
  const shown = { view: ({ view }: Shown) => view, positionOf: ({ name }: Shown) => name };
  return { status: 200, body: await pageView(page, shown, request, deps) };
}
