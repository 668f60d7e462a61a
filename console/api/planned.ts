import type { Load, UpcomingOfJobs } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

/** Planned occurrences of all jobs by minute. */
export const useLoad = (fromMs: number, toMs: number): Polled<Load> =>
  usePolled({
    key: ['load', project.value, fromMs, toMs],
    load: (signal) =>
      call((api) =>
        api.load({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }, { signal }),
      ),
    every: () => 300_000,
    keepPrevious: true,
  });

/** The next due times over all jobs. */
export const useNext = (limit: number): Polled<UpcomingOfJobs> =>
  usePolled({
    key: ['next', project.value, limit],
    load: (signal) => call((api) => api.upcoming({ limit }, { signal })),
    every: () => 60_000,
  });
