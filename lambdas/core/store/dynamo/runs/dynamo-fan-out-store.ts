import { PutCommand } from '../commands';

import { fanOutHeadKeyOf, segmentItemsKeyOf, segmentMarksKeyOf } from '../../../contracts/execution-keys';
import { EXECUTIONS_KEY, TTL_ATTRIBUTE } from '../../../contracts/tables';
import type { Reason } from '../../../domain/execution';
import type { FanOutHead, ItemMarks } from '../../../domain/workflow/fan-out';
import { IncompleteReadError } from '../../../errors';
import type { Json } from '../../../templates/syntax';
import type { ExecutionRef } from '../../execution-store';
import type { FanOutStore } from '../../fan-out-store';
import type { Row, TableAccess } from '../access';
import { batchGet } from '../batch-get';
import { conditionalPut, conditionalUpdate } from '../conditional-write';
import { allOf, updateOf } from '../expressions';
import { readRow } from '../read-row';
import { itemMarkingOf, marksOf } from './mark-items';
import { numbered } from './numbered';
import { writeMarks } from './write-marks';

const exists = `attribute_exists(#${EXECUTIONS_KEY.sort})`;
const isNew = `attribute_not_exists(#${EXECUTIONS_KEY.sort})`;
const isNotStopped = 'attribute_not_exists(#stopped)';

/** The rows of fan-outs. A head has its sums as `s0`, `s1` …, and a row of marks has `m0` to `m49`. */
export const dynamoFanOutStore = (access: TableAccess): FanOutStore => ({
  /** Key: the segment's. No condition: all who write it write the same. Cost: 1 write unit a KB. */
  async putItems(fanOut, segment, { count, items }, expiresAtSec) {
    const Item = {
      ...segmentItemsKeyOf(fanOut, segment),
      count,
      items: JSON.stringify(items),
      [TTL_ATTRIBUTE]: expiresAtSec,
    };
    await access.documents.send(new PutCommand({ TableName: access.table, Item }));
  },
  /** Key: the segment's. Consistent. Cost: 1 read unit each 4 KB. */
  async getItems(fanOut, segment) {
    const row = await readRow(access, segmentItemsKeyOf(fanOut, segment));
    return row && { count: row.count as number, items: JSON.parse(row.items as string) as Json[] };
  },
  putHead: (fanOut, head, expiresAtSec) => putHead(access, fanOut, head, expiresAtSec),
  /** Key: the fan-out's. Consistent. Cost: 1 read unit. */
  async getHead(fanOut) {
    const row = await readRow(access, fanOutHeadKeyOf(fanOut));
    return row && headOf(row);
  },
  getMarks: (fanOut, segments) => readMarks(access, fanOut, segments),
  markItems: itemMarkingOf(access),
  /** Key: the fan-out's. Cost: 1 write unit, or 2 from about 100 segments on. */
  async addSum(fanOut, segment, sum) {
    const key = fanOutHeadKeyOf(fanOut);
    const answer = await writeMarks(access, {
      key,
      marks: { [`#s${segment}`]: sum },
      conditions: [exists],
    });
    const row = answer.applied ? answer.row : (answer.current ?? (await readRow(access, key)));
    return row && headOf(row);
  },
  dispense: (fanOut, take) => dispense(access, fanOut, take),
  stop: (fanOut, reason, at) => stop(access, fanOut, reason, at),
});

/** Key: the fan-out's. Condition: no row. Cost: 1 write unit. Lost race: the head that is there. */
async function putHead(
  access: TableAccess,
  fanOut: ExecutionRef,
  head: FanOutHead,
  expiresAtSec: number,
): Promise<{ isNew: boolean; head: FanOutHead }> {
  const { sums, ...rest } = head;
  const key = fanOutHeadKeyOf(fanOut);
  const named = Object.entries(sums).map(([segment, sum]) => [`s${segment}`, sum] as const);
  const Item = { ...key, ...rest, ...Object.fromEntries(named), [TTL_ATTRIBUTE]: expiresAtSec };
  const answer = await conditionalPut(access, { Item, ConditionExpression: isNew });
  if (answer.applied) return { isNew: true, head };
  const row = answer.current ?? (await readRow(access, key));
  return { isNew: false, head: row ? headOf(row) : head };
}

