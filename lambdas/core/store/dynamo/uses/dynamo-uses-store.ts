import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';

import { JOBS_KEY, USES, type UsedKind, usesPrefixOf } from '../../../contracts/tables';
import type { Use, UsesStore } from '../../uses-store';
import type { Row, TableAccess } from '../access';
import { conditionalDelete } from '../conditional-write';
import { namesIn } from '../expressions';

const { partition, sort } = JOBS_KEY;
const keyOf = ({ userId, kind, name, jobId }: Use): Row => ({
  [partition]: userId,
  [sort]: usesPrefixOf(kind, name) + jobId,
});

const ofThing = `#${partition} = :userId AND begins_with(#${sort}, :prefix)`;
const isUnchanged = '#atMs = :atMs';

/** Beside the jobs, in rows under 1 KB. Cost: 1 write unit a row; 1 read unit each 4 KB. */
export const dynamoUsesStore = (access: TableAccess): UsesStore => ({
  async put(uses) {
    await Promise.all(
      uses.map((use) =>
        access.documents.send(
          new PutCommand({ TableName: access.table, Item: { ...keyOf(use), atMs: use.atMs } }),
        ),
      ),
    );
  },

  async list(userId, kind, name, { after, limit }) {
    const prefix = usesPrefixOf(kind, name);
    const { Items = [] } = await access.documents.send(
      new QueryCommand({
        TableName: access.table,
        KeyConditionExpression: ofThing,
        ExpressionAttributeNames: namesIn(ofThing),
        ExpressionAttributeValues: { ':userId': userId, ':prefix': prefix },
        ...(after !== undefined && { ExclusiveStartKey: { [partition]: userId, [sort]: prefix + after } }),
        Limit: limit,
        ConsistentRead: true,
      }),
    );
    return Items.map(useOf);
  },

  async listKind(userId, kind, { after, limit }) {
    const { Items = [] } = await access.documents.send(
      new QueryCommand({
        TableName: access.table,
        KeyConditionExpression: ofThing,
        ExpressionAttributeNames: namesIn(ofThing),
        ExpressionAttributeValues: { ':userId': userId, ':prefix': `${USES}${kind}/` },
        ...(after && { ExclusiveStartKey: keyOf(after) }),
        Limit: limit,
      }),
    );
    return Items.map(useOf);
  },

  async remove(use) {
    await conditionalDelete(access, {
      Key: keyOf(use),
      ConditionExpression: isUnchanged,
      ExpressionAttributeValues: { ':atMs': use.atMs },
    });
  },
});

/** A use by its row. */
export function useOf(row: Row): Use {
  const [kind, name, jobId] = (row[sort] as string).slice(USES.length).split('/');
  return {
    userId: row[partition] as string,
    jobId: jobId!,
    kind: kind as UsedKind,
    name: name!,
    atMs: row.atMs as number,
  };
}
