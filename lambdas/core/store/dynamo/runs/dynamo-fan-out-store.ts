import { groupCommit } from '../../../async/group-commit';
import { fanOutHeadKeyOf, segmentItemsKeyOf, segmentMarksKeyOf } from '../../../contracts/execution-keys';
import { EXECUTIONS_KEY, TTL_ATTRIBUTE } from '../../../contracts/tables';
import type { Reason } from '../../../domain/reason';
import type { FanOutHead, ItemMarks } from '../../../domain/workflow/fan-out';
import { IncompleteReadError } from '../../../errors';
import type { Json } from '../../../templates/syntax';
import { executionMapKey, type ExecutionRef } from '../../execution-store';
import type { FanOutStore } from '../../fan-out-store';
import type { Row, TableAccess } from '../access';
import { batchGet } from '../batch-get';
import { PutCommand } from '../commands';
import { conditionalPut, conditionalUpdate } from '../conditional-write';
import { allOf, updateOf } from '../expressions';
import { readRow } from '../read-row';
import { numbered, writeMarks } from './write-marks';

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

/** All marks of a segment fit into one expression. */
const MOST_MARKINGS = 50;

interface Marking {
  key: Row;
  marks: ItemMarks;
  expiresAtSec: number;
}

type Marked = Awaited<ReturnType<FanOutStore['markItems']>>;

/**
 * Marks items of segments. Marks of one segment that fall together in this process are one write. They
 * count one after the other: each caller gets the row before and after its own ones, so one of them fills the
 * segment.
 *
 * Key: the segment's. Condition: none of these marks is there. It returns the row before, which shows whether
 * this call has made a mark. Cost: 1 write unit. Lost race: the marks as they are; a call that found some of
 * them writes the others.
 */
function itemMarkingOf(access: TableAccess): FanOutStore['markItems'] {
  const mark = groupCommit<Marking, Marked>({
    commit: (group) => markItems(access, group),
    clash: (one, other) => Object.keys(one.marks).some((at) => Number(at) in other.marks),
    most: MOST_MARKINGS,
  });
  return (fanOut, segment, marks, expiresAtSec) =>
    mark(`${executionMapKey(fanOut)}#${segment}`, {
      key: segmentMarksKeyOf(fanOut, segment),
      marks,
      expiresAtSec,
    });
}

async function markItems(access: TableAccess, group: readonly Marking[]): Promise<Marked[]> {
  const { key } = group[0]!;
  const all: ItemMarks = Object.assign({}, ...group.map(({ marks }) => marks));
  const expiresAtSec = Math.max(...group.map((one) => one.expiresAtSec));
  const { before, made } = await writeOpen(access, key, all, expiresAtSec);
  let row = before;
  return group.map(({ marks }) => {
    const own = Object.entries(marks).filter(([at]) => Number(at) in made);
    const marked = { before: row, after: { ...row, ...Object.fromEntries(own) } };
    row = marked.after;
    return marked;
  });
}

/** @returns the marks before this write, and those that it has made */
async function writeOpen(
  access: TableAccess,
  key: Row,
  marks: ItemMarks,
  expiresAtSec: number,
): Promise<{ before: ItemMarks; made: ItemMarks }> {
  let open = marks;
  for (;;) {
    const answer = await writeMarks(access, {
      key,
      marks: Object.fromEntries(Object.entries(open).map(([at, mark]) => [`#m${at}`, mark])),
      set: [`#${TTL_ATTRIBUTE} = :expiresAtSec`],
      values: { ':expiresAtSec': expiresAtSec },
      returns: 'ALL_OLD',
    });
    if (answer.applied) return { before: marksOf(answer.row ?? {}), made: open };
    const before = marksOf(answer.current ?? (await readRow(access, key)) ?? {});
    open = Object.fromEntries(Object.entries(open).filter(([at]) => before[Number(at)] === undefined));
    if (Object.keys(open).length === 0) return { before, made: {} };
  }
}

const marksOf = (row: Row): ItemMarks => numbered(row, 'm');
