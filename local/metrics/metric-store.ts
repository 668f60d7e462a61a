import { HOUR_MS, SECOND_MS } from '../machine/clock';

/** One or more values of a metric, for one set of dimensions. */
export interface Datum {
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
  values: readonly number[];
  atMs: number;
}

/** How long values are kept. */
export const KEPT_MS = 3 * HOUR_MS;
/** Resolution: all values within a step become one point. */
export const STEP_MS = 10 * SECOND_MS;

/** Percentiles of a step use at most this many values. Further values count in all other statistics. */
const MAX_VALUES_PER_STEP = 1_000;

interface Bucket {
  sum: number;
  count: number;
  min: number;
  max: number;
  /** For percentiles. */
  values: number[];
}

/** What a series has been since the start of the run. */
export interface MetricTotals extends MetricName {
  sum: number;
  count: number;
  last: number;
}

export interface MetricName {
  namespace: string;
  name: string;
  dimensions: Readonly<Record<string, string>>;
}

/**
 * The metrics of a run, in memory. As in CloudWatch, a series has a name and dimensions, and is aggregated by
 * time.
 */
export class MetricStore {
  private readonly series = new Map<string, Map<number, Bucket>>();
  private readonly sums = new Map<string, MetricTotals>();

  constructor(private readonly startedAtMs: number) {}

  put({ values, atMs, ...metric }: Datum): void {
    const key = keyOf(metric);
    let buckets = this.series.get(key);
    if (!buckets) this.series.set(key, (buckets = new Map()));
    const step = Math.floor(atMs / STEP_MS);
    let bucket = buckets.get(step);
    if (!bucket) {
      buckets.set(step, (bucket = { sum: 0, count: 0, min: Infinity, max: -Infinity, values: [] }));
      forget(buckets, atMs - KEPT_MS);
    }
    const total = this.totalOf(key, metric);
    for (const value of values) {
      total.sum += value;
      total.count += 1;
      total.last = value;
      bucket.sum += value;
      bucket.count += 1;
      bucket.min = Math.min(bucket.min, value);
      bucket.max = Math.max(bucket.max, value);
      if (bucket.values.length < MAX_VALUES_PER_STEP) bucket.values.push(value);
    }
  }

  private totalOf(key: string, { namespace, name, dimensions }: MetricName): MetricTotals {
    let total = this.sums.get(key);
    if (!total)
      this.sums.set(key, (total = { ...{ namespace, name, dimensions }, sum: 0, count: 0, last: 0 }));
    return total;
  }

  /** All series, since the start of the run. */
  totals(): readonly MetricTotals[] {
    return [...this.sums.values()];
  }

  /**
   * A statistic for each of `periods` periods from `fromMs` on. A period without values gives null. A sum is
   * 0 instead if the store already existed in that period.
   */
  read(
    metric: MetricName,
    statistic: string,
    range: { fromMs: number; periodMs: number; periods: number },
  ): (number | null)[] {
    const buckets = this.series.get(keyOf(metric));
    const steps = Math.max(1, Math.round(range.periodMs / STEP_MS));
    const first = Math.floor(range.fromMs / STEP_MS);
    return Array.from({ length: range.periods }, (_, period) => {
      const within = Array.from({ length: steps }, (_step, step) =>
        buckets?.get(first + period * steps + step),
      );
      const filled = within.filter((bucket) => bucket !== undefined);
      if (filled.length > 0) return statisticOf(filled, statistic);
      const hadStarted = (first + (period + 1) * steps) * STEP_MS > this.startedAtMs;
      return statistic === 'Sum' && hadStarted ? 0 : null;
    });
  }
}

const keyOf = ({ namespace, name, dimensions }: MetricName): string =>
  JSON.stringify([namespace, name, ...Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1))]);

/** Deletes old buckets. Steps are added nearly in order, so the oldest come first. */
function forget(buckets: Map<number, Bucket>, beforeMs: number): void {
  for (const step of buckets.keys()) {
    if (step * STEP_MS >= beforeMs) return;
    buckets.delete(step);
  }
}

/**
 * Supports `Sum`, `Average`, `Minimum`, `Maximum`, `SampleCount` and percentiles such as `p99`; throws
 * otherwise.
 */
function statisticOf(buckets: readonly Bucket[], statistic: string): number | null {
  const total = (of: (bucket: Bucket) => number) => buckets.reduce((sum, bucket) => sum + of(bucket), 0);
  const percentile = /^p(\d+(?:\.\d+)?)$/.exec(statistic)?.[1];
  if (percentile !== undefined) {
    const values = buckets.flatMap((bucket) => bucket.values).sort((a, b) => a - b);
    const rank = Math.ceil((Number(percentile) / 100) * values.length);
    return values[Math.max(0, rank - 1)] ?? null;
  }
  if (statistic === 'Sum') return total(({ sum }) => sum);
  if (statistic === 'SampleCount') return total(({ count }) => count);
  if (statistic === 'Average') return total(({ sum }) => sum) / total(({ count }) => count);
  if (statistic === 'Minimum') return Math.min(...buckets.map(({ min }) => min));
  if (statistic === 'Maximum') return Math.max(...buckets.map(({ max }) => max));
  throw new Error(`the local run does not support the statistic ${statistic}`);
}
