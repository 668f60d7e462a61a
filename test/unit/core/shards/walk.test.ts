import { entrySortKey } from '../../../../lambdas/core/domain/entry';
import { BUCKETS_BEHIND, endOf, SHARDS, type VisitPage, WalkWorld } from './walk-world';

describe('a walk over shards', () => {
  let world: WalkWorld;
  beforeEach(async () => {
    world = await WalkWorld.started();
  });

  it('moves idle shards together: one read a bucket and shard, one write a bucket', async () => {
    const results = await world.run();
    expect(world.calls.toSorted()).toEqual([
      'BatchGetCommand',
      ...Array<string>(SHARDS.length * (BUCKETS_BEHIND + 1)).fill('QueryCommand'),
      ...Array<string>(BUCKETS_BEHIND).fill('UpdateCommand'),
    ]);
    expect(results).toEqual(SHARDS.map((shard) => ({ shard, entries: 0, ended: 'caught-up' })));
    expect(await world.positions()).toEqual(SHARDS.map(() => 0));
    expect(world.visits).toEqual([]);
  });

  it('reads the page of a shard with entries once, and continues with it', async () => {
    await world.put(2, world.endMinute - 2);
    const results = await world.run();
    expect(world.visits).toEqual(['2@-2']);
    expect(endOf(results, 2)).toEqual({ shard: 2, entries: 1, ended: 'caught-up' });
    expect(world.count('QueryCommand')).toBe(SHARDS.length * (BUCKETS_BEHIND + 1));
    expect(await world.positions()).toEqual(SHARDS.map(() => 0));
  });

  it('probes a bucket that is not over, and reads it consistently where it has entries', async () => {
    await world.run(world.visitAll);
    await world.put(2);
    const queries: unknown[] = [];
    const { readBucket } = world.schedule;
    world.failing({
      readBucket: (query) => {
        queries.push([query.shard, query.limit, query.consistent]);
        return readBucket(query);
      },
    });
    await world.run(world.visitAll, [1, 2]);
    expect(queries).toEqual([
      [1, 1, false],
      [2, 1, false],
      [2, 500, true],
    ]);
    expect(world.visits).toEqual(['2@0']);
    queries.length = 0;
    await world.run(world.visitAll, [1, 2]); // the shard had entries, so it is not probed
    expect(queries).toEqual([
      [1, 1, false],
      [2, 500, true],
    ]);
  });

  it('moves within a bucket behind what is done, and counts its entries', async () => {
    const [first, second] = [await world.put(2), await world.put(2, world.endMinute, 10)];
    await world.run((page, cursor) => world.visitAll({ ...page, entries: page.entries.slice(0, 1) }, cursor));
    const after = async () => (await world.schedule.readCursors('sweep', [2])).get(2);
    expect(await after()).toMatchObject({ after: entrySortKey(first), entriesInLastBucket: 1 });
    await world.run();
    expect(await after()).toMatchObject({ minute: world.endMinute, after: entrySortKey(second) });
  });

  it('counts a row that is no entry as one that is to be visited', async () => {
    const { readBucket } = world.schedule;
    world.failing({
      readBucket: async (query) =>
        query.shard === 2 && query.minute === world.endMinute - 1
          ? { entries: [], unreadable: ['a row'] }
          : readBucket(query),
    });
    await world.run();
    expect(world.visits).toEqual(['2@-1']);
  });

  it('ends a shard early where its visit says so', async () => {
    await world.put(2, world.endMinute - 1);
    const results = await world.run(async (_, { after }) => ({
      entries: 0,
      through: after,
      isDone: false,
      endedBy: 'unsettled',
    }));
    expect(endOf(results, 2)).toEqual({ shard: 2, entries: 0, ended: 'unsettled' });
    expect(await world.positions()).toEqual([0, 0, -1, 0, 0, 0]);
  });

  it('moves nothing where another process has moved the cursor', async () => {
    await world.put(2, world.endMinute - BUCKETS_BEHIND);
    const results = await world.run(async (page, cursor) => {
      await world.schedule.moveCursor(cursor, { ...cursor, minute: cursor.minute + 1 });
      return world.visitAll(page, cursor);
    });
    expect(endOf(results, 2)).toMatchObject({ ended: 'overtaken' });
    expect(await world.positions()).toEqual([0, 0, 1 - BUCKETS_BEHIND, 0, 0, 0]);
  });

  it('goes on with each shard of a row by itself where another process has moved one of them', async () => {
    const { moveCursors } = world.schedule;
    const moves = jest.fn(moveCursors);
    moves.mockImplementationOnce(async (wanted) => {
      await moveCursors(wanted.slice(0, 1));
      return moveCursors(wanted);
    });
    world.failing({ moveCursors: moves });
    const results = await world.run();
    expect(results.map(({ ended }) => ended)).toEqual(SHARDS.map(() => 'caught-up'));
    expect(await world.positions()).toEqual(SHARDS.map(() => 0));
  });

  it('says that a shard has no cursor', async () => {
    expect(await world.run(world.visitAll, [99])).toEqual([{ shard: 99, entries: 0, ended: 'no-cursor' }]);
  });

  it('does not wait for a slow shard', async () => {
    for (const shard of [1, 2, 3]) await world.put(shard, world.endMinute - 2);
    const endedAtMs = new Map<number, number>();
    const startMs = world.clock.monotonicMs();
    await world.run(async (page, cursor) => {
      if (cursor.shard === 1) await world.clock.sleep(40_000);
      const visit = await world.visitAll(page, cursor);
      endedAtMs.set(cursor.shard, world.clock.monotonicMs() - startMs);
      return visit;
    });
    expect(Object.fromEntries(endedAtMs)).toEqual({ 1: 40_000, 2: 0, 3: 0 });
    expect(await world.positions()).toEqual(SHARDS.map(() => 0));
  });

  it('visits four shards at a time, and another one first each minute', async () => {
    for (const shard of SHARDS) await world.put(shard, world.endMinute - 2);
    let atOnce = 0;
    let most = 0;
    const slowly: VisitPage = async (page, cursor) => {
      most = Math.max(most, ++atOnce);
      await world.clock.sleep(1_000);
      atOnce -= 1;
      return world.visitAll(page, cursor);
    };
    await world.run(slowly);
    expect(most).toBe(4);
    const firstShard = Number(world.visits[0]!.split('@')[0]);
    await world.clock.advance(60_000);
    world.visits = [];
    for (const shard of SHARDS) await world.put(shard, world.endMinute, 10);
    await world.run(slowly);
    expect(Number(world.visits[0]!.split('@')[0])).toBe((firstShard + 1) % SHARDS.length);
  });

  describe('without time', () => {
    it('reads nothing but cursors', async () => {
      world.leftMs = 9_999;
      expect((await world.run()).map(({ ended }) => ended)).toEqual(SHARDS.map(() => 'out-of-time'));
      expect(world.calls).toEqual(['BatchGetCommand']);
    });

    it('starts no further page', async () => {
      for (const minute of [world.endMinute - 2, world.endMinute - 1]) await world.put(2, minute);
      const results = await world.run(async (page, cursor) => {
        world.leftMs = 9_999;
        return world.visitAll(page, cursor);
      });
      expect(world.visits).toEqual(['2@-2']);
      expect(endOf(results, 2)).toEqual({ shard: 2, entries: 1, ended: 'out-of-time' });
    });
  });
});
