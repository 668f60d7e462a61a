import type { Gate } from './gate';
import { concurrencyKeyGate } from './concurrency-key';
import { orderingKeyGate } from './ordering-key';
import { overlapGate } from './overlap';

/**
 * The gates in the order in which every execution passes them. The order is fixed, and only the last gate may
 * be held while the claim is made, so no two executions wait for each other.
 */
export const GATES: readonly Gate[] = [orderingKeyGate, overlapGate, concurrencyKeyGate];
