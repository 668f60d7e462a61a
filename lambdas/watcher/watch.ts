import type { ErrandEventMessage, ProbeRequest, WatchMessage } from '../core/contracts/messages';
import type { WatcherDeps } from './deps';
import { probeAll } from './probe-all';
import { takeEvent } from './take-event';

interface Received<Message extends WatchMessage = WatchMessage> {
  id: string;
  message: Message;
}

const isProbe = (one: Received): one is Received<ProbeRequest> => 'probe' in one.message;
const isEvent = (one: Received): one is Received<ErrandEventMessage> => !isProbe(one);

/**
 * Learns how errands end: from the events of their services, and from probes that the sweeper has ordered.
 * The events side by side: of two about one errand, one write wins, as between two watchers. Then the probes:
 * what an event has settled is not asked for.
 *
 * @returns ids of the messages to give back
 */
export async function watch(
  received: readonly Received[],
  deps: WatcherDeps,
): Promise<{ failedIds: string[] }> {
  const failedIds: string[] = [];
  const handled = async (ids: readonly string[], handle: () => Promise<'done' | 'put-back'>) => {
    try {
      if ((await handle()) === 'put-back') failedIds.push(...ids);
    } catch (error) {
      deps.log.error('messages returned to their queue', error, { messageIds: ids });
      failedIds.push(...ids);
    }
  };
  const events = received.filter(isEvent);
  await Promise.all(events.map(({ id, message }) => handled([id], () => takeEvent(message, deps))));
  await probeAll(received.filter(isProbe), handled, deps);
  return { failedIds };
}
