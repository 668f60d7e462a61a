/**
 * Counts of lengths in fixed buckets, each 2^(1/4) times as long as the one before. So histograms of any
 * parts add up, and a percentile is at most 19 % too high.
 */
export class Histogram {
  private readonly buckets = new Map<number, number>();
  private total = 0;

  add(ms: number): void {
    const bucket = Math.max(0, Math.ceil(BUCKETS_A_DOUBLING * Math.log2(Math.max(1, ms))));
    this.buckets.set(bucket, (this.buckets.get(bucket) ?? 0) + 1);
    this.total += 1;
  }

  /** By nearest rank, the upper bound of its bucket in whole milliseconds; null without lengths. */
  percentile(share: number): number | null {
    let left = Math.ceil(share * this.total);
    for (const [bucket, count] of [...this.buckets].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return Math.ceil(2 ** (bucket / BUCKETS_A_DOUBLING));
    }
    return null;
  }
}

const BUCKETS_A_DOUBLING = 4;

/** By how much a percentile may be too high. */
export const HISTOGRAM_ERROR = 0.19;
