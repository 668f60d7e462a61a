import { DeleteCommand } from './commands';

import { SECOND_MS } from '../../clock/clock';
import { JOBS_KEY } from '../../contracts/tables';
import type { RequestKey, RequestKeyStore } from '../request-key-store';
import type { Row, TableAccess } from './access';
import { conditionalPut } from './conditional-write';
import { anyOf } from './expressions';
import { readRow } from './read-row';

const isNew = 'attribute_not_exists(#jobId)';
/** DynamoDB deletes a row up to some days after its time. */
const isExpired = '#expiresAtSec < :nowSec';

/** Beside the project's jobs, under a sort key that no job can have. */
const rowKeyOf = (userId: string, keyHash: string): Row => ({
  [JOBS_KEY.partition]: userId,
  [JOBS_KEY.sort]: `#key#${keyHash}`,
});

/**
 * Condition of a put: no such row, or an expired one. Cost of a put: 1 write unit, and 1 read unit if the key
 * is known and DynamoDB does not return its row. Cost of a get: 1 read unit; of a removal: 1 write unit.
 */
export const dynamoRequestKeyStore = (access: TableAccess): RequestKeyStore => ({
  async putUnlessKnown(key) {
    const { userId, keyHash, ...attributes } = key;
    const rowKey = rowKeyOf(userId, keyHash);
    const answer = await conditionalPut(access, {
      Item: { ...rowKey, ...attributes },
      ConditionExpression: anyOf(isNew, isExpired),
      ExpressionAttributeValues: { ':nowSec': nowSecOf(access) },
    });
    if (answer.applied) return key;
    const row = answer.current ?? (await readRow(access, rowKey));
    return row ? keyOf(userId, keyHash, row) : key;
  },

  async get(userId, keyHash) {
    const row = await readRow(access, rowKeyOf(userId, keyHash));
    const key = row && keyOf(userId, keyHash, row);
    return key && (key.expiresAtSec ?? Number.POSITIVE_INFINITY) >= nowSecOf(access) ? key : undefined;
  },

  async remove(userId, keyHash) {
    await access.documents.send(
      new DeleteCommand({ TableName: access.table, Key: rowKeyOf(userId, keyHash) }),
    );
  },
});

const nowSecOf = ({ clock }: TableAccess): number => Math.floor(clock.nowMs() / SECOND_MS);

const keyOf = (userId: string, keyHash: string, { bodyHash, resultId, expiresAtSec }: Row): RequestKey =>
  ({ userId, keyHash, bodyHash, resultId, expiresAtSec }) as RequestKey;
