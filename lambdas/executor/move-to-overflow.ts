import { SECOND_MS } from '../core/clock/clock';
import type { ExecutorDeps } from './deps';
import type { Received } from './next-task';

/** A message that is received this long after its start has waited for an executor. */
const WAITED_MS = SECOND_MS;

type MoveDeps = Pick<ExecutorDeps, 'clock' | 'exceedsLaneLimit' | 'lane' | 'log' | 'queue'>;

/**
 * Sends messages to the overflow that have waited, and whose project exceeds its limit in the lane. Their
 * sender could not know that: planned messages are sent minutes ahead. Messages of other projects in the lane
 * then wait no longer.
 *
 * @returns the messages to execute here
 */
export async function moveToOverflow(
  batch: readonly Received[],
  deps: MoveDeps,
): Promise<readonly Received[]> {
  if (deps.lane === 'overflow') return batch;
  const nowMs = deps.clock.nowMs();
  const waited = batch.filter(({ message }) => nowMs - message.startAtMs > WAITED_MS);
  if (waited.length === 0) return batch;
  const areOver = await Promise.all(waited.map(({ message }) => deps.exceedsLaneLimit(message)));
  const moved = new Set(waited.filter((_, index) => areOver[index]));
  if (moved.size === 0) return batch;
  try {
    await deps.queue.send([...moved].map(({ message }) => ({ message, delaySec: 0, lane: 'overflow' })));
  } catch (error) {
    deps.log.error('messages could not be moved to the overflow', error, { count: moved.size });
    return batch;
  }
  deps.log.info('messages moved to the overflow', { count: moved.size });
  return batch.filter((received) => !moved.has(received));
}
