import type { OrderingKey } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

/** The state of an ordering key. */
export const useOrderingKey = (key: string): Polled<OrderingKey> =>
  usePolled({
    key: ['ordering-key', project.value, key],
    load: (signal) => call((api) => api.orderingKey(key, { signal })),
    every: (data) => (data?.holder ? 5_000 : 30_000),
    enabled: key !== '',
  });

/** The ordering keys of the first jobs. A list of all keys would need an index. */
export const useKnownKeys = (): Polled<string[]> =>
  usePolled({
    key: ['known-keys', project.value],
    load: (signal) =>
      call(async (api) => {
        const jobs = await api.jobs.list({ limit: 100 }, { signal }).toArray(500);
        return [...new Set(jobs.flatMap(({ orderingKey }) => orderingKey ?? []))].sort();
      }),
    every: () => false,
  });
