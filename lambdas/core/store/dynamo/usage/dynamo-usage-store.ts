import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';

import { JOBS_KEY, TTL_ATTRIBUTE } from '../../../contracts/tables';
import { NO_USAGE, USAGE_FIELDS, type Usage } from '../../../quotas/usage';
import type { UsageStore } from '../../usage-store';
import type { Row, TableAccess } from '../access';
import { namesIn } from '../expressions';

/** Beside the user's jobs, and before them, under a sort key that no job can have. */
export const USAGE_SORT = '#usage';

const KEPT_FOR_SEC = 90 * 86_400;

const usageKey = (userId: string): Row => ({ [JOBS_KEY.partition]: userId, [JOBS_KEY.sort]: USAGE_SORT });

/** Never below nothing: what was taken off twice is not owed. */
export const usageIn = (row: Row | undefined): Usage =>
  row
    ? (Object.fromEntries(USAGE_FIELDS.map((field) => [field, Math.max(0, Number(row[field] ?? 0))])) as {
        [Field in keyof Usage]: number;
      })
    : NO_USAGE;

const ADD = `SET ${USAGE_FIELDS.map((field) => `#${field} = if_not_exists(#${field}, :none) + :${field}`).join(', ')}, #${TTL_ATTRIBUTE} = :expiresAtSec`;

/** A read is 1 read unit, half where not consistent; an addition 1 write unit. */
export const dynamoUsageStore = (access: TableAccess): UsageStore => ({
  async get(userId, { consistent } = { consistent: false }) {
    const { Item } = await access.documents.send(
      new GetCommand({ TableName: access.table, Key: usageKey(userId), ConsistentRead: consistent }),
    );
    return usageIn(Item);
  },

  async add(userId, usage) {
    const { Attributes } = await access.documents.send(
      new UpdateCommand({
        TableName: access.table,
        Key: usageKey(userId),
        UpdateExpression: ADD,
        ExpressionAttributeNames: namesIn(ADD),
        ExpressionAttributeValues: {
          ':none': 0,
          ':expiresAtSec': Math.ceil(access.clock.nowMs() / 1_000) + KEPT_FOR_SEC,
          ...Object.fromEntries(USAGE_FIELDS.map((field) => [`:${field}`, usage[field]])),
        },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return usageIn(Attributes);
  },
});
