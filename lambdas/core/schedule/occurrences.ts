/** Due times as bare arithmetic, in milliseconds since the epoch; pieces that a `Schedule` is put together from. */
export interface Occurrences {
  /** The first one strictly later than `afterMs`. */
  next(afterMs: number): number | undefined;
  /** How many lie in `(afterMs, throughMs]`, where that is known without walking through them. */
  count?(afterMs: number, throughMs: number): number;
}

export const once = (atMs: number): Occurrences => ({
  next: (afterMs) => (afterMs < atMs ? atMs : undefined),
});

/** `firstMs`, unless it is left out, and of the others only those later than it. */
export const beginningWith = (firstMs: number, inner: Occurrences, leftOut: boolean): Occurrences => ({
  next: (afterMs) => (afterMs < firstMs && !leftOut ? firstMs : inner.next(Math.max(afterMs, firstMs))),
});

/** Only those from `startMs` (inclusive) to `endMs` (exclusive). */
export function between(startMs: number, endMs: number, inner: Occurrences): Occurrences {
  const { count } = inner;
  return {
    next(afterMs) {
      const atMs = inner.next(Math.max(afterMs, startMs - 1));
      return atMs !== undefined && atMs < endMs ? atMs : undefined;
    },
    count:
      count &&
      ((afterMs, throughMs) => {
        const [fromMs, toMs] = [Math.max(afterMs, startMs - 1), Math.min(throughMs, endMs - 1)];
        return fromMs < toMs ? count(fromMs, toMs) : 0;
      }),
  };
}

/** The same, each `byMs` later. */
export function delayed(byMs: number, inner: Occurrences): Occurrences {
  if (byMs === 0) return inner;
  const { count } = inner;
  return {
    next(afterMs) {
      const atMs = inner.next(afterMs - byMs);
      return atMs === undefined ? undefined : atMs + byMs;
    },
    count: count && ((afterMs, throughMs) => count(afterMs - byMs, throughMs - byMs)),
  };
}
