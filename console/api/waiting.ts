import type { Waiting } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

/** More of what waits is not read. */
export const MOST_WAITING = 100;

/** What waits until a user acts: approvals and paused runs. */
export const useWaiting = (): Polled<Waiting[]> =>
  usePolled({
    key: ['waiting', project.value],
    load: (signal) =>
      call((api) => api.runs.waiting({ limit: MOST_WAITING }, { signal }).toArray(MOST_WAITING)),
    every: () => 30_000,
  });
