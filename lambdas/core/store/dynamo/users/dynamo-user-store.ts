import { JOBS_KEY } from '../../../contracts/tables';
import { NEVER_ROTATED, type SecretVersions } from '../../../domain/secret-versions';
import type { UserStore } from '../../user-store';
import type { Row, TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { readRow } from '../read-row';

/** Beside the user's jobs, under a sort key that no job can have. */
const userRowKey = (userId: string): Row => ({
  [JOBS_KEY.partition]: userId,
  [JOBS_KEY.sort]: '#user',
});

const isUnrotated = 'attribute_not_exists(#secret)';
const isSameVersion = '#secret.#version = :seenVersion';

/**
 * Cost: 1 read unit, or 1 write unit. Lost race: `changed`. An earlier try of the same call is recognised by
 * its instant.
 */
export const dynamoUserStore = (access: TableAccess): UserStore => ({
  secretVersions: (userId) => readVersions(access, userId),

  async putSecretVersions(userId, next, seen) {
    const isFirst = seen.version === NEVER_ROTATED.version;
    const answer = await conditionalUpdate(access, {
      Key: userRowKey(userId),
      ConditionExpression: isFirst ? isUnrotated : isSameVersion,
      UpdateExpression: 'SET #secret = :secret',
      ExpressionAttributeValues: { ':secret': next, ...(!isFirst && { ':seenVersion': seen.version }) },
    });
    if (answer.applied) return 'put';
    if (!answer.retried) return 'changed';
    const current = await readVersions(access, userId);
    const isOwn = current.version === next.version && current.rotatedAtMs.at(-1) === next.rotatedAtMs.at(-1);
    return isOwn ? 'put' : 'changed';
  },
});

async function readVersions(access: TableAccess, userId: string): Promise<SecretVersions> {
  const row = await readRow(access, userRowKey(userId));
  return (row?.secret as SecretVersions | undefined) ?? NEVER_ROTATED;
}
