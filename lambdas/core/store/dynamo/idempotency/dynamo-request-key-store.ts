import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';

import { SECOND_MS } from '../../../clock/clock';
import { JOBS_KEY } from '../../../contracts/tables';
import type { RequestKey, RequestKeyStore } from '../../request-key-store';
import type { Row, TableAccess } from '../access';
import { conditionalPut } from '../conditional-write';
import { anyOf } from '../expressions';

const isNew = 'attribute_not_exists(#jobId)';
/** DynamoDB removes a row some day after its time. */
const isOver = '#expiresAtSec < :nowSec';

/** Beside the user's jobs, under a sort key that no job can have. */
const rowKeyOf = (userId: string, keyHash: string): Row => ({
  [JOBS_KEY.partition]: userId,
  [JOBS_KEY.sort]: `#key#${keyHash}`,
});

/**
 * Condition of a put: no such row, or one whose time is over. Cost: 1 write unit, and 1 read unit where the row is known
 * and DynamoDB does not hand it over; of a get 1 read unit, of a removal 1 write unit.
 */
export const dynamoRequestKeyStore = (access: TableAccess): RequestKeyStore => ({
  async putUnlessKnown(key) {
    const { userId, keyHash, ...attributes } = key;
    const rowKey = rowKeyOf(userId, keyHash);
    const answer = await conditionalPut(access, {
      Item: { ...rowKey, ...attributes },
      ConditionExpression: anyOf(isNew, isOver),
      ExpressionAttributeValues: { ':nowSec': nowSecOf(access) },
    });
    if (answer.held) return key;
    const row = answer.current ?? (await read(access, rowKey));
    return row ? keyOf(userId, keyHash, row) : key;
  },

  async get(userId, keyHash) {
    const row = await read(access, rowKeyOf(userId, keyHash));
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

async function read(access: TableAccess, key: Row): Promise<Row | undefined> {
  const { Item } = await access.documents.send(
    new GetCommand({ TableName: access.table, Key: key, ConsistentRead: true }),
  );
  return Item;
}

const keyOf = (userId: string, keyHash: string, { bodyHash, resultId, expiresAtSec }: Row): RequestKey =>
  ({ userId, keyHash, bodyHash, resultId, expiresAtSec }) as RequestKey;
