/** The smallest value that at least `share` of the values do not pass. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error('no values');
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);
