import { inParallel } from '../async/in-parallel';
import { hasTime, type TimeBudget } from '../async/time-budget';
import { type Clock, MINUTE_MS } from '../clock/clock';
import type { CursorKind } from '../contracts/tables';
import type { Cursor, EntryPage, ScheduleStore } from '../store/schedule-store';
import type { Log } from '../telemetry/telemetry';

/** What a stage does on its walk over shards. */
export interface ShardVisitor {
  kind: CursorKind;
  onStart(cursor: Cursor): void;
  onEnd(result: WalkResult): void;
  /**
   * The part of the cursor's bucket to visit now: up to the sort key `before`, or all of it. `endsBucket`:
   * nothing comes after that part, so the cursor moves on to the next bucket. Undefined: the cursor is caught
   * up.
   */
  rangeAt(cursor: Cursor): { before?: string; endsBucket: boolean } | undefined;
  /**
   * Begins with a shard that has entries. The function that it returns visits a page of them, and may read
   * further pages of the range itself. It throws if a store or queue does not respond. The page is then
   * repeated later.
   */
  begin(): (page: EntryPage, cursor: Cursor) => Promise<Visit>;
}

export interface Visit {
  /** How many entries are done. */
  entries: number;
  /** Sort key: all of the bucket up to here is done. */
  through: string;
  /** Whether all of the range is done. If not, the walk continues after `through`. */
  isDone: boolean;
  /** Ends the walk of this shard early. */
  endedBy?: 'unsettled' | 'out-of-time';
}

export interface WalkResult {
  shard: number;
  entries: number;
  /** `overtaken`: another process has moved the cursor. */
  ended: 'caught-up' | 'unsettled' | 'out-of-time' | 'overtaken' | 'no-cursor';
}

export interface WalkDeps {
  schedule: ScheduleStore;
  clock: Clock;
  log: Log;
}

/** A page of entries is about 250 KB at the most, far below the 1 MB of a query. */
export const PAGE_LIMIT = 500;
const PAGE = { limit: PAGE_LIMIT, consistent: true };
/** Tells whether there are entries, at half the price. It may miss those that were written a moment ago. */
const PROBE = { limit: 1, consistent: false };

const READS_AT_ONCE = 16;
/** Bounds the memory that the entries of busy shards and their jobs take. */
const VISITS_AT_ONCE = 4;

/**
 * One bounded pass over the shards of a request, in two parts:
 *
 * 1. Rounds over all shards together. A round reads at all cursors side by side. Cursors whose bucket is
 *    empty and over move on to the next one; those that share a row move by one write. A shard that has
 *    entries, or whose read or move fails, leaves the rounds.
 * 2. Each of those shards by itself, several side by side. It continues with the page that was read.
 *
 * A cursor moves once all before it is done, on the condition that it still is where it was read. Work before
 * the move can be repeated, so two processes on one shard waste work and do no harm.
 *
 * Rejects with an `AggregateError` if shards fail, once all others have ended. Each of its errors names its
 * shard, and has the failure as its cause.
 */
