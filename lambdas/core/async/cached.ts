import type { Clock } from '../clock/clock';

/**
 * Caches `read` for `ttlMs`. Concurrent callers share one read. A failure rejects for them and is not cached.
 */
export function cached<Value>(
  ttlMs: number,
  clock: Pick<Clock, 'monotonicMs'>,
  read: () => Promise<Value>,
): () => Promise<Value> {
  let known: { value: Promise<Value>; readAtMs: number } | undefined;
  return async () => {
    const nowMs = clock.monotonicMs();
    if (!known || nowMs - known.readAtMs >= ttlMs) known = { value: read(), readAtMs: nowMs };
    const mine = known;
    try {
      return await mine.value;
    } catch (error) {
      if (known === mine) known = undefined;
      throw error;
    }
  };
}
