import { createHash } from 'node:crypto';

import { debounceKeyOf, EXECUTIONS_KEY } from '../../contracts/tables';
import type { DebounceRef, DebounceStore } from '../debounce-store';
import type { Row, TableAccess } from './access';
import { conditionalPut } from './conditional-write';
import { readRow } from './read-row';

const isNew = 'attribute_not_exists(#openRun)';
const isAsSeen = '#openRun = :seen';

/** Key: the job's and the hash of its user's text, which may be long. */
const rowKeyOf = ({ jobKey, key }: DebounceRef): Row => ({
  [EXECUTIONS_KEY.partition]: debounceKeyOf(jobKey),
  [EXECUTIONS_KEY.sort]: createHash('sha256').update(key).digest('base64url'),
});

/**
 * Condition of a write: the row names the run seen, or none. Cost of a write: 1 write unit; of a get: 1 read
 * unit. TTL removes the row with the run.
 */
export const dynamoDebounceStore = (access: TableAccess): DebounceStore => ({
  async get(ref) {
    const row = await readRow(access, rowKeyOf(ref));
    return row?.openRun as string | undefined;
  },

  async replace(ref, { execId, expiresAtSec }, seen) {
    const answer = await conditionalPut(access, {
      Item: { ...rowKeyOf(ref), openRun: execId, expiresAtSec },
      ConditionExpression: seen === undefined ? isNew : isAsSeen,
      ...(seen !== undefined && { ExpressionAttributeValues: { ':seen': seen } }),
    });
    if (answer.applied) return 'done';
    const current = answer.current ?? (await readRow(access, rowKeyOf(ref)));
    return current?.openRun === execId ? 'done' : 'lost';
  },
});
