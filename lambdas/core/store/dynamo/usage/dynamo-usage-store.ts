import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';

import { JOBS_KEY, TTL_ATTRIBUTE } from '../../../contracts/tables';
import { NO_USAGE, USAGE_FIELDS, type Usage } from '../../../quotas/usage';
import type { UsageStore } from '../../usage-store';
import type { Row, TableAccess } from '../access';
import { namesIn } from '../expressions';

/** Beside the user's jobs, and before them, under a sort key that no job can have. */
export const USAGE_SORT = '#usage';

/** A row expires this long after its last change. */
const KEPT_FOR_SEC = 90 * 86_400;

const usageKey = (userId: string): Row => ({ [JOBS_KEY.partition]: userId, [JOBS_KEY.sort]: USAGE_SORT });

/** At least 0: a decrement that was counted twice leaves no debt. */
export const usageIn = (row: Row | undefined): Usage =>
  row
    ? (Object.fromEntries(USAGE_FIELDS.map((field) => [field, Math.max(0, Number(row[field] ?? 0))])) as {
        [Field in keyof Usage]: number;
      })
    : NO_USAGE;

const ADD = `SET ${USAGE_FIELDS.map((field) => `#${field} = if_not_exists(#${field}, :none) + :${field}`).join(', ')}, #${TTL_ATTRIBUTE} = :expiresAtSec`;

/** Cost of a read: 1 read unit, half of that if not consistent; of an addition: 1 write unit. */
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
