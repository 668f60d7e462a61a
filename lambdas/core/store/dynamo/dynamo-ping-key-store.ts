import { pingRowKeyOf } from '../../contracts/ping-rows';
import { TTL_ATTRIBUTE } from '../../contracts/tables';
import type { MakingLimits, PingKey, PingKeyStore, ProjectPingKey } from '../ping-key-store';
import type { Row, TableAccess } from './access';
import { DeleteCommand, UpdateCommand } from './commands';
import { conditionalUpdate } from './conditional-write';
import { namesIn } from './expressions';
import { readRow } from './read-row';

const exists = 'attribute_exists(#jobId)';
const isAsSeen = '#version = :seen';
const isSameKey = `${isAsSeen} AND #createdAtMs = :createdAtMs`;
const hasRoom = '#madeMinute = :minute AND #madeInMinute < :perMinute AND #made < :inAll';
const isBeforeMinute = '#madeMinute < :minute AND #made < :inAll';
const hasMadeAsSeen = '#made = :made';

/** Another process may begin the minute between two tries. */
const MAX_TRIES = 3;

/**
 * Condition: the minute has room, or else the row is at an earlier one. Cost: 1 write unit, 2 for the first
 * of a minute. Lost race: another process has begun the minute, so the next try adds to it.
 */
async function countMade(
  access: TableAccess,
  pingId: string,
  minute: number,
  { perMinute, inAll }: MakingLimits,
): Promise<number | 'minute-full' | 'full'> {
  const common = { Key: pingRowKeyOf(pingId), ReturnValues: 'ALL_NEW' as const };
  const values = { ':minute': minute, ':one': 1, ':inAll': inAll };
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const added = await conditionalUpdate(access, {
      ...common,
      UpdateExpression: 'SET #madeInMinute = #madeInMinute + :one, #made = #made + :one',
      ConditionExpression: hasRoom,
      ExpressionAttributeValues: { ...values, ':perMinute': perMinute },
    });
    if (added.applied) return Number(added.row!.made);
    const begun = await conditionalUpdate(access, {
      ...common,
      UpdateExpression: 'SET #madeMinute = :minute, #madeInMinute = :one, #made = #made + :one',
      ConditionExpression: isBeforeMinute,
      ExpressionAttributeValues: values,
    });
    if (begun.applied) return Number(begun.row!.made);
    const row = begun.current ?? (await readRow(access, common.Key));
    if (!row || Number(row.made) >= inAll) return 'full';
    if (row.madeMinute === minute && Number(row.madeInMinute) >= perMinute) return 'minute-full';
  }
  return 'minute-full';
}

/** One row a monitor, and one a project with a key, below 1 KB. Cost: 1 write unit, or 1 read unit. */
export const dynamoPingKeyStore = (access: TableAccess): PingKeyStore => ({
  async get(pingId) {
    const row = await readRow(access, pingRowKeyOf(pingId));
    return row && keyIn(row, pingId);
  },

  /** No condition: all that write it write the same. The version stays, if there is one. */
  async keep({ pingId, userId, jobId }) {
    const update = 'SET #of = :of, #version = if_not_exists(#version, :first) REMOVE #expiresAtSec';
    await access.documents.send(
      new UpdateCommand({
        TableName: access.table,
        Key: pingRowKeyOf(pingId),
        UpdateExpression: update,
        ExpressionAttributeNames: namesIn(update),
        ExpressionAttributeValues: { ':of': { userId, jobId }, ':first': 1 },
      }),
    );
  },

  /** Condition: there is such a row. Lost race: none, for a monitor that comes back keeps it. */
  async expire(pingId, expiresAtSec) {
    await conditionalUpdate(access, {
      Key: pingRowKeyOf(pingId),
      ConditionExpression: exists,
      UpdateExpression: `SET #${TTL_ATTRIBUTE} = :expiresAtSec`,
      ExpressionAttributeValues: { ':expiresAtSec': expiresAtSec },
    });
  },

  /** Condition: version and age as seen. An earlier try of the same call is recognised by its version. */
  async rotate({ pingId, version, createdAtMs }, earlierUntilMs) {
    const until = earlierUntilMs === undefined ? ' REMOVE #earlierUntilMs' : ', #earlierUntilMs = :until';
    const answer = await conditionalUpdate(access, {
      Key: pingRowKeyOf(pingId),
      ConditionExpression: createdAtMs === undefined ? isAsSeen : isSameKey,
      UpdateExpression: `SET #version = :next${until}`,
      ExpressionAttributeValues: {
        ':seen': version,
        ':next': version + 1,
        ...(earlierUntilMs !== undefined && { ':until': earlierUntilMs }),
        ...(createdAtMs !== undefined && { ':createdAtMs': createdAtMs }),
      },
    });
    if (answer.applied) return 'done';
    if (!answer.retried) return 'changed';
    const now = await readRow(access, pingRowKeyOf(pingId));
    return now?.version === version + 1 && now.createdAtMs === createdAtMs ? 'done' : 'changed';
  },

  ...ofProjects(access),
});

