import type { Stats } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

/** How far back a trend goes, in days. */
export const TREND_DAYS = { '24h': 1, '7d': 7, '30d': 30 } as const;
export type TrendSpan = keyof typeof TREND_DAYS;

/** Whose executions: all of the project, those of a job, or those of the jobs with some tags. */
export interface TrendOf {
  job?: string;
  tags?: readonly string[];
}

export interface Trend {
  now: Stats;
  /** The span of equal length that ends where `now` begins. */
  before: Stats;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A span until now, beside the span before: both end on whole hours, as the API counts them. */
export const useTrend = (span: TrendSpan, { job, tags = [] }: TrendOf): Polled<Trend> =>
  usePolled({
    key: ['trend', project.value, span, job, tags],
    keepPrevious: true,
    load: (signal) =>
      call(async (api) => {
        const endMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
        const lengthMs = TREND_DAYS[span] * DAY_MS;
        const of = (toMs: number) =>
          api.executions.stats(
            {
              by: span === '24h' ? 'hour' : 'day',
              from: new Date(toMs - lengthMs).toISOString(),
              to: new Date(toMs).toISOString(),
              ...(job !== undefined && { job }),
              ...(tags.length > 0 && { tag: [...tags] }),
            },
            { signal },
          );
        const [now, before] = await Promise.all([of(endMs), of(endMs - lengthMs)]);
        return { now, before };
      }),
    every: () => 300_000,
  });
