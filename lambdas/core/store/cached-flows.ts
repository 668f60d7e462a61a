import type { Flow, FlowStore } from './flow-store';
import { textCache } from './text-cache';

/** Texts of workflows that a process keeps: as many as these characters as JSON. */
const MAX_CHARACTERS = 32_000_000;

/** Caches versions for ever: none ever changes. */
export function cachedFlows(store: FlowStore): FlowStore {
  const known = textCache<Flow>(MAX_CHARACTERS);
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
