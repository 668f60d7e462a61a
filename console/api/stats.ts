import type { Stats } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

/** How executions ended that were due since an instant, by the hour. One request, whatever the volume. */
export const useStatsSince = (fromMs: number): Polled<Stats> =>
  usePolled({
    key: ['ends', project.value, fromMs],
    load: (signal) =>
      call((api) => api.executions.stats({ by: 'hour', from: new Date(fromMs).toISOString() }, { signal })),
    every: () => 60_000,
  });
