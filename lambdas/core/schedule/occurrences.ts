import { MINUTE_MS } from '../clock/clock';

/**
 * Receives how many due times a minute has, in minutes since the epoch. A minute may be given in several
 * parts, in any order.
 */
export type AddToMinute = (minute: number, count: number) => void;

/** Due times in `(afterMs, throughMs]`, each counted in the minute of the instant `laterMs` after it. */
export interface MinuteWindow {
  afterMs: number;
  throughMs: number;
  laterMs: number;
}

/** Due times as bare arithmetic, in milliseconds since the epoch: the parts of a `Schedule`. */
export interface Occurrences {
  /**
   * The first one strictly later than `afterMs`; undefined if that is later than `untilMs`. The search stops
   * there.
   */
  next(afterMs: number, untilMs?: number): number | undefined;
  /** How many lie in `(afterMs, throughMs]`. Its cost does not grow with their number. */
  count(afterMs: number, throughMs: number): number;
  /** Adds them up by minute. Its cost grows with the minutes, not with the number of times in each. */
  addByMinute(window: MinuteWindow, add: AddToMinute): void;
}

/** No due time at all. */
export const NEVER: Occurrences = {
  next: () => undefined,
  count: () => 0,
  addByMinute: () => undefined,
};

export function once(atMs: number): Occurrences {
  const isIn = (afterMs: number, throughMs: number) => afterMs < atMs && atMs <= throughMs;
  return {
    next: (afterMs, untilMs = Number.POSITIVE_INFINITY) => (isIn(afterMs, untilMs) ? atMs : undefined),
    count: (afterMs, throughMs) => (isIn(afterMs, throughMs) ? 1 : 0),
    addByMinute({ afterMs, throughMs, laterMs }, add) {
      if (isIn(afterMs, throughMs)) add(Math.floor((atMs + laterMs) / MINUTE_MS), 1);
    },
  };
}

/** Adds up by minute with a search and a count for each minute that has any. */
export function addEachMinute(
  { next, count }: Pick<Occurrences, 'next' | 'count'>,
  { afterMs, throughMs, laterMs }: MinuteWindow,
  add: AddToMinute,
): void {
  let atMs = next(afterMs, throughMs);
  while (atMs !== undefined) {
    const minute = Math.floor((atMs + laterMs) / MINUTE_MS);
    const lastMs = Math.min((minute + 1) * MINUTE_MS - laterMs - 1, throughMs);
    add(minute, count(atMs - 1, lastMs));
    atMs = next(lastMs, throughMs);
  }
}

/** `firstMs`, unless it is excluded, and those of `inner` that are later. */
export const beginningWith = (firstMs: number, inner: Occurrences, isExcluded: boolean): Occurrences => ({
  next: (afterMs, untilMs) =>
    afterMs < firstMs && !isExcluded
      ? once(firstMs).next(afterMs, untilMs)
      : inner.next(Math.max(afterMs, firstMs), untilMs),
  count(afterMs, throughMs) {
    const first = !isExcluded && afterMs < firstMs && firstMs <= throughMs ? 1 : 0;
    const laterMs = Math.max(afterMs, firstMs);
    return first + (laterMs < throughMs ? inner.count(laterMs, throughMs) : 0);
  },
  addByMinute(window, add) {
    const { afterMs, throughMs } = window;
    if (!isExcluded) once(firstMs).addByMinute(window, add);
    const fromMs = Math.max(afterMs, firstMs);
    if (fromMs < throughMs) inner.addByMinute({ ...window, afterMs: fromMs }, add);
  },
});

/** Only those from `startMs` (inclusive) to `endMs` (exclusive). */
export function between(startMs: number, endMs: number, inner: Occurrences): Occurrences {
  const within = (afterMs: number, throughMs: number) =>
    [Math.max(afterMs, startMs - 1), Math.min(throughMs, endMs - 1)] as const;
  return {
    next(afterMs, untilMs = Number.POSITIVE_INFINITY) {
      const [fromMs, toMs] = within(afterMs, untilMs);
      return fromMs < toMs ? inner.next(fromMs, toMs) : undefined;
    },
    count(afterMs, throughMs) {
      const [fromMs, toMs] = within(afterMs, throughMs);
      return fromMs < toMs ? inner.count(fromMs, toMs) : 0;
    },
    addByMinute({ afterMs, throughMs, laterMs }, add) {
      const [fromMs, toMs] = within(afterMs, throughMs);
      if (fromMs < toMs) inner.addByMinute({ afterMs: fromMs, throughMs: toMs, laterMs }, add);
    },
  };
}

/** Each of `inner`, `byMs` later. */
export function delayed(byMs: number, inner: Occurrences): Occurrences {
  if (byMs === 0) return inner;
  return {
    next(afterMs, untilMs = Number.POSITIVE_INFINITY) {
      const atMs = inner.next(afterMs - byMs, untilMs - byMs);
      return atMs === undefined ? undefined : atMs + byMs;
    },
    count: (afterMs, throughMs) => inner.count(afterMs - byMs, throughMs - byMs),
    addByMinute: ({ afterMs, throughMs, laterMs }, add) =>
      inner.addByMinute(
        { afterMs: afterMs - byMs, throughMs: throughMs - byMs, laterMs: laterMs + byMs },
        add,
      ),
  };
}
