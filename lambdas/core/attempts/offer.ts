import { SECOND_MS } from '../clock/clock';
import type { WorkMessage } from '../contracts/messages';
import type { StageDeps } from '../deps';
import { TICKET_KEPT_MS } from '../domain/work';

/**
 * Offers an execution to the workers of its queue: writes its ticket. It takes no lease and asks no gate. A
 * message that comes again finds its ticket.
 */
export async function offer(
  message: WorkMessage,
  { work, clock, random }: Pick<StageDeps, 'work' | 'clock' | 'random'>,
): Promise<void> {
  const nowMs = clock.nowMs();
  const keptMs = Math.max(message.startAtMs, nowMs) + message.startWithinMs + TICKET_KEPT_MS;
  await work.offer(message, { offerId: random.id(), nowMs, expiresAtSec: Math.ceil(keptMs / SECOND_MS) });
}
