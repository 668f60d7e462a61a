import { executionMapKey } from './execution-store';
import type { FanOutStore, SegmentItems } from './fan-out-store';
import { textCache } from './text-cache';

/** Items of fan-outs that a process keeps: as many as these characters as JSON. */
const MAX_CHARACTERS = 8_000_000;

/** Caches the items of segments, which never change. */
export function cachedItems(store: FanOutStore): FanOutStore {
  const known = textCache<SegmentItems>(MAX_CHARACTERS);
  return {
    ...store,
    async getItems(fanOut, segment) {
      const key = `${executionMapKey(fanOut)}.${segment}`;
      const cached = known.get(key);
      if (cached) return cached;
      const items = await store.getItems(fanOut, segment);
      if (items) known.keep(key, items, JSON.stringify(items.items).length);
      return items;
    },
  };
}
