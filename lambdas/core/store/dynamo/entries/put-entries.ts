import type { Entry } from '../../../domain/entry';
import type { TableAccess } from '../access';
import { batchPut } from '../batch-put';
import { entryRowOf } from '../entries';

/**
 * Key: each entry's own, so the same entry is the same row. No condition, and no race to lose.
 * Cost: 1 write unit an entry, 25 a call.
 *
 * @throws WriteTimeoutError if DynamoDB has not acknowledged all of them within `withinMs`
 */
export const putEntries = (
  access: TableAccess,
  entries: readonly Entry[],
  withinMs?: number,
): Promise<void> => batchPut(access, entries.map(entryRowOf), 'entries', withinMs);
