import { UpdateCommand } from './commands';

import {
  CONTROL_SORT,
  cursorAttributeOf,
  type CursorKind,
  cursorRowKeyOf,
  SCHEDULE_KEY,
} from '../../contracts/tables';
import { allEnded } from '../../async/all-ended';
import { IncompleteReadError } from '../../errors';
import type { Cursor, CursorMove, MovedCursors } from '../schedule-store';
import type { Row, TableAccess } from './access';
import { batchGet } from './batch-get';
import { conditionalUpdate } from './conditional-write';
import { allOf, namesIn, updateOf } from './expressions';
import { readRow } from './read-row';

const rowKey = (bucket: string): Row => ({
  [SCHEDULE_KEY.partition]: bucket,
  [SCHEDULE_KEY.sort]: CONTROL_SORT,
});

/** What the row stores of a cursor, under its shard's attribute. */
const storedOf = ({ minute, after, movedAtMs, entriesInLastBucket }: CursorMove['to']): Row => ({
  minute,
  after,
  movedAtMs,
  entriesInLastBucket,
});

function cursorIn(row: Row, kind: CursorKind, shard: number): Cursor | undefined {
  const stored = row[cursorAttributeOf(shard)] as Row | undefined;
  if (stored === undefined) return undefined;
  const { minute, after, movedAtMs, entriesInLastBucket } = stored;
  if (typeof minute !== 'number' || typeof after !== 'string') {
    throw new Error(`cursor ${JSON.stringify([kind, shard])} cannot be read`);
  }
  return { kind, shard, minute, after, movedAtMs, entriesInLastBucket: entriesInLastBucket } as Cursor;
}

/** Groups items by the partition key of the row that has their cursors. */
function groupByRow<Item>(items: readonly Item[], cursorOf: (item: Item) => Cursor): [string, Item[]][] {
  const rows = new Map<string, Item[]>();
  for (const item of items) {
    const { kind, shard } = cursorOf(item);
    const bucket = cursorRowKeyOf(kind, shard);
    rows.set(bucket, [...(rows.get(bucket) ?? []), item]);
  }
  return [...rows];
}

/**
 * Cost: 1 read unit for each row of cursors, half of that if not consistent.
 *
 * @throws IncompleteReadError if a row got no answer: its cursors must not pass for missing
 */
export async function readCursors(
  access: TableAccess,
  kind: CursorKind,
  shards: readonly number[],
  options: { consistent: boolean } = { consistent: true },
): Promise<Map<number, Cursor>> {
  const keys = [...new Set(shards.map((shard) => cursorRowKeyOf(kind, shard)))].map(rowKey);
  const { rows, unread } = await batchGet(access, keys, options);
  if (unread.length > 0) throw new IncompleteReadError(`${kind} cursors`, unread.length);
  const rowOf = new Map(rows.map((row) => [row[SCHEDULE_KEY.partition], row]));
  const found = shards.flatMap((shard) => {
    const row = rowOf.get(cursorRowKeyOf(kind, shard));
    return (row && cursorIn(row, kind, shard)) ?? [];
  });
  return new Map(found.map((cursor) => [cursor.shard, cursor]));
}

/** Creates the cursors that do not exist, so a repeat changes nothing. Cost: 1 write unit a row. */
export async function createCursors(access: TableAccess, cursors: readonly Cursor[]): Promise<void> {
  await allEnded(
    groupByRow(cursors, (cursor) => cursor).map(async ([bucket, ofRow]) => {
      const update = updateOf({
        set: ofRow.map(({ shard }) => {
          const name = cursorAttributeOf(shard);
          return `#${name} = if_not_exists(#${name}, :${name})`;
        }),
      });
      await access.documents.send(
        new UpdateCommand({
          TableName: access.table,
          Key: rowKey(bucket),
          UpdateExpression: update,
          ExpressionAttributeNames: namesIn(update),
          ExpressionAttributeValues: Object.fromEntries(
            ofRow.map((cursor) => [`:${cursorAttributeOf(cursor.shard)}`, storedOf(cursor)]),
          ),
        }),
      );
    }),
  );
}

export async function moveCursor(
  access: TableAccess,
  seen: Cursor,
  to: CursorMove['to'],
): Promise<'moved' | 'lost'> {
  const { moved, errors } = await moveCursors(access, [{ seen, to }]);
  if (errors.length > 0) throw errors[0];
  return moved.has(seen.shard) ? 'moved' : 'lost';
}

/**
 * Condition: each cursor of a row stands at the minute and position seen. Cost: 1 write unit a row.
 * Lost race: no cursor of the row moves. Throws if a cursor would go back.
 */
export async function moveCursors(access: TableAccess, moves: readonly CursorMove[]): Promise<MovedCursors> {
  for (const move of moves) rejectBackwards(move);
  const rows = groupByRow(moves, ({ seen }) => seen);
  const outcomes = await Promise.allSettled(
    rows.map(([bucket, ofRow]) => moveRow(access, rowKey(bucket), ofRow)),
  );
  return {
    moved: new Set(outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))),
    errors: outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : [])),
  };
}

/** If the SDK retried, moves of an earlier try are recognised by their destination and time. */
async function moveRow(access: TableAccess, key: Row, moves: readonly CursorMove[]): Promise<number[]> {
  const shards = moves.map(({ seen }) => seen.shard);
  const parts = moves.map(({ seen, to }) => {
    const name = cursorAttributeOf(seen.shard);
    return {
      isAsSeen: `#${name}.#minute = :${name}minute AND #${name}.#after = :${name}after`,
      clause: `#${name} = :${name}`,
      values: { [`:${name}`]: storedOf(to), [`:${name}minute`]: seen.minute, [`:${name}after`]: seen.after },
    };
  });
  const answer = await conditionalUpdate(access, {
    Key: key,
    ConditionExpression: allOf(...parts.map(({ isAsSeen }) => isAsSeen)),
    UpdateExpression: updateOf({ set: parts.map(({ clause }) => clause) }),
    ExpressionAttributeValues: Object.assign({}, ...parts.map(({ values }) => values)) as Row,
  });
  if (answer.applied) return shards;
  if (!answer.retried) return [];
  const current = answer.current ?? (await readRow(access, key));
  const isOwn =
    current !== undefined &&
    moves.every(({ seen: { kind, shard }, to }) => {
      const cursor = cursorIn(current, kind, shard);
      return cursor?.minute === to.minute && cursor.after === to.after && cursor.movedAtMs === to.movedAtMs;
    });
  return isOwn ? shards : [];
}

function rejectBackwards({ seen, to }: CursorMove): void {
  if (to.minute > seen.minute || (to.minute === seen.minute && to.after >= seen.after)) return;
  throw new Error(
    `the ${seen.kind} cursor of shard ${seen.shard} would go back ` +
      `from minute ${seen.minute} ${JSON.stringify(seen.after)} to ${to.minute} ${JSON.stringify(to.after)}`,
  );
}
