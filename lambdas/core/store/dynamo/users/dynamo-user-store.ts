import { GetCommand } from '@aws-sdk/lib-dynamodb';

import { JOBS_KEY } from '../../../contracts/tables';
import { NEVER_ROTATED, type SecretVersions } from '../../../domain/secret-versions';
import type { UserStore } from '../../user-store';
import type { Row, TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';

/** Beside the user's jobs, under a sort key that no job can have. */
const userRowKey = (userId: string): Row => ({
  [JOBS_KEY.partition]: userId,
  [JOBS_KEY.sort]: '#user',
});

const neverRotated = 'attribute_not_exists(#secret)';
const sameVersion = '#secret.#version = :seenVersion';

/** Cost: 1 read unit, or 1 write unit. Lost race: `changed`; one's own earlier success is told by its instant. */
export const dynamoUserStore = (access: TableAccess): UserStore => ({
  secretVersions: (userId) => read(access, userId),

  async putSecretVersions(userId, next, seen) {
    const isFirst = seen.version === NEVER_ROTATED.version;
    const answer = await conditionalUpdate(access, {
      Key: userRowKey(userId),
      ConditionExpression: isFirst ? neverRotated : sameVersion,
      UpdateExpression: 'SET #secret = :secret',
      ExpressionAttributeValues: { ':secret': next, ...(!isFirst && { ':seenVersion': seen.version }) },
    });
    if (answer.held) return 'put';
    if (!answer.retried) return 'changed';
    const current = await read(access, userId);
    const isOwn = current.version === next.version && current.rotatedAtMs.at(-1) === next.rotatedAtMs.at(-1);
    return isOwn ? 'put' : 'changed';
  },
});

async function read(access: TableAccess, userId: string): Promise<SecretVersions> {
  const { Item } = await access.documents.send(
    new GetCommand({ TableName: access.table, Key: userRowKey(userId), ConsistentRead: true }),
  );
  return (Item?.secret as SecretVersions | undefined) ?? NEVER_ROTATED;
}
