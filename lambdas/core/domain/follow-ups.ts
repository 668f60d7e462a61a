import type { Execution } from './execution';
import { isTerminal } from './transitions';

/** What must happen after an execution has ended. Each is idempotent. */
export type FollowUp =
  | 'release-ordering-key'
  | 'release-overlap-lock'
  | 'release-slot'
  | 'start-waiters'
  | 'ask-awaits'
  | 'go-on-with-parent';

/**
 * The attributes that follow-ups derive from. The claim or the end writes them, and only a user retry clears
 * them.
 */
export type FollowUpSource = Pick<
  Execution,
  | 'status'
  | 'orderingKey'
  | 'blocksKey'
  | 'occupiesJob'
  | 'concurrencyKey'
  | 'userRetries'
  | 'timesMoved'
  | 'awaited'
  | 'parent'
>;

/**
 * Derives the follow-ups of an execution from its row alone: nothing is stored, nothing is cleared. A plain
 * job has none, and no execution has any before its end. A failure that blocks its ordering key keeps the key
 * until it is unblocked.
 */
export function followUps(source: FollowUpSource): FollowUp[] {
  const { status, orderingKey, blocksKey, occupiesJob, concurrencyKey, awaited, parent } = source;
  if (!isTerminal(status)) return [];
  return [
    ...(concurrencyKey !== undefined ? (['release-slot'] as const) : []),
    ...(occupiesJob ? (['release-overlap-lock'] as const) : []),
    ...(orderingKey !== undefined && !blocksKey ? (['release-ordering-key'] as const) : []),
    ...(awaited ? (['start-waiters', 'ask-awaits'] as const) : []),
    ...(parent ? (['go-on-with-parent'] as const) : []),
  ];
}
