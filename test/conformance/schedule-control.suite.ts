import { minuteOf, SHARDS_A_CURSOR_ROW } from '../../lambdas/core/contracts/tables';
import type { Cursor } from '../../lambdas/core/store/schedule-store';
import { T0_MS } from '../support/factories';
import type { StoreSetup } from './store-setup';

const minute = minuteOf(T0_MS);

/** What every ScheduleStore must do with cursors, shard counts and bookmarks, and must not. */
export function describeScheduleControl(setup: () => StoreSetup): void {
  describe('ScheduleStore: cursors, shards, bookmarks', () => {
    const aCursor = (shard: number, overrides: Partial<Cursor> = {}): Cursor => ({
      kind: 'sweep',
      shard,
      minute,
      after: '',
      movedAtMs: T0_MS,
      entriesInLastBucket: 0,
      ...overrides,
    });

    /** Shards that fill so many rows of cursors. */
    function freshRows(rows: number): number[] {
      const { freshShard } = setup();
      let first = freshShard();
      while (first % SHARDS_A_CURSOR_ROW !== 0) first = freshShard();
      const others = Array.from({ length: rows * SHARDS_A_CURSOR_ROW - 1 }, () => freshShard());
      return [first, ...others];
    }

    it('creates a cursor once', async () => {
      const { schedule, freshShard } = setup();
      const shard = freshShard();
      await schedule.createCursors([aCursor(shard)]);
      await schedule.createCursors([aCursor(shard, { minute: minute + 9 })]);
      expect(await schedule.readCursors('sweep', [shard, shard])).toEqual(new Map([[shard, aCursor(shard)]]));
      expect(await schedule.readCursors('scan', [shard])).toEqual(new Map());
    });

    it('moves a cursor only from where it was seen', async () => {
      const { schedule, freshShard } = setup();
      const shard = freshShard();
      const seen = aCursor(shard);
      await schedule.createCursors([seen]);
      const within = {
        minute,
        after: '20261201T083010.000Z#x',
        movedAtMs: T0_MS + 1,
        entriesInLastBucket: 3,
      };
      expect(await schedule.moveCursor(seen, within)).toBe('moved');
      expect(await schedule.moveCursor(seen, { ...within, movedAtMs: T0_MS + 2 })).toBe('lost');
      expect(await schedule.moveCursor(seen, within)).toBe('lost');
      const on = { minute: minute + 1, after: '', movedAtMs: T0_MS + 3, entriesInLastBucket: 0 };
      expect(await schedule.moveCursor({ ...seen, ...within }, on)).toBe('moved');
      expect(await schedule.readCursors('sweep', [shard])).toEqual(new Map([[shard, aCursor(shard, on)]]));
    });

    it('lets one of many moves win', async () => {
      const { schedule, freshShard } = setup();
      const seen = aCursor(freshShard());
      await schedule.createCursors([seen]);
      const to = { minute: minute + 1, after: '', movedAtMs: T0_MS + 3, entriesInLastBucket: 0 };
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => schedule.moveCursor(seen, to)));
      expect(outcomes.filter((outcome) => outcome === 'moved')).toHaveLength(1);
    });

    it('moves the cursors of a row together, or none of them', async () => {
      const { schedule } = setup();
      const shards = freshRows(2);
      const [first = 0, second = 0] = shards;
      await schedule.createCursors(shards.map((shard) => aCursor(shard)));
      const to = { minute: minute + 1, after: '', movedAtMs: T0_MS + 1, entriesInLastBucket: 0 };
      const moves = shards.map((shard) => ({ seen: aCursor(shard), to }));
      expect(await schedule.moveCursor(aCursor(first), to)).toBe('moved');
      expect(await schedule.moveCursors(moves)).toEqual({
        moved: new Set(shards.slice(SHARDS_A_CURSOR_ROW)),
        errors: [],
      });
      const cursors = await schedule.readCursors('sweep', shards);
      expect([...cursors.keys()].toSorted((a, b) => a - b)).toEqual(shards);
      expect(cursors.get(first)).toEqual(aCursor(first, to));
      expect(cursors.get(second)).toEqual(aCursor(second));
      expect(cursors.get(shards.at(-1)!)).toEqual(aCursor(shards.at(-1)!, to));
      expect(await schedule.moveCursors(moves.slice(1, SHARDS_A_CURSOR_ROW))).toEqual({
        moved: new Set(shards.slice(1, SHARDS_A_CURSOR_ROW)),
        errors: [],
      });
      expect(await schedule.moveCursors([])).toEqual({ moved: new Set(), errors: [] });
    });

    it('creates the cursors that a row lacks, and leaves the others where they are', async () => {
      const { schedule } = setup();
      const [old = 0, added = 0] = freshRows(1);
      await schedule.createCursors([aCursor(old, { minute: minute + 9, entriesInLastBucket: 4 })]);
      await schedule.createCursors([aCursor(old), aCursor(added)]);
      expect(await schedule.readCursors('sweep', [old, added], { consistent: false })).toEqual(
        new Map([
          [old, aCursor(old, { minute: minute + 9, entriesInLastBucket: 4 })],
          [added, aCursor(added)],
        ]),
      );
    });

    it('never moves a cursor back', async () => {
      const { schedule } = setup();
      const seen = aCursor(0, { after: 'b' });
      for (const to of [
        { minute: minute - 1, after: 'c' },
        { minute, after: 'a' },
      ]) {
        await expect(
          schedule.moveCursor(seen, { ...to, movedAtMs: T0_MS, entriesInLastBucket: 0 }),
        ).rejects.toThrow(/go back/);
      }
    });

    it('does not take a missing cursor for one that moved', async () => {
      const { schedule, freshShard } = setup();
      const to = { minute: minute + 1, after: '', movedAtMs: T0_MS, entriesInLastBucket: 0 };
      expect(await schedule.moveCursor(aCursor(freshShard()), to)).toBe('lost');
    });

    it('only raises the number of shards, and keeps each count that was active', async () => {
      const { schedule } = setup();
      expect(await schedule.readShards()).toEqual({ count: 0, history: [] });
      await schedule.raiseShards(4);
      await schedule.raiseShards(4);
      await schedule.raiseShards(2);
      expect(await schedule.readShards()).toEqual({ count: 4, history: [4] });
      await schedule.raiseShards(16);
      expect(await schedule.readShards()).toEqual({ count: 16, history: [4, 16] });
      await expect(schedule.raiseShards(0)).rejects.toThrow(/shard count is 0/);
    });

    it('records through when sweeps were requested, until the number of shards is raised', async () => {
      const { schedule } = setup();
      const { count } = await schedule.readShards();
      await schedule.recordSweepRequests(count + 1, T0_MS); // not yet active
      expect(await schedule.readShards()).not.toHaveProperty('sweepsRequestedThroughMs');
      await schedule.raiseShards(count + 1);
      await schedule.recordSweepRequests(count + 1, T0_MS + 10_000);
      await schedule.recordSweepRequests(count + 1, T0_MS); // a clock may be behind
      expect(await schedule.readShards()).toMatchObject({ sweepsRequestedThroughMs: T0_MS });
      await schedule.raiseShards(count + 2);
      await schedule.recordSweepRequests(count + 1, T0_MS); // came too late
      expect(await schedule.readShards()).not.toHaveProperty('sweepsRequestedThroughMs');
    });

    it('keeps a bookmark under its name, and takes it out', async () => {
      const { schedule } = setup();
      expect(await schedule.readBookmark('audit')).toBeUndefined();
      await schedule.writeBookmark('audit', '["user","job"]');
      await schedule.writeBookmark('other', 'elsewhere');
      expect(await schedule.readBookmark('audit')).toBe('["user","job"]');
      await schedule.writeBookmark('audit', undefined);
      expect(await schedule.readBookmark('audit')).toBeUndefined();
    });
  });
}
