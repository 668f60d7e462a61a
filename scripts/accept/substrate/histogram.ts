/** Upper bounds of the classes, in milliseconds; a last class holds the rest. */
const BOUNDS_MS = [-1_000, -500, 0, 50, 100, 200, 500, 1_000] as const;

export interface HistogramClass {
  /** In milliseconds, exclusive; null: no bound. */
  belowMs: number | null;
  count: number;
}

/** Counts values by class. */
export function histogramOf(values: readonly number[]): HistogramClass[] {
  const bounds: (number | null)[] = [...BOUNDS_MS, null];
  return bounds.map((belowMs, index) => {
    const fromMs = bounds[index - 1] ?? -Infinity;
    const isInside = (value: number) => value >= fromMs && value < (belowMs ?? Infinity);
    return { belowMs, count: values.filter(isInside).length };
  });
}

/** `12 below 50 ms, 3 below 100 ms`: the classes that are not empty. */
export const histogramText = (values: readonly number[]): string =>
  histogramOf(values)
    .filter(({ count }) => count > 0)
    .map(({ belowMs, count }) =>
      belowMs === null ? `${count} of ${BOUNDS_MS.at(-1)} ms or more` : `${count} below ${belowMs} ms`,
    )
    .join(', ');

/** The smallest value that this share of the values does not exceed. NaN without values. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
