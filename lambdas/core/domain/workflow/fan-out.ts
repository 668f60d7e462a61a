import { SEGMENT_ITEMS } from '../../contracts/execution-keys';
import type { Reason } from '../reason';
import type { TerminalStatus } from '../transitions';
import type { ForEach } from './definition';
import { branchOfMark, type MarkedStatus, statusOfMark } from './marks';
import type { ItemCounts } from './run-state';

/** The marks of the items of a segment, by their position in it. `s1k.1` comes from an earlier round. */
export type ItemMarks = Readonly<Record<number, string>>;

/** What a fan-out has decided so far: its own row in Executions. */
export interface FanOutHead {
  /** How many items there are. */
  count: number;
  /** The items before this index may have been sent. */
  next: number;
  laidOutAtMs: number;
  /** When `next` last moved. */
  movedAtMs: number;
  /** By segment, if all of its items have ended: how many have succeeded, failed and were cancelled. */
  sums: Readonly<Record<number, string>>;
  /** Present once no further item is sent. */
  stopped?: Reason;
}

export const segmentsIn = (count: number): number => Math.ceil(count / SEGMENT_ITEMS);

/** How many items a segment has. */
export const sizeOfSegment = (count: number, segment: number): number =>
  Math.min(SEGMENT_ITEMS, count - segment * SEGMENT_ITEMS);

/** The indexes of the items of a segment. */
export const itemsOfSegment = (count: number, segment: number): number[] =>
  Array.from({ length: sizeOfSegment(count, segment) }, (_, at) => segment * SEGMENT_ITEMS + at);

/** The position of an item in its segment. */
export const positionOf = (item: number): number => item % SEGMENT_ITEMS;

export const isFull = (marks: ItemMarks, size: number): boolean => Object.keys(marks).length >= size;

/** Whether all items of a fan-out have ended. */
export const isWhole = ({ count, sums }: FanOutHead): boolean =>
  Object.keys(sums).length === segmentsIn(count);

/** `48.1.1`: how the items of a full segment have ended. */
export function sumOf(marks: ItemMarks): string {
  const statuses = Object.values(marks).map(statusOfMark);
  const succeeded = statuses.filter((status) => status === 'succeeded').length;
  const cancelled = statuses.filter((status) => status === 'cancelled').length;
  return [succeeded, statuses.length - succeeded - cancelled, cancelled].join('.');
}

/** How the items have ended, of full segments and of those whose marks are given. */
export function countsOf({ count, sums }: FanOutHead, marks: readonly ItemMarks[] = []): ItemCounts {
  const counts = { count, succeeded: 0, failed: 0, cancelled: 0 };
  for (const sum of [...Object.values(sums), ...marks.map(sumOf)]) {
    const [succeeded = 0, failed = 0, cancelled = 0] = sum.split('.').map(Number);
    counts.succeeded += succeeded;
    counts.failed += failed;
    counts.cancelled += cancelled;
  }
  return counts;
}

/** The round in which an item has ended, if that is an earlier one than its fan-out's. */
export const roundOfItemMark = branchOfMark;

/** How an item has ended. */
export interface ItemEnd {
  item: number;
  status: MarkedStatus;
}

/** Whether no further item begins once one has ended so. */
export const stopsAfter = ({ dates }: ForEach, status: MarkedStatus): boolean =>
  dates?.stopsOnFailure === true && status !== 'succeeded';

/** How many of so many items may fail. */
export function toleratedOf({ tolerate = 0 }: ForEach, count: number): number {
  if (typeof tolerate === 'number') return tolerate;
  return Math.floor((count * Number.parseFloat(tolerate)) / 100);
}

/** How a fan-out ends whose items have all ended. */
export function endOfFanOut(
  head: Pick<FanOutHead, 'stopped'>,
  counts: ItemCounts,
  forEach: ForEach,
): { status: TerminalStatus; reason?: Reason } {
  const isCancelled = head.stopped && head.stopped !== 'items-failed';
  if (isCancelled && counts.cancelled > 0) return { status: 'cancelled', reason: head.stopped };
  const isTolerated = counts.failed + counts.cancelled <= toleratedOf(forEach, counts.count);
  return isTolerated ? { status: 'succeeded' } : { status: 'failed', reason: 'items-failed' };
}
