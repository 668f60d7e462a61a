import { CONTROL_SORT, type CursorKind, cursorKeyOf, SCHEDULE_KEY } from '../../../contracts/tables';
import { Unanswered } from '../../errors';
import type { Cursor } from '../../schedule-store';
import type { Row, TableAccess } from '../access';
import { batchGet } from '../batch-get';
import { conditionalPut, conditionalUpdate } from '../conditional-write';
import { assignments, updateOf } from '../expressions';
import { readControlRow } from './control-row';

const isNew = 'attribute_not_exists(#bucket)';
const isAsSeen = '#minute = :seenMinute AND #after = :seenAfter';

const cursorKey = (kind: CursorKind, shard: number): Row => ({
  [SCHEDULE_KEY.partition]: cursorKeyOf(kind, shard),
  [SCHEDULE_KEY.sort]: CONTROL_SORT,
});

function cursorOf({ kind, shard, minute, after, movedAtMs, busy }: Row): Cursor {
  if (typeof minute !== 'number' || typeof after !== 'string') {
    throw new Error(`cursor ${JSON.stringify([kind, shard])} cannot be read`);
  }
  return { kind, shard, minute, after, movedAtMs, busy } as Cursor;
}

/**
 * Cost: 1 read unit a cursor, half where not consistent. `Unanswered` where one got no answer: it must not pass for
 * missing.
 */
export async function readCursors(
  access: TableAccess,
  kind: CursorKind,
  shards: readonly number[],
  options: { consistent: boolean } = { consistent: true },
): Promise<Map<number, Cursor>> {
  const keys = [...new Set(shards)].map((shard) => cursorKey(kind, shard));
  const { rows, unread } = await batchGet(access, keys, options);
  if (unread.length > 0) throw new Unanswered(`${kind} cursors`, unread.length);
  return new Map(rows.map(cursorOf).map((cursor) => [cursor.shard, cursor]));
}

/** Condition: no such cursor. Cost: 1 write unit. Lost race: the other's cursor stays. */
export async function createCursor(access: TableAccess, cursor: Cursor): Promise<void> {
  await conditionalPut(access, {
    Item: { ...cursorKey(cursor.kind, cursor.shard), ...cursor },
    ConditionExpression: isNew,
  });
}

/**
 * Condition: minute and position as seen. Cost: 1 write unit. Lost race: `lost`. Where the SDK tried again, one's own
 * move is told by where it went and when. Throws where it would go back.
 */
export async function moveCursor(
  access: TableAccess,
  seen: Cursor,
  to: Pick<Cursor, 'minute' | 'after' | 'movedAtMs' | 'busy'>,
): Promise<'moved' | 'lost'> {
  if (to.minute < seen.minute || (to.minute === seen.minute && to.after < seen.after)) {
    throw new Error(
      `the ${seen.kind} cursor of shard ${seen.shard} would go back ` +
        `from minute ${seen.minute} ${JSON.stringify(seen.after)} to ${to.minute} ${JSON.stringify(to.after)}`,
    );
  }
  const key = cursorKey(seen.kind, seen.shard);
  const { minute, after, movedAtMs, busy } = to;
  const { clauses, values } = assignments({ minute, after, movedAtMs, busy });
  const answer = await conditionalUpdate(access, {
    Key: key,
    ConditionExpression: isAsSeen,
    UpdateExpression: updateOf({ set: clauses }),
    ExpressionAttributeValues: { ...values, ':seenMinute': seen.minute, ':seenAfter': seen.after },
  });
  if (answer.held) return 'moved';
  if (!answer.retried) return 'lost';
  const current = answer.current ?? (await readControlRow(access, key));
  const isOwn = current?.minute === minute && current.after === after && current.movedAtMs === movedAtMs;
  return isOwn ? 'moved' : 'lost';
}
