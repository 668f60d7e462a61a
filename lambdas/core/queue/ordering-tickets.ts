import { type ExecutionMessage, isOrdered } from '../contracts/messages';
import { expiresAtSecAfter } from '../domain/timing';
import type { StageDeps } from '../deps';

/**
 * Gives what is ordered its place in line, before its message goes out: so whoever comes later finds it there, be its
 * message late or lost. Costs nothing where nothing is ordered.
 */
export async function enqueueTickets(
  messages: readonly ExecutionMessage[],
  { ordering: lines, clock, retentionDays }: Pick<StageDeps, 'ordering' | 'clock' | 'retentionDays'>,
): Promise<void> {
  const ordered = messages.filter(isOrdered);
  if (ordered.length === 0) return;
  const nowMs = clock.nowMs();
  await lines.enqueue(
    ordered.map((message) => ({
      message,
      expiresAtSec: expiresAtSecAfter(Math.max(nowMs, message.dueAtMs), retentionDays),
    })),
  );
}
