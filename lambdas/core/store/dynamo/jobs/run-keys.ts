import { GetCommand } from '@aws-sdk/lib-dynamodb';

import { JOBS_KEY } from '../../../contracts/tables';
import type { RunKey, RunKeyStore } from '../../run-key-store';
import type { Row, TableAccess } from '../access';
import { conditionalPut } from '../conditional-write';

const isNew = 'attribute_not_exists(#jobId)';

/** Beside the user's jobs, under a sort key that no job can have. */
const runKeyRowKey = ({ userId, keyHash }: Pick<RunKey, 'userId' | 'keyHash'>): Row => ({
  [JOBS_KEY.partition]: userId,
  [JOBS_KEY.sort]: `#run#${keyHash}`,
});

/**
 * Condition: no such row. Cost: 1 write unit, and 1 read unit where the row is known and DynamoDB does not
 * hand it over.
 */
export const dynamoRunKeyStore = (access: TableAccess): RunKeyStore => ({
  async putUnlessKnown(key) {
    const rowKey = runKeyRowKey(key);
    const { bodyHash, execId, expiresAtSec } = key;
    const answer = await conditionalPut(access, {
      Item: { ...rowKey, bodyHash, execId, expiresAtSec },
      ConditionExpression: isNew,
    });
    if (answer.held) return key;
    const row = answer.current ?? (await read(access, rowKey));
    return row ? ({ ...key, ...pick(row) } as RunKey) : key;
  },
});

async function read(access: TableAccess, key: Row): Promise<Row | undefined> {
  const { Item } = await access.documents.send(
    new GetCommand({ TableName: access.table, Key: key, ConsistentRead: true }),
  );
  return Item;
}

const pick = ({ bodyHash, execId, expiresAtSec }: Row): Row => ({ bodyHash, execId, expiresAtSec });
