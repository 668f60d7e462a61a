import type { Stats } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

/**
 * How executions ended that were due on a day, by the hour. One request, whatever the volume. It names the
 * end of the day: by the clock of the API, a day may begin later than by that of the browser.
 */
export const useStatsOfDay = (fromMs: number, toMs: number): Polled<Stats> =>
  usePolled({
    key: ['ends', project.value, fromMs],
    load: (signal) => {
      const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
      return call((api) => api.executions.stats({ by: 'hour', from, to }, { signal }));
    },
    every: () => 60_000,
  });
