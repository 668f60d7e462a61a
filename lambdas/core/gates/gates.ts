import type { Gate } from './gate';
import { concurrencyKeyGate } from './concurrency-key';
import { orderingKeyGate } from './ordering-key';
import { overlapGate } from './overlap';

/**
 * The gates in the order in which every execution passes them. An execution that has passed a gate never
 * waits for one that has not (docs/adr/0037). What waits for an ordering key holds nothing. What waits at
 * another gate holds its ordering key alone.
 */
export const GATES: readonly Gate[] = [orderingKeyGate, concurrencyKeyGate, overlapGate];
