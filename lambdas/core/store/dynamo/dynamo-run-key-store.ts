import { createHash } from 'node:crypto';

import { EXECUTIONS_KEY, runKeysKeyOf } from '../../contracts/tables';
import type { NamedRun, RunKeyRef, RunKeyStore } from '../run-key-store';
import type { Row, TableAccess } from './access';
import { conditionalPut } from './conditional-write';
import { readRow } from './read-row';

const isNew = 'attribute_not_exists(#namedRun)';
const isAsSeen = '#namedRun = :seenRun AND #namedAtMs = :seenAtMs';

/** Key: the job's and the hash of its user's text, which may be any. */
const rowKeyOf = ({ jobKey, key }: RunKeyRef): Row => ({
  [EXECUTIONS_KEY.partition]: runKeysKeyOf(jobKey),
  [EXECUTIONS_KEY.sort]: createHash('sha256').update(key).digest('base64url'),
});

const namedIn = (row: Row | undefined): NamedRun | undefined =>
  row && { execId: row.namedRun as string, namedAtMs: row.namedAtMs as number };

/**
 * Condition of a write: the row names what was seen, or there is none. Cost of a write: 1 write unit; of a
 * get: 1 read unit.
 */
export const dynamoRunKeyStore = (access: TableAccess): RunKeyStore => ({
  get: async (ref) => namedIn(await readRow(access, rowKeyOf(ref))),

  async put(ref, { execId, namedAtMs, expiresAtSec }, seen, options) {
    const answer = await conditionalPut(
      access,
      {
        Item: { ...rowKeyOf(ref), namedRun: execId, namedAtMs, expiresAtSec },
        ConditionExpression: seen ? isAsSeen : isNew,
        ...(seen && {
          ExpressionAttributeValues: { ':seenRun': seen.execId, ':seenAtMs': seen.namedAtMs },
        }),
      },
      options,
    );
    if (answer.applied) return 'done';
    // An earlier try of this call may have written it.
    const current = namedIn(answer.current ?? (await readRow(access, rowKeyOf(ref))));
    return current?.execId === execId && current.namedAtMs === namedAtMs ? 'done' : 'lost';
  },
});
