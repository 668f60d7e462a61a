import {
  accessTokensKeyOf,
  EXECUTIONS_KEY,
  HAS_SECRETS_SORT,
  JOBS_KEY,
  secretsKeyOf,
} from '../../contracts/tables';
import type { Secret } from '../../domain/secret';
import type { AccessTokenRow, SecretStore } from '../secret-store';
import type { Row, TableAccess } from './access';
import { DeleteCommand, PutCommand, ScanCommand } from './commands';
import { conditionalPut } from './conditional-write';
import { namesIn } from './expressions';
import { queryRows, type Rows } from './query-rows';
import { readRow } from './read-row';

const { partition, sort } = EXECUTIONS_KEY;
const keyOf = (project: string, name: string): Row => ({ [partition]: secretsKeyOf(project), [sort]: name });

const isNew = `attribute_not_exists(#${sort})`;
const isSeen = '#version = :seenVersion';
const ofPartition = `#${partition} = :partition`;
const ofPrefix = `${ofPartition} AND begins_with(#${sort}, :prefix)`;

const MAX_TOKENS = 500;

/**
 * Secrets and access tokens in Executions: a value of 4 KB is too large for Jobs, which the auditor scans. A
 * small row in Jobs says which projects have any. Cost: 1 read unit each 4 KB, 1 write unit a KB.
 */
export const dynamoSecretStore = (access: TableAccess, jobs: TableAccess): SecretStore => {
  const put = async (secret: Secret, seenVersion: string | undefined): Promise<'put' | 'changed'> => {
    const answer = await conditionalPut(access, {
      Item: rowOf(secret),
      ConditionExpression: seenVersion === undefined ? isNew : isSeen,
      ...(seenVersion !== undefined && { ExpressionAttributeValues: { ':seenVersion': seenVersion } }),
    });
    if (answer.applied) return 'put';
    if (!answer.retried) return 'changed';
    const row = await readRow(access, keyOf(secret.project, secret.name));
    return row?.version === secret.version && row.sealed === secret.sealed ? 'put' : 'changed';
  };
  return {
    async get(project, name) {
      const row = await readRow(access, keyOf(project, name));
      return row && secretOf(project, row);
    },

    async list(project) {
      const values = { ':partition': secretsKeyOf(project) };
      const { rows } = await queryRows(access, { condition: ofPartition, values });
      return rows.map((row) => secretOf(project, row));
    },

    async put(secret, seenVersion) {
      if (seenVersion === undefined) await markProject(jobs, secret.project);
      return put(secret, seenVersion);
    },

    reseal: (secret) => put(secret, secret.version),

    async remove(project, name) {
      await access.documents.send(new DeleteCommand({ TableName: access.table, Key: keyOf(project, name) }));
    },

    async latestToken(project, secret, grant) {
      const { rows } = await newestTokens(access, project, `${secret}#${grant}#`, 1);
      return rows[0] && tokenOf(project, rows[0]);
    },

    async putToken({ project, ...token }) {
      const at = String(token.fetchedAtMs).padStart(15, '0');
      const key = { [partition]: accessTokensKeyOf(project), [sort]: `${token.secret}#${token.grant}#${at}` };
      await access.documents.send(new PutCommand({ TableName: access.table, Item: { ...token, ...key } }));
    },

    async listTokens(project, secret) {
      const values = { ':partition': accessTokensKeyOf(project) };
      const { rows } =
        secret === undefined
          ? await queryRows(access, { condition: ofPartition, values })
          : await newestTokens(access, project, `${secret}#`, MAX_TOKENS);
      return rows.map((row) => tokenOf(project, row));
    },
  };
};

/** Unconditional: the row says the same however often it is written. Cost: 1 write unit. */
async function markProject({ documents, table }: TableAccess, project: string): Promise<void> {
  const Item = { [JOBS_KEY.partition]: project, [JOBS_KEY.sort]: HAS_SECRETS_SORT };
  await documents.send(new PutCommand({ TableName: table, Item }));
}

function newestTokens(access: TableAccess, project: string, prefix: string, limit: number): Promise<Rows> {
  const values = { ':partition': accessTokensKeyOf(project), ':prefix': prefix };
  return queryRows(access, { condition: ofPrefix, values, limit, backwards: true });
}

function rowOf({ project, name, ...secret }: Secret): Row {
  return { ...secret, ...keyOf(project, name) };
}

function secretOf(project: string, { [partition]: _, [sort]: name, ...row }: Row): Secret {
  return { ...row, project, name } as unknown as Secret;
}

const tokenOf = (project: string, { [partition]: _, [sort]: _sort, ...row }: Row): AccessTokenRow =>
  ({ ...row, project }) as unknown as AccessTokenRow;

const saysSo = `#${JOBS_KEY.sort} = :sort`;

/** The projects that have, or once had, secrets. Reads all of Jobs: 1 read unit each 4 KB. */
export async function* projectsWithSecrets({ documents, table }: TableAccess): AsyncGenerator<string> {
  let ExclusiveStartKey: Row | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await documents.send(
      new ScanCommand({
        TableName: table,
        FilterExpression: saysSo,
        ExpressionAttributeNames: namesIn(saysSo),
        ExpressionAttributeValues: { ':sort': HAS_SECRETS_SORT },
        ConsistentRead: true,
        ExclusiveStartKey,
      }),
    );
    for (const row of Items) yield row[JOBS_KEY.partition] as string;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}
