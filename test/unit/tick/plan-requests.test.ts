import type { TickEvent } from '../../../lambdas/core/contracts/messages';
import { shareRequests, sweepTimes, tick } from '../../../lambdas/tick/plan-requests';
import { MemoryDynamo } from '../../support/dynamo/memory-dynamo';
import { MemoryTables } from '../../support/dynamo/memory-tables';
import { TABLE_KEYS } from '../../support/dynamo/table-keys';
import { dynamoScheduleStore } from '../../../lambdas/core/store/dynamo/dynamo-schedule-store';
import { FakeClock } from '../../support/fake-clock';
import { FakeRandom } from '../../support/fake-random';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const NOW_MS = Date.UTC(2026, 11, 1, 8, 30);
const every10 = (fromSec: number, toSec: number): number[] =>
  Array.from({ length: (toSec - fromSec) / 10 + 1 }, (_, index) => fromSec + index * 10);

describe('the times of the sweeps that one tick requests', () => {
  it.each<{ after: string; throughSec?: number; expected: number[] }>([
    { after: 'no earlier tick', expected: every10(0, 110) },
    { after: 'a tick a minute ago', throughSec: 50, expected: every10(60, 110) },
    { after: 'a tick a minute ago, with a clock 5 s ahead', throughSec: 55, expected: every10(65, 115) },
    { after: 'a tick two minutes ago', throughSec: -10, expected: every10(0, 110) },
    { after: 'an outage of an hour', throughSec: -3_600, expected: every10(0, 110) },
    { after: 'a tick a second ago', throughSec: 109, expected: [119] },
    { after: 'a tick at the same time', throughSec: 110, expected: [] },
    { after: 'a tick whose clock was ahead by the most that is assumed', throughSec: 124, expected: [] },
    { after: 'a tick whose clock was wrong', throughSec: 125, expected: every10(0, 110) },
  ])('$after', ({ throughSec, expected }) => {
    const throughMs = throughSec === undefined ? undefined : NOW_MS + throughSec * SECOND_MS;
    const times = sweepTimes(NOW_MS, throughMs);
    expect(times.map((atMs) => (atMs - NOW_MS) / SECOND_MS)).toEqual(expected);
  });
});

describe('the sweeps that a tick requests after the queues of a local run have begun anew', () => {
  it.each<{ begun: string; agoSec: number; throughSec: number; expected: number[] }>([
    { begun: 'since the last tick', agoSec: 1, throughSec: 117, expected: every10(0, 110) },
    { begun: 'in the second of that tick', agoSec: 5, throughSec: 114, expected: every10(0, 110) },
    { begun: 'before that tick', agoSec: 70, throughSec: 50, expected: every10(60, 110) },
    { begun: 'long ago', agoSec: 3_600, throughSec: 50, expected: every10(60, 110) },
  ])('begun $begun', ({ agoSec, throughSec, expected }) => {
    const at = (sec: number) => NOW_MS + sec * SECOND_MS;
    const times = sweepTimes(NOW_MS, at(throughSec), at(-agoSec));
    expect(times.map((atMs) => (atMs - NOW_MS) / SECOND_MS)).toEqual(expected);
  });
});

describe('the shards of one request', () => {
  const shardsWith = (...entries: number[]) =>
    entries.map((entriesInLastBucket, shard) => ({ shard, entriesInLastBucket }));

  it.each([
    ['idle shards share one', [0, 0, 0], [[0, 1, 2]]],
    ['a shard with many entries has its own', [0, 900, 0], [[0], [1], [2]]],
    ['up to 500 entries share one', [200, 300, 1], [[0, 1], [2]]],
    ['no shard is left out', [], []],
  ])('%s', (_, entries, expected) => {
    expect(shareRequests(shardsWith(...entries))).toEqual(expected);
  });

  it('are sixteen at most', () => {
    const groups = shareRequests(shardsWith(...Array.from({ length: 33 }, () => 0)));
    expect(groups.map((group) => group.length)).toEqual([16, 16, 1]);
  });
});

describe('a tick', () => {
  let clock: FakeClock;
  let sent: { delaySec: number; shards: readonly number[] }[];
  let commands: string[];
  let isRefused: boolean;
  let dynamo: MemoryDynamo;

  beforeEach(() => {
    clock = new FakeClock(NOW_MS);
    sent = [];
    commands = [];
    isRefused = false;
    dynamo = new MemoryDynamo(new MemoryTables(TABLE_KEYS));
  });

  const run = (event: TickEvent, shardCount = 2) => {
    const schedule = dynamoScheduleStore({
      documents: dynamo,
      clock,
      random: new FakeRandom(1),
      table: 'schedule',
    });
    dynamo.faults = { before: ({ command }) => void commands.push(command) };
    const queue = {
      send: async (requests: readonly { request: { shards: readonly number[] }; delaySec: number }[]) => {
        if (isRefused) throw new Error('no answer of the queue');
        sent.push(...requests.map(({ request, delaySec }) => ({ delaySec, shards: request.shards })));
      },
    };
    const deps = { schedule, clock, scanQueue: queue, sweepQueue: queue };
    return clock.settle(tick(event, shardCount, deps));
  };
  const sweep = (shardCount?: number) => run({ kind: 'sweep' }, shardCount);
  const delays = () => sent.map(({ delaySec }) => delaySec);

  it('requests one scan of all shards, at once', async () => {
    expect(await run({ kind: 'scan' })).toEqual({ requests: 1, shards: 2 });
    expect(sent).toEqual([{ delaySec: 0, shards: [0, 1] }]);
  });

  it('requests each sweep once: twelve at first, then six a minute', async () => {
    await sweep();
    expect(delays()).toEqual(every10(0, 110));
    for (let minute = 0; minute < 5; minute++) {
      sent = [];
      await clock.advance(MINUTE_MS);
      await sweep();
      expect(delays()).toEqual(every10(60, 110));
    }
  });

  it.each([
    ['early and late ticks', [59, 2, 118, 61, 1, 100]],
    ['a missed tick', [60, 120, 60]],
  ])('leaves no gap of more than ten seconds between sweeps after %s', async (_, pausesSec) => {
    const atSec: number[] = [];
    const startMs = clock.nowMs();
    const record = async () => {
      sent = [];
      await sweep();
      atSec.push(...delays().map((delaySec) => (clock.nowMs() - startMs) / SECOND_MS + delaySec));
    };
    await record();
    for (const pauseSec of pausesSec) {
      await clock.advance(pauseSec * SECOND_MS);
      await record();
    }
    expect(atSec).toEqual(every10(0, atSec.at(-1)!));
  });

  it('requests the same sweeps again where they could not be sent', async () => {
    isRefused = true;
    await expect(sweep()).rejects.toThrow('no answer of the queue');
    isRefused = false;
    await sweep();
    expect(delays()).toEqual(every10(0, 110));
  });

  it('requests all sweeps again where the number of shards was raised', async () => {
    await sweep();
    sent = [];
    await run({ kind: 'scan' }, 4);
    await sweep(4);
    expect(sent).toEqual([0, ...every10(0, 110)].map((delaySec) => ({ delaySec, shards: [0, 1, 2, 3] })));
  });

  it('costs two reads, and a write for the sweeps', async () => {
    await sweep();
    commands = [];
    await clock.advance(MINUTE_MS);
    await run({ kind: 'scan' });
    expect(commands).toEqual(['GetCommand', 'BatchGetCommand']);
    commands = [];
    await sweep();
    expect(commands).toEqual(['GetCommand', 'BatchGetCommand', 'UpdateCommand']);
  });
});