/** A hundred segments a call, consistent. Cost: 1 read unit a segment. */
async function readMarks(
  access: TableAccess,
  fanOut: ExecutionRef,
  segments: readonly number[],
): Promise<Map<number, ItemMarks>> {
  if (segments.length === 0) return new Map();
  const keys = new Map(segments.map((segment) => [partitionOf(segmentMarksKeyOf(fanOut, segment)), segment]));
  const { rows, unread } = await batchGet(
    access,
    segments.map((segment) => segmentMarksKeyOf(fanOut, segment)),
    { consistent: true },
  );
  if (unread.length > 0) throw new IncompleteReadError('marks of items', unread.length);
  return new Map(rows.map((row) => [keys.get(partitionOf(row))!, marksOf(row)]));
}

const partitionOf = (row: Row): string => row[EXECUTIONS_KEY.partition] as string;

/**
 * Key: the fan-out's. Condition: not stopped, and items are left. Cost: 1 write unit. Lost race: undefined.
 * If the answer to an earlier try was lost, one item is taken and not sent: the run's recheck sends it.
 */
async function dispense(
  access: TableAccess,
  fanOut: ExecutionRef,
  { items, ofCount, nowMs, seenNext }: { items: number; ofCount: number; nowMs: number; seenNext?: number },
): Promise<number | undefined> {
  const asSeen = seenNext === undefined ? [] : ['#next = :seenNext'];
  const answer = await conditionalUpdate(access, {
    Key: fanOutHeadKeyOf(fanOut),
    ConditionExpression: allOf(exists, isNotStopped, '#next < :count', ...asSeen),
    UpdateExpression: updateOf({ set: ['#next = #next + :items', '#movedAtMs = :nowMs'] }),
    ExpressionAttributeValues: {
      ':items': items,
      ':count': ofCount,
      ':nowMs': nowMs,
      ...(seenNext !== undefined && { ':seenNext': seenNext }),
    },
    ReturnValues: 'ALL_OLD',
  });
  return answer.applied ? headOf(answer.row!).next : undefined;
}

/** Key: the fan-out's. Condition: it is not stopped; or there is no row. Cost: 1 write unit. */
async function stop(
  access: TableAccess,
  fanOut: ExecutionRef,
  stopped: Reason,
  { nowMs, expiresAtSec }: { nowMs: number; expiresAtSec: number },
): Promise<FanOutHead> {
  const key = fanOutHeadKeyOf(fanOut);
  const none = { count: 0, next: 0, laidOutAtMs: nowMs, movedAtMs: nowMs, sums: {}, stopped };
  for (;;) {
    const answer = await conditionalUpdate(access, {
      Key: key,
      ConditionExpression: allOf(exists, isNotStopped),
      UpdateExpression: updateOf({ set: ['#stopped = :stopped'] }),
      ExpressionAttributeValues: { ':stopped': stopped },
      ReturnValues: 'ALL_NEW',
    });
    const row = answer.applied ? answer.row : (answer.current ?? (await readRow(access, key)));
    if (row?.stopped !== undefined) return headOf(row);
    const put = await putHead(access, fanOut, none, expiresAtSec);
    if (put.isNew) return none;
  }
}

function headOf(row: Row): FanOutHead {
  const sums = numbered(row, 's');
  return {
    count: row.count as number,
    next: row.next as number,
    laidOutAtMs: row.laidOutAtMs as number,
    movedAtMs: row.movedAtMs as number,
    sums,
    ...(row.stopped !== undefined && { stopped: row.stopped as Reason }),
  };
}
