import type { ConcurrencyKey } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

/** A project has at most so many. */
const MOST = 100;

/** The concurrency keys of the project, each with what holds its slots and what waits. */
export const useConcurrencyKeys = (): Polled<ConcurrencyKey[]> =>
  usePolled({
    key: ['concurrency-keys', project.value],
    load: (signal) => call((api) => api.concurrencyKeys.list({ limit: 100 }, { signal }).toArray(MOST)),
    every: (keys) => (keys?.some(({ running }) => running.length > 0) ? 5_000 : 30_000),
  });
