import { executionMapKey } from './execution-store';
import type { FanOutStore, SegmentItems } from './fan-out-store';
import type { Flow, FlowStore } from './flow-store';

/** Texts of workflows that a process keeps: as many as these characters as JSON. */
const WORKFLOW_CHARACTERS = 32_000_000;

/** Caches versions for ever: none ever changes. */
export function cachedFlows(store: FlowStore): FlowStore {
  const known = textCache<Flow>(WORKFLOW_CHARACTERS);
  return {
    ...store,
    async get(jobKey, version) {
      const key = `${jobKey}#${version}`;
      const cached = known.get(key);
      if (cached) return cached;
      const flow = await store.get(jobKey, version);
      if (flow) known.keep(key, flow, JSON.stringify(flow.workflow).length);
      return flow;
    },
  };
}

/** Items of fan-outs that a process keeps: as many as these characters as JSON. */
const ITEM_CHARACTERS = 8_000_000;

/** Caches the items of segments, which never change. */
export function cachedItems(store: FanOutStore): FanOutStore {
  const known = textCache<SegmentItems>(ITEM_CHARACTERS);
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

/** What a process keeps of rows that never change. */
interface TextCache<Value> {
  get(key: string): Value | undefined;
  /** @param characters of the value as JSON */
  keep(key: string, value: Value, characters: number): void;
}

/** Keeps values of at most so many characters together. The one that was used longest ago goes first. */
function textCache<Value>(maxCharacters: number): TextCache<Value> {
  const known = new Map<string, { value: Value; characters: number }>();
  let kept = 0;
  return {
    get(key) {
      const cached = known.get(key);
      if (!cached) return undefined;
      known.delete(key);
      known.set(key, cached);
      return cached.value;
    },
    keep(key, value, characters) {
      if (known.has(key)) return;
      known.set(key, { value, characters });
      kept += characters;
      for (const [oldest, { characters: freed }] of known) {
        if (kept <= maxCharacters || oldest === key) return;
        known.delete(oldest);
        kept -= freed;
      }
    },
  };
}