type OfProjects = Pick<
  PingKeyStore,
  'getOfProject' | 'putOfProject' | 'removeOfProject' | 'countMade' | 'uncountMade'
>;

const ofProjects = (access: TableAccess): OfProjects => ({
  async getOfProject(pingId) {
    const row = await readRow(access, pingRowKeyOf(pingId));
    return row && projectKeyIn(row, pingId);
  },

  /** No condition: the last change wins. */
  async putOfProject({ pingId, userId, name, allowCreate, setBy, createdAtMs }, startsCount) {
    const update =
      'SET #of = :of, #name = :name, #allowCreate = :allowCreate, #setBy = :setBy, ' +
      '#createdAtMs = if_not_exists(#createdAtMs, :createdAtMs), #version = if_not_exists(#version, :first), ' +
      '#madeMinute = if_not_exists(#madeMinute, :none), #madeInMinute = if_not_exists(#madeInMinute, :none), ' +
      `#made = ${startsCount ? ':none' : 'if_not_exists(#made, :none)'}`;
    await access.documents.send(
      new UpdateCommand({
        TableName: access.table,
        Key: pingRowKeyOf(pingId),
        UpdateExpression: update,
        ExpressionAttributeNames: namesIn(update),
        ExpressionAttributeValues: {
          ':of': { userId },
          ':name': name,
          ':allowCreate': allowCreate,
          ':setBy': setBy,
          ':createdAtMs': createdAtMs,
          ':first': 1,
          ':none': 0,
        },
      }),
    );
  },

  async removeOfProject(pingId) {
    await access.documents.send(new DeleteCommand({ TableName: access.table, Key: pingRowKeyOf(pingId) }));
  },

  countMade: (pingId, minute, limits) => countMade(access, pingId, minute, limits),

  /** Condition: the count is as seen, so a repeat takes nothing. Lost race: none, for the key may be gone. */
  async uncountMade(pingId, made) {
    await conditionalUpdate(access, {
      Key: pingRowKeyOf(pingId),
      ConditionExpression: hasMadeAsSeen,
      UpdateExpression: 'SET #made = #made - :one',
      ExpressionAttributeValues: { ':made': made, ':one': 1 },
    });
  },
});

const versionsIn = ({ version, earlierUntilMs }: Row) => ({
  version: Number(version),
  ...(earlierUntilMs !== undefined && { earlierUntilMs: Number(earlierUntilMs) }),
});

/** Undefined: it is the row of a project. */
function keyIn(row: Row, pingId: string): PingKey | undefined {
  const { userId, jobId } = row.of as { userId: string; jobId?: string };
  return jobId === undefined ? undefined : { pingId, userId, jobId, ...versionsIn(row) };
}

/** Undefined: it is the row of a monitor. */
function projectKeyIn(row: Row, pingId: string): ProjectPingKey | undefined {
  const { of, name, allowCreate, setBy, createdAtMs } = row as unknown as ProjectPingKey & {
    of: { userId: string; jobId?: string };
  };
  if (of.jobId !== undefined) return undefined;
  return { pingId, userId: of.userId, name, allowCreate, setBy, createdAtMs, ...versionsIn(row) };
}
