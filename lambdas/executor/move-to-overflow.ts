import { delaySecFor } from '../core/domain/timing';
import type { ExecutorDeps } from './deps';
import type { Received } from './next-task';

type MoveDeps = Pick<ExecutorDeps, 'clock' | 'exceedsLaneLimit' | 'lane' | 'log' | 'queue'>;

/**
 * Sends messages of projects that exceed their limit in the lane to the overflow. Their senders cannot: most
 * messages are sent minutes ahead, before a target hangs.
 *
 * @returns the messages to execute here
 */
export async function moveToOverflow(
  batch: readonly Received[],
  deps: MoveDeps,
): Promise<readonly Received[]> {
  if (deps.lane === 'overflow') return batch;
  const exceed = await Promise.all(batch.map(({ message }) => deps.exceedsLaneLimit(message)));
  const moved = batch.filter((_, index) => exceed[index]);
  if (moved.length === 0) return batch;
  try {
    const nowMs = deps.clock.nowMs();
    const delaySec = (startAtMs: number) => delaySecFor(startAtMs, nowMs);
    await deps.queue.send(
      moved.map(({ message }) => ({ message, delaySec: delaySec(message.startAtMs), lane: 'overflow' })),
    );
  } catch (error) {
    deps.log.error('messages could not be moved to the overflow', error, { count: moved.length });
    return batch;
  }
  deps.log.info('messages moved to the overflow', { count: moved.length });
  return batch.filter((_, index) => !exceed[index]);
}
