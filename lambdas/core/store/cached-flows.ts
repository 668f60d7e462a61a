import type { Flow, FlowStore } from './flow-store';

/** Texts of workflows that a process keeps: as many as these characters as JSON. */
const MAX_CHARACTERS = 32_000_000;

/** Caches versions for ever: none ever changes. The one that was used longest ago goes first. */
export function cachedFlows(store: FlowStore): FlowStore {
  const known = new Map<string, { flow: Flow; characters: number }>();
  let characters = 0;
  const keep = (key: string, flow: Flow) => {
    const size = JSON.stringify(flow.workflow).length;
    known.set(key, { flow, characters: size });
    characters += size;
    for (const [oldest, { characters: freed }] of known) {
      if (characters <= MAX_CHARACTERS || oldest === key) return;
      known.delete(oldest);
      characters -= freed;
    }
  };
  return {
    ...store,
    async get(jobKey, version) {
      const key = `${jobKey}#${version}`;
      const cached = known.get(key);
      if (cached) {
        known.delete(key);
        known.set(key, cached);
        return cached.flow;
      }
      const flow = await store.get(jobKey, version);
      if (flow && !known.has(key)) keep(key, flow);
      return flow;
    },
  };
}
