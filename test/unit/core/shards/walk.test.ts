import { minuteOf, minuteStartMs } from '../../../../lambdas/core/contracts/tables';
import { type OccurrenceEntry, entrySortKey } from '../../../../lambdas/core/domain/entry';
import { type ShardVisitor, type Visit, walk, type WalkResult } from '../../../../lambdas/core/shards/walk';
import type { ScheduleStore } from '../../../../lambdas/core/store/schedule-store';
import { MemoryTables } from '../../../support/dynamo/memory-tables';
import { TABLE_KEYS } from '../../../support/dynamo/table-keys';
import { anOccurrenceEntry } from '../../../support/factories';
import { FakeClock } from '../../../support/fake-clock';
import { FakeRandom } from '../../../support/fake-random';
import { memoryStores } from '../../../support/memory-stores';
import { RecordingLog } from '../../../support/recording-log';

const SHARDS = [0, 1, 2, 3, 4, 5];
const BUCKETS_BEHIND = 3; // from the cursors to the bucket in which the walk ends

describe('a walk over shards', () => {
  let clock: FakeClock;
  let log: RecordingLog;
  let schedule: ScheduleStore;
  let calls: string[] = [];
  let endMinute: number;
  let visits: string[];
  let leftMs: number;

  beforeEach(async () => {
    clock = new FakeClock();
    log = new RecordingLog();
    leftMs = 60_000;
    visits = [];
    endMinute = minuteOf(clock.nowMs());
    const tables = new MemoryTables(TABLE_KEYS);
    const faults = { before: ({ command }: { command: string }) => void calls.push(command) };
    schedule = memoryStores(tables, { clock, random: new FakeRandom(1), faults }).schedule;
    await schedule.createCursors(
      SHARDS.map((shard) => ({
        kind: 'sweep',
        shard,
        minute: endMinute - BUCKETS_BEHIND,
        after: '',
        movedAtMs: 0,
        entriesInLastBucket: 0,
      })),
    );
    calls = [];
  });

  /** An entry of a bucket: in the last one, it lies within the range. */
  const put = async (shard: number, minute = endMinute, offsetMs = 0): Promise<OccurrenceEntry> => {
    const checkAtMs = minuteStartMs(minute) + offsetMs;
    const entry = anOccurrenceEntry({ shard, checkAtMs, dueAtMs: checkAtMs, throughMs: checkAtMs });
    await schedule.putEntries([entry]);
    calls = [];
    return entry;
  };

  type VisitPage = ReturnType<ShardVisitor['begin']>;
  const visitAll: VisitPage = async ({ entries, nextAfter }, { shard, minute, after }): Promise<Visit> => {
    visits.push(`${shard}@${minute - endMinute}`);
    const last = entries.at(-1);
    return {
      entries: entries.length,
      through: nextAfter ?? (last ? entrySortKey(last) : after),
      isDone: nextAfter === undefined,
    };
  };

  const run = (visit: VisitPage = visitAll, shards: readonly number[] = SHARDS) =>
    clock.settle(
      walk(
        shards,
        {
          kind: 'sweep',
          onStart: () => undefined,
          onEnd: () => undefined,
          rangeAt: ({ minute }) => ({ endsBucket: minute < endMinute }),
          begin: () => visit,
        },
        { schedule, clock, log },
        { remainingMs: () => leftMs },
      ),
    );
  const positions = async () =>
    [...(await schedule.readCursors('sweep', SHARDS)).values()].map(({ minute }) => minute - endMinute);
  const endOf = (results: readonly WalkResult[], shard: number) =>
    results.find((result) => result.shard === shard);
  const count = (command: string) => calls.filter((call) => call === command).length;
  const failing = (changes: Partial<ScheduleStore>) => {
    schedule = { ...schedule, ...changes };
  };

  it('moves idle shards together: one read a bucket and shard, one write a bucket', async () => {
    const results = await run();
    expect(calls.toSorted()).toEqual([
      'BatchGetCommand',
      ...Array<string>(SHARDS.length * (BUCKETS_BEHIND + 1)).fill('QueryCommand'),
      ...Array<string>(BUCKETS_BEHIND).fill('UpdateCommand'),
    ]);
    expect(results).toEqual(SHARDS.map((shard) => ({ shard, entries: 0, ended: 'caught-up' })));
    expect(await positions()).toEqual(SHARDS.map(() => 0));
    expect(visits).toEqual([]);
  });

  it('reads the page of a shard with entries once, and continues with it', async () => {
    await put(2, endMinute - 2);
    const results = await run();
    expect(visits).toEqual(['2@-2']);
    expect(endOf(results, 2)).toEqual({ shard: 2, entries: 1, ended: 'caught-up' });
    expect(count('QueryCommand')).toBe(SHARDS.length * (BUCKETS_BEHIND + 1));
    expect(await positions()).toEqual(SHARDS.map(() => 0));
  });

  it('probes a bucket that is not over, and reads it consistently where it has entries', async () => {
    await run(visitAll);
    await put(2);
    const queries: unknown[] = [];
    const { readBucket } = schedule;
    failing({
      readBucket: (query) => {
        queries.push([query.shard, query.limit, query.consistent]);
        return readBucket(query);
      },
    });
    await run(visitAll, [1, 2]);
    expect(queries).toEqual([
      [1, 1, false],
      [2, 1, false],
      [2, 500, true],
    ]);
    expect(visits).toEqual(['2@0']);
    queries.length = 0;
    await run(visitAll, [1, 2]); // the shard had entries, so it is not probed
    expect(queries).toEqual([
      [1, 1, false],
      [2, 500, true],
    ]);
  });

  it('moves within a bucket behind what is done, and counts its entries', async () => {
    const [first, second] = [await put(2), await put(2, endMinute, 10)];
    await run((page, cursor) => visitAll({ ...page, entries: page.entries.slice(0, 1) }, cursor));
    const after = async () => (await schedule.readCursors('sweep', [2])).get(2);
    expect(await after()).toMatchObject({ after: entrySortKey(first), entriesInLastBucket: 1 });
    await run();
    expect(await after()).toMatchObject({ minute: endMinute, after: entrySortKey(second) });
  });

  it('counts a row that is no entry as one that is to be visited', async () => {
    const { readBucket } = schedule;
    failing({
      readBucket: async (query) =>
        query.shard === 2 && query.minute === endMinute - 1
          ? { entries: [], rowKeys: [], unreadable: ['a row'] }
          : readBucket(query),
    });
    await run();
    expect(visits).toEqual(['2@-1']);
  });

  it('ends a shard early where its visit says so', async () => {
    await put(2, endMinute - 1);
    const results = await run(async (_, { after }) => ({
      entries: 0,
      through: after,
      isDone: false,
      endedBy: 'unsettled',
    }));
    expect(endOf(results, 2)).toEqual({ shard: 2, entries: 0, ended: 'unsettled' });
    expect(await positions()).toEqual([0, 0, -1, 0, 0, 0]);
  });

  it('moves nothing where another process has moved the cursor', async () => {
    await put(2, endMinute - BUCKETS_BEHIND);
    const results = await run(async (page, cursor) => {
      await schedule.moveCursor(cursor, { ...cursor, minute: cursor.minute + 1 });
      return visitAll(page, cursor);
    });
    expect(endOf(results, 2)).toMatchObject({ ended: 'overtaken' });
    expect(await positions()).toEqual([0, 0, 1 - BUCKETS_BEHIND, 0, 0, 0]);
  });

  it('goes on with each shard of a row by itself where another process has moved one of them', async () => {
    const { moveCursors } = schedule;
    const moves = jest.fn(moveCursors);
    moves.mockImplementationOnce(async (wanted) => {
      await moveCursors(wanted.slice(0, 1));
      return moveCursors(wanted);
    });
    failing({ moveCursors: moves });
    const results = await run();
    expect(results.map(({ ended }) => ended)).toEqual(SHARDS.map(() => 'caught-up'));
    expect(await positions()).toEqual(SHARDS.map(() => 0));
  });

  it('says that a shard has no cursor', async () => {
    expect(await run(visitAll, [99])).toEqual([{ shard: 99, entries: 0, ended: 'no-cursor' }]);
  });

  describe('where a shard fails', () => {
    it('reads its page once more, and walks on', async () => {
      const { readBucket } = schedule;
      let failures = 1;
      failing({
        readBucket: async (query) => {
          if (query.shard === 2 && failures-- > 0) throw new Error('no answer');
          return readBucket(query);
        },
      });
      await run();
      expect(await positions()).toEqual(SHARDS.map(() => 0));
      expect(log.messages('warn')).toEqual(['schedule bucket could not be read']);
    });

    it('walks all others, and throws what failed together', async () => {
      await put(4, endMinute - 2);
      const { readBucket } = schedule;
      failing({
        readBucket: async (query) => {
          if (query.shard === 2) throw new Error('no answer for shard 2');
          return readBucket(query);
        },
      });
      const visit: VisitPage = async () => {
        throw new Error('no answer to the visit of shard 4');
      };
      const failure = (await run(visit).catch((error: unknown) => error)) as AggregateError;
      expect([failure.name, failure.message]).toEqual(['AggregateError', '2 of 6 shards failed']);
      const causes = failure.errors.map((one: Error) => `${one.message}: ${String(one.cause)}`);
      expect(causes.toSorted()).toEqual([
        'shard 2 failed: Error: no answer for shard 2',
        'shard 4 failed: Error: no answer to the visit of shard 4',
      ]);
      expect(await positions()).toEqual([0, 0, -BUCKETS_BEHIND, 0, -2, 0]);
    });

    it('reads cursors one by one where they cannot be read together', async () => {
      const { readCursors } = schedule;
      failing({
        readCursors: async (kind, shards, options) => {
          if (shards.length > 1 || shards[0] === 2) throw new Error('no answer');
          return readCursors(kind, shards, options);
        },
      });
      await expect(run()).rejects.toThrow('1 of 6 shards failed');
      schedule = { ...schedule, readCursors };
      expect(await positions()).toEqual([0, 0, -BUCKETS_BEHIND, 0, 0, 0]);
    });
  });

  it('is not held up by a slow shard', async () => {
    for (const shard of [1, 2, 3]) await put(shard, endMinute - 2);
    const endedAtMs = new Map<number, number>();
    const startMs = clock.monotonicMs();
    await run(async (page, cursor) => {
      if (cursor.shard === 1) await clock.sleep(40_000);
      const visit = await visitAll(page, cursor);
      endedAtMs.set(cursor.shard, clock.monotonicMs() - startMs);
      return visit;
    });
    expect(Object.fromEntries(endedAtMs)).toEqual({ 1: 40_000, 2: 0, 3: 0 });
    expect(await positions()).toEqual(SHARDS.map(() => 0));
  });

  it('visits four shards at a time, and another one first each minute', async () => {
    for (const shard of SHARDS) await put(shard, endMinute - 2);
    let atOnce = 0;
    let most = 0;
    const slowly: VisitPage = async (page, cursor) => {
      most = Math.max(most, ++atOnce);
      await clock.sleep(1_000);
      atOnce -= 1;
      return visitAll(page, cursor);
    };
    await run(slowly);
    expect(most).toBe(4);
    const firstShard = Number(visits[0]!.split('@')[0]);
    await clock.advance(60_000);
    visits = [];
    for (const shard of SHARDS) await put(shard, endMinute, 10);
    await run(slowly);
    expect(Number(visits[0]!.split('@')[0])).toBe((firstShard + 1) % SHARDS.length);
  });

  describe('without time', () => {
    it('reads nothing but cursors', async () => {
      leftMs = 9_999;
      expect((await run()).map(({ ended }) => ended)).toEqual(SHARDS.map(() => 'out-of-time'));
      expect(calls).toEqual(['BatchGetCommand']);
    });

    it('begins no further page', async () => {
      for (const minute of [endMinute - 2, endMinute - 1]) await put(2, minute);
      const results = await run(async (page, cursor) => {
        leftMs = 9_999;
        return visitAll(page, cursor);
      });
      expect(visits).toEqual(['2@-2']);
      expect(endOf(results, 2)).toEqual({ shard: 2, entries: 1, ended: 'out-of-time' });
    });
  });
});
