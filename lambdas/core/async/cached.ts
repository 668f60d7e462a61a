import type { Clock } from '../clock/clock';

/**
 * What `read` gives, read once for all who ask at the same time and kept for `keptMs`. A failure is told to those who
 * asked, and kept from nobody: the next one reads again.
 */
export function cached<Value>(
  keptMs: number,
  clock: Pick<Clock, 'monotonicMs'>,
  read: () => Promise<Value>,
): () => Promise<Value> {
  let known: { value: Promise<Value>; readAtMs: number } | undefined;
  return async () => {
    const nowMs = clock.monotonicMs();
    if (!known || nowMs - known.readAtMs >= keptMs) known = { value: read(), readAtMs: nowMs };
    const mine = known;
    try {
      return await mine.value;
    } catch (error) {
      if (known === mine) known = undefined;
      throw error;
    }
  };
}
