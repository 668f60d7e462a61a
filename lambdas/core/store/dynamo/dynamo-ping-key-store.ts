import { pingRowKeyOf } from '../../contracts/ping-rows';
import { TTL_ATTRIBUTE } from '../../contracts/tables';
import type { PingKey, PingKeyStore } from '../ping-key-store';
import type { Row, TableAccess } from './access';
import { UpdateCommand } from './commands';
import { conditionalUpdate } from './conditional-write';
import { namesIn } from './expressions';
import { readRow } from './read-row';

const exists = 'attribute_exists(#jobId)';
const isAsSeen = '#version = :seen';

/** One row a monitor, below 1 KB. Cost of each: 1 write unit, or 1 read unit. */
export const dynamoPingKeyStore = (access: TableAccess): PingKeyStore => ({
  async get(pingId) {
    const row = await readRow(access, pingRowKeyOf(pingId));
    return row && keyOf(row, pingId);
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

  /** Condition: the version as seen. An earlier try of the same call is recognised by its version. */
  async rotate({ pingId, version }, earlierUntilMs) {
    const until = earlierUntilMs === undefined ? ' REMOVE #earlierUntilMs' : ', #earlierUntilMs = :until';
    const answer = await conditionalUpdate(access, {
      Key: pingRowKeyOf(pingId),
      ConditionExpression: isAsSeen,
      UpdateExpression: `SET #version = :next${until}`,
      ExpressionAttributeValues: {
        ':seen': version,
        ':next': version + 1,
        ...(earlierUntilMs !== undefined && { ':until': earlierUntilMs }),
      },
    });
    if (answer.applied) return 'done';
    if (!answer.retried) return 'changed';
    const now = await readRow(access, pingRowKeyOf(pingId));
    return now?.version === version + 1 ? 'done' : 'changed';
  },
});

function keyOf(row: Row, pingId: string): PingKey {
  const { of, version, earlierUntilMs } = row as {
    of: { userId: string; jobId: string };
    version: number;
    earlierUntilMs?: number;
  };
  return { pingId, ...of, version, ...(earlierUntilMs !== undefined && { earlierUntilMs }) };
}
