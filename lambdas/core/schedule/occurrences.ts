/** Due times as bare arithmetic, in milliseconds since the epoch: the parts of a `Schedule`. */
export interface Occurrences {
  /** The first one strictly later than `afterMs`. */
  next(afterMs: number): number | undefined;
  /** How many lie in `(afterMs, throughMs]`. Its cost does not grow with their number. */
  count(afterMs: number, throughMs: number): number;
}

export const once = (atMs: number): Occurrences => ({
  next: (afterMs) => (afterMs < atMs ? atMs : undefined),
  count: (afterMs, throughMs) => (afterMs < atMs && atMs <= throughMs ? 1 : 0),
});

/** `firstMs`, unless it is excluded, and those of `inner` that are later. */
export const beginningWith = (firstMs: number, inner: Occurrences, isExcluded: boolean): Occurrences => ({
  next: (afterMs) => (afterMs < firstMs && !isExcluded ? firstMs : inner.next(Math.max(afterMs, firstMs))),
  count(afterMs, throughMs) {
    const first = !isExcluded && afterMs < firstMs && firstMs <= throughMs ? 1 : 0;
    const laterMs = Math.max(afterMs, firstMs);
    return first + (laterMs < throughMs ? inner.count(laterMs, throughMs) : 0);
  },
});

/** Only those from `startMs` (inclusive) to `endMs` (exclusive). */
export function between(startMs: number, endMs: number, inner: Occurrences): Occurrences {
  return {
    next(afterMs) {
      const atMs = inner.next(Math.max(afterMs, startMs - 1));
      return atMs !== undefined && atMs < endMs ? atMs : undefined;
    },
    count(afterMs, throughMs) {
      const [fromMs, toMs] = [Math.max(afterMs, startMs - 1), Math.min(throughMs, endMs - 1)];
      return fromMs < toMs ? inner.count(fromMs, toMs) : 0;
    },
  };
}

/** Each of `inner`, `byMs` later. */
export function delayed(byMs: number, inner: Occurrences): Occurrences {
  if (byMs === 0) return inner;
  return {
    next(afterMs) {
      const atMs = inner.next(afterMs - byMs);
      return atMs === undefined ? undefined : atMs + byMs;
    },
    count: (afterMs, throughMs) => inner.count(afterMs - byMs, throughMs - byMs),
  };
}
