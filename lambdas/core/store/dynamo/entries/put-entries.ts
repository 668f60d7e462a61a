import type { Entry } from '../../../domain/entry';
import type { TableAccess } from '../access';
import { entryRowOf } from './entry-row';
import { putRows } from './put-rows';

/**
 * Key: each entry's own, so the same entry is the same row; no condition. Cost: 1 write unit an entry, 25 a call.
 * Nothing can be lost to a race. `WriteTimeoutError` where not all of it is acknowledged within `withinMs`.
 */
export const putEntries = (
  access: TableAccess,
  entries: readonly Entry[],
  withinMs?: number,
): Promise<void> => putRows(access, entries.map(entryRowOf), 'entries', withinMs);
