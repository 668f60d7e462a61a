import { type ExecutionMessage, isOrdered } from '../contracts/messages';
import { expiresAtSecAfter } from '../domain/timing';
import type { StageDeps } from '../deps';

/**
 * Writes the tickets of messages that have an ordering key. To be called before the messages are sent: later
 * executions of the key then find the ticket, even if its message is late or lost. Costs nothing without
 * ordering keys.
 */
export async function enqueueTickets(
  messages: readonly ExecutionMessage[],
  { ordering, clock, retentionDays }: Pick<StageDeps, 'ordering' | 'clock' | 'retentionDays'>,
): Promise<void> {
  const ordered = messages.filter(isOrdered);
  if (ordered.length === 0) return;
  const nowMs = clock.nowMs();
  await ordering.enqueue(
    ordered.map((message) => ({
      message,
      expiresAtSec: expiresAtSecAfter(Math.max(nowMs, message.dueAtMs), retentionDays),
    })),
  );
}
