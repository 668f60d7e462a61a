import { JOBS_KEY, PROJECT_SORT, SIGNING_HOSTS, signingHostSortOf } from '../../contracts/tables';
import { NEVER_ROTATED, type SecretVersions } from '../../domain/secret-versions';
import type { UserStore } from '../user-store';
import type { Row, TableAccess } from './access';
import { conditionalUpdate } from './conditional-write';
import { allOf } from './expressions';
import { queryRows } from './query-rows';
import { readRow } from './read-row';

/** Beside the project's jobs, under a sort key that no job can have. */
const rowKeyOf = (userId: string, host: string | undefined): Row => ({
  [JOBS_KEY.partition]: userId,
  [JOBS_KEY.sort]: host === undefined ? PROJECT_SORT : signingHostSortOf(host),
});

const areRotatedHosts = allOf('#userId = :userId', 'begins_with(#jobId, :hosts)');
const isUnrotated = 'attribute_not_exists(#secret)';
const isSameVersion = '#secret.#version = :seenVersion';

/**
 * Cost: 1 read unit, or 1 write unit; of the count, 1 read unit each 4 KB of rows. Lost race: `changed`. An
 * earlier try of the same call is recognised by its instant.
 */
export const dynamoUserStore = (access: TableAccess): UserStore => ({
  secretVersions: (userId, host) => readVersions(access, userId, host),
  countRotatedHosts: (userId) => countRotatedHosts(access, userId),

  async putSecretVersions(userId, next, seen, host) {
    const isFirst = seen.version === NEVER_ROTATED.version;
    const answer = await conditionalUpdate(access, {
      Key: rowKeyOf(userId, host),
      ConditionExpression: isFirst ? isUnrotated : isSameVersion,
      UpdateExpression: 'SET #secret = :secret',
      ExpressionAttributeValues: { ':secret': next, ...(!isFirst && { ':seenVersion': seen.version }) },
    });
    if (answer.applied) return 'put';
    if (!answer.retried) return 'changed';
    const current = await readVersions(access, userId, host);
    const isOwn = current.version === next.version && current.rotatedAtMs.at(-1) === next.rotatedAtMs.at(-1);
    return isOwn ? 'put' : 'changed';
  },
});

async function readVersions(
  access: TableAccess,
  userId: string,
  host: string | undefined,
): Promise<SecretVersions> {
  const row = await readRow(access, rowKeyOf(userId, host));
  return (row?.secret as SecretVersions | undefined) ?? NEVER_ROTATED;
}

async function countRotatedHosts(access: TableAccess, userId: string): Promise<number> {
  const values = { ':userId': userId, ':hosts': SIGNING_HOSTS };
  return (await queryRows(access, { condition: areRotatedHosts, values })).rows.length;
}