export async function walk(
  shards: readonly number[],
  visitor: ShardVisitor,
  deps: WalkDeps,
  budget: TimeBudget,
): Promise<WalkResult[]> {
  const results: WalkResult[] = [];
  const end = (result: WalkResult) => {
    results.push(result);
    visitor.onEnd(result);
  };
  const walker = new Walker(visitor, deps, budget);
  const startMs = deps.clock.nowMs();
  const cursors = await walker.readCursors(shards);
  for (const cursor of cursors.values()) visitor.onStart(cursor);
  const rest: Position[] = shards.filter((shard) => !cursors.has(shard)).map((shard) => ({ shard }));
  let open = [...cursors.values()];
  while (open.length > 0 && hasTime(budget)) {
    const round = await walker.round(open);
    for (const { shard } of round.caughtUp) end({ shard, entries: 0, ended: 'caught-up' });
    rest.push(...round.left);
    open = round.moved;
  }
  rest.push(...open.map((cursor) => ({ shard: cursor.shard, cursor })));

  const failures: unknown[] = [];
  await inParallel(rotated(rest, startMs), VISITS_AT_ONCE, async (position) => {
    try {
      end(await walker.walkShard(position));
    } catch (error) {
      failures.push(new Error(`shard ${position.shard} failed`, { cause: error }));
    }
  });
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${shards.length} shards failed`);
  return results;
}

/** Where a shard continues by itself. If the cursor or the page at it is absent, it has to be read. */
interface Position {
  shard: number;
  cursor?: Cursor;
  page?: EntryPage;
}

class Walker {
  constructor(
    private readonly visitor: ShardVisitor,
    private readonly deps: WalkDeps,
    private readonly budget: TimeBudget,
  ) {}

  /**
   * Reads all cursors in one call, not consistently: from a stale cursor, work is repeated and its move is
   * refused. If the call fails, each shard reads its own cursor, so that no failure stops another shard.
   */
  async readCursors(shards: readonly number[]): Promise<Map<number, Cursor>> {
    try {
      return await this.deps.schedule.readCursors(this.visitor.kind, shards, { consistent: false });
    } catch (error) {
      this.deps.log.warn('cursors are read one by one', { error });
      return new Map();
    }
  }

  /**
   * One round: cursors that are caught up, those that have moved on, and shards that have left the rounds.
   */
  async round(
    cursors: readonly Cursor[],
  ): Promise<{ caughtUp: Cursor[]; moved: Cursor[]; left: Position[] }> {
    const caughtUp: Cursor[] = [];
    const over: Cursor[] = [];
    const left: Position[] = [];
    await inParallel(cursors, READS_AT_ONCE, async (cursor) => {
      const { shard } = cursor;
      const range = this.visitor.rangeAt(cursor);
      // Within a bucket, an empty read moves nothing. It need be neither consistent nor a whole page.
      const isProbe = range && !range.endsBucket && cursor.entriesInLastBucket === 0;
      try {
        const page = range && (await this.read(cursor, range, isProbe ? PROBE : PAGE));
        if (page && !isEmpty(page)) left.push({ shard, cursor, page: isProbe ? undefined : page });
        else (range?.endsBucket ? over : caughtUp).push(cursor);
      } catch (error) {
        this.deps.log.warn('schedule bucket could not be read', { shard, error });
        left.push({ shard, cursor });
      }
    });
    const moved = await this.moveToNextBucket(over);
    const refused = over.filter(({ shard }) => !moved.some((cursor) => cursor.shard === shard));
    return { caughtUp, moved, left: [...left, ...refused.map(({ shard }) => ({ shard }))] };
  }

  /** @returns those that have moved, at their new positions */
  private async moveToNextBucket(cursors: readonly Cursor[]): Promise<Cursor[]> {
    if (cursors.length === 0) return [];
    const { schedule, clock, log } = this.deps;
    const to = { after: '', movedAtMs: clock.nowMs(), entriesInLastBucket: 0 };
    const moves = cursors.map((seen) => ({ seen, to: { ...seen, ...to, minute: seen.minute + 1 } }));
    const { moved, errors } = await schedule.moveCursors(moves);
    for (const error of errors) log.warn('no answer to a move of cursors', { error });
    return moves.filter(({ seen }) => moved.has(seen.shard)).map((move) => move.to);
  }

  /** One shard by itself, from bucket to bucket. Throws if a read, a visit or a move fails. */
  async walkShard({ shard, ...start }: Position): Promise<WalkResult> {
    const { schedule, clock } = this.deps;
    let cursor = start.cursor ?? (await schedule.readCursors(this.visitor.kind, [shard])).get(shard);
    const visit = this.visitor.begin();
    let entries = 0;
    let entriesInLastBucket = 0;
    const result = (ended: WalkResult['ended']): WalkResult => ({ shard, entries, ended });
    for (let page = start.page; ; page = undefined) {
      if (!cursor) return result('no-cursor');
      const range = this.visitor.rangeAt(cursor);
      if (!range) return result('caught-up');
      if (!hasTime(this.budget)) return result('out-of-time');
      page ??= await this.read(cursor, range, PAGE);
      const done: Visit = isEmpty(page)
        ? { entries: 0, through: cursor.after, isDone: true }
        : await visit(page, cursor);
      entries += done.entries;
      entriesInLastBucket += done.entries;
      const isOver = done.isDone && range.endsBucket;
      const position = isOver
        ? { minute: cursor.minute + 1, after: '' }
        : { minute: cursor.minute, after: done.through };
      if (isOver || done.through !== cursor.after) {
        const to = { ...position, movedAtMs: clock.nowMs(), entriesInLastBucket };
        if ((await schedule.moveCursor(cursor, to)) === 'lost') return result('overtaken');
        cursor = { ...cursor, ...to };
      }
      if (done.endedBy) return result(done.endedBy);
      if (isOver) entriesInLastBucket = 0;
      else if (done.isDone) return result('caught-up');
    }
  }

  private read(
    { minute, shard, after }: Cursor,
    { before }: { before?: string },
    how: { limit: number; consistent: boolean },
  ): Promise<EntryPage> {
    return this.deps.schedule.readBucket({ minute, shard, after: after || undefined, before, ...how });
  }
}

const isEmpty = ({ entries, unreadable }: EntryPage): boolean =>
  entries.length === 0 && unreadable.length === 0;

/** Another shard is first each minute, so that none is always last when time runs out. */
function rotated<Item>(items: readonly Item[], nowMs: number): Item[] {
  const first = Math.floor(nowMs / MINUTE_MS) % Math.max(1, items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}
