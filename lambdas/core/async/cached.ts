import type { Clock } from '../clock/clock';

type CacheClock = Pick<Clock, 'nowMs' | 'monotonicMs'>;

export interface CacheOptions {
  /** How long a value counts, in milliseconds. */
  ttlMs: number;
  /**
   * A value counts until either clock says that its time is over. While a sandbox is frozen, the monotonic
   * clock may stand still; the wall clock alone may step back.
   */
  clock: CacheClock;
  /** Once there are this many keys, all of them are dropped. Default: no limit. */
  maxKeys?: number;
  /** A refresh that fails returns the expired value, and the next call reads again. Default: it rejects. */
  isStaleOnError?: boolean;
}

/** Caches `read` for each key. Calls that come during a read share it. A failure is not cached. */
export function cachedByKey<Key, Value>(
  read: (key: Key) => Promise<Value>,
  { ttlMs, clock, maxKeys = Number.POSITIVE_INFINITY, isStaleOnError = false }: CacheOptions,
): (key: Key) => Promise<Value> {
  const known = new Map<Key, { value: Promise<Value>; readAt: CacheClockTimes }>();
  return (key) => {
    const previous = known.get(key);
    const now = timesOf(clock);
    if (previous && ageMs(previous.readAt, now) < ttlMs) return previous.value;
    if (known.size >= maxKeys) known.clear();
    const value = read(key).catch((error: unknown) => {
      if (known.get(key)?.value === value) known.delete(key);
      if (isStaleOnError && previous) return previous.value;
      throw error;
    });
    known.set(key, { value, readAt: now });
    return value;
  };
}

interface CacheClockTimes {
  wallMs: number;
  monotonicMs: number;
}

const timesOf = (clock: CacheClock): CacheClockTimes => ({
  wallMs: clock.nowMs(),
  monotonicMs: clock.monotonicMs(),
});

const ageMs = (from: CacheClockTimes, to: CacheClockTimes): number =>
  Math.max(to.wallMs - from.wallMs, to.monotonicMs - from.monotonicMs);

/** Caches `read` for `ttlMs`. Calls that come during a read share it. A failure is not cached. */
export function cached<Value>(
  ttlMs: number,
  clock: CacheClock,
  read: () => Promise<Value>,
): () => Promise<Value> {
  const byKey = cachedByKey<undefined, Value>(read, { ttlMs, clock });
  return () => byKey(undefined);
}

/**
 * Makes a value when it is first asked for, and keeps it. For what few invocations of a function need, so
 * that its cold starts do not pay for it. A failure is not kept.
 */
export const lazy = <Made>(make: () => Promise<Made>): (() => Promise<Made>) =>
  cached(Number.POSITIVE_INFINITY, { nowMs: () => 0, monotonicMs: () => 0 }, make);
