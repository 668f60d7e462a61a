import { DeleteCommand } from './commands';

import { inParallel } from '../../async/in-parallel';
import { MINUTE_MS, SECOND_MS } from '../../clock/clock';
import { API_KEY_INDEX, apiKeyRowKeyOf, JOBS_KEY, TTL_ATTRIBUTE } from '../../contracts/tables';
import type { ApiKey } from '../../domain/api-key';
import type { ApiKeyStore, CreatedKey } from '../api-key-store';
import type { WriteOptions } from '../write-options';
import type { Row, TableAccess } from './access';
import { conditionalPut, conditionalUpdate } from './conditional-write';
import { allOf, anyOf } from './expressions';
import { queryRows } from './query-rows';
import { readRow } from './read-row';

const isNew = 'attribute_not_exists(#jobId)';
const exists = 'attribute_exists(#jobId)';
const isFirstUse = 'attribute_not_exists(#lastUsedOn)';
const wasUsedBefore = '#lastUsedOn < :day';
const ofIndex = '#userId = :project AND begins_with(#jobId, :prefix)';

/** A create writes its rows within seconds. An index row of this age without its key was left by a crash. */
const LEFT_OVER_AFTER_MS = 5 * MINUTE_MS;

/** Each key has a partition of its own, so they are read one by one. */
const READS_AT_ONCE = 10;

/** A row of the index: that the project has the key, and until when it counts. */
interface Indexed {
  keyId: string;
  createdAtMs: number;
  expiresAtMs: number;
}

const indexRowKey = ({ project, keyId }: Pick<ApiKey, 'project' | 'keyId'>): Row => ({
  [JOBS_KEY.partition]: project,
  [JOBS_KEY.sort]: `${API_KEY_INDEX}${keyId}`,
});

/** Two rows a key: its own, by its id, and one in the index of its project. Both are below 1 KB. */
export const dynamoApiKeyStore = (access: TableAccess): ApiKeyStore => ({
  get: (keyId) => readKey(access, keyId),
  create: (key, max, options) => createKey(access, key, max, options),
  list: async (project) => readKeys(access, await readIndex(access, project)),

  /** The key's row first: it is what makes the key valid. Cost: 2 write units. */
  async remove(key) {
    await access.documents.send(
      new DeleteCommand({ TableName: access.table, Key: apiKeyRowKeyOf(key.keyId) }),
    );
    await removeIndexRow(access, key);
  },

  /** Condition: the key exists, and the day is later than the one noted. Cost: 1 write unit. */
  async recordUse(keyId, day, options) {
    await conditionalUpdate(
      access,
      {
        Key: apiKeyRowKeyOf(keyId),
        ConditionExpression: allOf(exists, anyOf(isFirstUse, wasUsedBefore)),
        UpdateExpression: 'SET #lastUsedOn = :day',
        ExpressionAttributeValues: { ':day': day },
      },
      options,
    );
  },
});

/** Consistent. Cost: 1 read unit. */
async function readKey(access: TableAccess, keyId: string): Promise<ApiKey | undefined> {
  const row = await readRow(access, apiKeyRowKeyOf(keyId));
  return row && keyOf(row);
}

/**
 * Order of writes: the index row → the count → the key's row. So each key that is valid is in the index, and
 * of two requests for the last free place at least one sees the other. A crash leaves an index row without
 * its key, which is not listed, and which a later create removes.
 * Cost: 2 write units, and 1 read unit for each 4 KB of the index.
 */
async function createKey(
  access: TableAccess,
  key: ApiKey,
  max: number,
  options?: WriteOptions,
): Promise<CreatedKey> {
  const current = await readKey(access, key.keyId);
  if (current) return { outcome: 'exists', current };
  const { keyId, project, createdAtMs, expiresAtMs } = key;
  const expiresAtSec = Math.ceil(expiresAtMs / SECOND_MS);
  await conditionalPut(
    access,
    {
      Item: { ...indexRowKey(key), createdAtMs, expiresAtMs, [TTL_ATTRIBUTE]: expiresAtSec },
      ConditionExpression: isNew, // a row that an earlier try left serves as well
    },
    options,
  );
  const live = await countLive(access, project);
  if (live > max) {
    await removeIndexRow(access, key);
    return { outcome: 'too-many' };
  }
  const answer = await conditionalPut(
    access,
    {
      Item: { ...apiKeyRowKeyOf(keyId), ...key, [TTL_ATTRIBUTE]: expiresAtSec },
      ConditionExpression: isNew,
    },
    options,
  );
  if (answer.applied) return { outcome: 'created' };
  const first = answer.current ? keyOf(answer.current) : await readKey(access, keyId);
  return !first || first.hash === key.hash ? { outcome: 'created' } : { outcome: 'exists', current: first };
}

/** Keys of the index that have not expired, those that are being created included. */
async function countLive(access: TableAccess, project: string): Promise<number> {
  const nowMs = access.clock.nowMs();
  const indexed = (await readIndex(access, project)).filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  const old = indexed.filter(({ createdAtMs }) => createdAtMs < nowMs - LEFT_OVER_AFTER_MS);
  const known = new Set((await readKeys(access, old)).map(({ keyId }) => keyId));
  const leftOver = old.filter(({ keyId }) => !known.has(keyId));
  for (const { keyId } of leftOver) await removeIndexRow(access, { project, keyId });
  return indexed.length - leftOver.length;
}

async function removeIndexRow(access: TableAccess, key: Pick<ApiKey, 'project' | 'keyId'>): Promise<void> {
  await access.documents.send(new DeleteCommand({ TableName: access.table, Key: indexRowKey(key) }));
}

/** Key: the project's partition, keys by id. Consistent. Cost: 1 read unit each 4 KB. */
async function readIndex(access: TableAccess, project: string): Promise<Indexed[]> {
  const values = { ':project': project, ':prefix': API_KEY_INDEX };
  const { rows } = await queryRows(access, { condition: ofIndex, values });
  return rows.map((row) => ({
    keyId: (row[JOBS_KEY.sort] as string).slice(API_KEY_INDEX.length),
    createdAtMs: Number(row.createdAtMs),
    expiresAtMs: Number(row.expiresAtMs),
  }));
}

/** Consistent, in the given order, without those that do not exist. Cost: 1 read unit a key. */
async function readKeys(access: TableAccess, indexed: readonly Indexed[]): Promise<ApiKey[]> {
  const found = new Map<string, ApiKey | undefined>();
  await inParallel(indexed, READS_AT_ONCE, async ({ keyId }) => {
    found.set(keyId, await readKey(access, keyId));
  });
  return indexed.flatMap(({ keyId }) => found.get(keyId) ?? []);
}

function keyOf(row: Row): ApiKey {
  const { [JOBS_KEY.partition]: _partition, [JOBS_KEY.sort]: _sort, [TTL_ATTRIBUTE]: _ttl, ...key } = row;
  return key as unknown as ApiKey;
}
