import type { FanOutHead, ItemMarks } from '../domain/workflow/fan-out';
import type { Reason } from '../domain/reason';
import type { Json } from '../templates/syntax';
import type { ExecutionRef } from './execution-store';

/** The items of one segment of a fan-out, which never change. */
export interface SegmentItems {
  /** How many items the whole fan-out has. */
  count: number;
  items: readonly Json[];
}

/**
 * What a fan-out has decided, in rows of Executions: its items, their marks and its head. A fan-out is named
 * by the execution of its task. Marks have three levels: items, segments, and the task in its run. The first
 * mark of an item or a segment counts.
 */
export interface FanOutStore {
  /** Writes the items of a segment, or writes the same ones again. */
  putItems(fanOut: ExecutionRef, segment: number, items: SegmentItems, expiresAtSec: number): Promise<void>;
  /** Undefined: the fan-out was not laid out, or its rows have expired. */
  getItems(fanOut: ExecutionRef, segment: number): Promise<SegmentItems | undefined>;
  /** Writes the head, if there is none. @returns the head there is, and whether this call has written it */
  putHead(
    fanOut: ExecutionRef,
    head: FanOutHead,
    expiresAtSec: number,
  ): Promise<{ isNew: boolean; head: FanOutHead }>;
  /** Consistent. */
  getHead(fanOut: ExecutionRef): Promise<FanOutHead | undefined>;
  /** Consistent; by segment. */
  getMarks(fanOut: ExecutionRef, segments: readonly number[]): Promise<Map<number, ItemMarks>>;
  /**
   * Marks items of a segment that have no mark yet, by their positions in it.
   *
   * @returns the marks before this write, and after it
   */
  markItems(
    fanOut: ExecutionRef,
    segment: number,
    marks: ItemMarks,
    expiresAtSec: number,
  ): Promise<{ before: ItemMarks; after: ItemMarks }>;
  /** Writes the sum of a full segment into the head. @returns the head after that; undefined: it is gone */
  addSum(fanOut: ExecutionRef, segment: number, sum: string): Promise<FanOutHead | undefined>;
  /**
   * Takes the next items, unless the fan-out is stopped or has no more.
   *
   * @param take.seenNext takes them only if `next` is still this
   * @returns the index of the first one; undefined: none was taken
   */
  dispense(
    fanOut: ExecutionRef,
    take: { items: number; ofCount: number; nowMs: number; seenNext?: number },
  ): Promise<number | undefined>;
  /**
   * No further item is sent. A fan-out that was not laid out gets a head without items. The first reason
   * counts.
   */
  stop(
    fanOut: ExecutionRef,
    reason: Reason,
    at: { nowMs: number; expiresAtSec: number },
  ): Promise<FanOutHead>;
}
