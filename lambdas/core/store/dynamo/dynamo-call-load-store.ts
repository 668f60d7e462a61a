import { GetCommand } from './commands';

import { callLoadSortOf, JOBS_KEY, TTL_ATTRIBUTE } from '../../contracts/tables';
import { LOAD_WINDOW_MS, loadWindowOf, NO_RECENT_LOAD, type RecentLoad } from '../../domain/call-load';
import type { CallLoadStore } from '../call-load-store';
import type { Row, TableAccess } from './access';
import { conditionalUpdate } from './conditional-write';

/** A row expires this long after the first report of its latest window. */
const KEPT_FOR_SEC = 86_400;

const rowKeyOf = ({ userId, pool }: { userId: string; pool: string }): Row => ({
  [JOBS_KEY.partition]: userId,
  [JOBS_KEY.sort]: callLoadSortOf(pool),
});

const isInWindow = '#windowAtMs = :windowAtMs';
const ADD = 'SET #heldMs = #heldMs + :heldMs';
const isBeforeWindow = 'attribute_not_exists(#windowAtMs) OR #windowAtMs < :windowAtMs';
const BEGIN_WINDOW = [
  'SET #windowBeforeMs = if_not_exists(#windowAtMs, :none)',
  '#heldBeforeMs = if_not_exists(#heldMs, :none)',
  '#windowAtMs = :windowAtMs',
  '#heldMs = :heldMs',
  `#${TTL_ATTRIBUTE} = :expiresAtSec`,
].join(', ');

/**
 * Key: a row for each project and pool. Condition: the row is at this window, or else before it. Cost: 1
 * write unit, 2 for the first of a window; of a read, half a read unit.
 */
export const dynamoCallLoadStore = (access: TableAccess): CallLoadStore => ({
  async add(of, heldMs, nowMs) {
    const values = { ':windowAtMs': loadWindowOf(nowMs), ':heldMs': heldMs };
    const added = await conditionalUpdate(access, {
      Key: rowKeyOf(of),
      UpdateExpression: ADD,
      ConditionExpression: isInWindow,
      ExpressionAttributeValues: values,
    });
    if (added.applied) return;
    // If another process begins this window first, the addition is lost.
    await conditionalUpdate(access, {
      Key: rowKeyOf(of),
      UpdateExpression: BEGIN_WINDOW,
      ConditionExpression: isBeforeWindow,
      ExpressionAttributeValues: {
        ...values,
        ':none': 0,
        ':expiresAtSec': Math.ceil(nowMs / 1_000) + KEPT_FOR_SEC,
      },
    });
  },

  async recent(of) {
    const read = new GetCommand({ TableName: access.table, Key: rowKeyOf(of), ConsistentRead: false });
    const row = (await access.documents.send(read)).Item;
    return row ? recentIn(row) : NO_RECENT_LOAD;
  },
});

/** The window before counts if no other was between the two. */
const recentIn = (row: Row): RecentLoad => {
  const windowAtMs = Number(row.windowAtMs);
  const isNext = Number(row.windowBeforeMs) === windowAtMs - LOAD_WINDOW_MS;
  return { heldMs: Number(row.heldMs), heldBeforeMs: isNext ? Number(row.heldBeforeMs) : 0, windowAtMs };
};
