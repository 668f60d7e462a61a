import type { WatchMessage } from '../core/contracts/messages';
import type { WatcherDeps } from './deps';
import { probe } from './probe';
import { takeEvent } from './take-event';

interface Received {
  id: string;
  message: WatchMessage;
}

/**
 * Learns how errands end: from the events of their services, and from probes that the sweeper has ordered.
 * One message after another, since two of them may be about one errand.
 *
 * @returns ids of the messages to give back
 */
export async function watch(
  received: readonly Received[],
  deps: WatcherDeps,
): Promise<{ failedIds: string[] }> {
  const failedIds: string[] = [];
  for (const { id, message } of received) {
    try {
      const done = 'probe' in message ? await probe(message.probe, deps) : await takeEvent(message, deps);
      if (done === 'put-back') failedIds.push(id);
    } catch (error) {
      deps.log.error('message returned to its queue', error, { messageId: id });
      failedIds.push(id);
    }
  }
  return { failedIds };
}
