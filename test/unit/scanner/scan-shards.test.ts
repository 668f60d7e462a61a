import { Metric } from '../../../lambdas/core/contracts/metrics';
import { minuteOf } from '../../../lambdas/core/contracts/tables';
import { phaseAligned } from '../../../lambdas/core/queue/phase-aligned';
import { scanShards } from '../../../lambdas/scanner/scan-shards';
import { throttled } from '../../support/dynamo/errors';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const HORIZON_MINUTES = 3;
const SHARDS = [0, 1, 2, 3];

describe('a request for several shards', () => {
  let world: PipelineWorld;
  let commands: string[];

  beforeEach(async () => {
    world = await PipelineWorld.started(SHARDS.length);
    await world.run(2 * MINUTE_MS);
    world.on.tick = false;
    commands = [];
    world.dynamo.faults = { before: ({ command }) => void commands.push(command) };
  });

  const scan = (leftMs = 60_000) => {
    commands.length = 0; // those of the sweeper
    return world.clock.settle(scanShards(SHARDS, world.deps, { remainingMs: () => leftMs }));
  };
  const cursors = async () => [...(await world.deps.schedule.readCursors('scan', SHARDS)).values()];
  const horizonMinute = () => minuteOf(world.clock.nowMs()) + HORIZON_MINUTES;
  const areCaughtUp = async () =>
    expect((await cursors()).map(({ minute }) => minute)).toEqual(SHARDS.map(() => horizonMinute() + 1));

  it('moves idle shards together, by one read each and one write a minute', async () => {
    await world.run(MINUTE_MS);
    await scan();
    expect(commands.toSorted()).toEqual([
      'BatchGetCommand',
      ...SHARDS.map(() => 'QueryCommand'),
      'UpdateCommand',
    ]);
    await areCaughtUp();
  });

  it('catches up after an outage bucket by bucket, and records how long it was', async () => {
    await world.run(20 * MINUTE_MS);
    await scan();
    expect(commands.filter((command) => command === 'UpdateCommand')).toHaveLength(20);
    await areCaughtUp();
    expect(world.meter.values(Metric.cursorLagSec).at(-1)).toBeGreaterThan(15 * 60);
  });

  it('scans the shard that has an entry, and all others', async () => {
    const minuteMs = (horizonMinute() + 3) * MINUTE_MS;
    const job = await world.create(
      newJobAt(world, { schedule: { type: 'at', at: new Date(minuteMs).toISOString() } }),
    );
    await world.run(4 * MINUTE_MS);
    await scan();
    await areCaughtUp();
    world.on.tick = true;
    await world.run(HORIZON_MINUTES * MINUTE_MS);
    expect(world.executions(job)).toEqual([
      expect.objectContaining({ status: 'succeeded', dueAtMs: minuteMs }),
    ]);
    expect(world.calls).toHaveLength(1);
  });

  it('catches up although another scanner moves a cursor meanwhile', async () => {
    await world.run(MINUTE_MS);
    const { moveCursors } = world.deps.schedule;
    const rival = jest.spyOn(world.deps.schedule, 'moveCursors').mockImplementationOnce(async (moves) => {
      await moveCursors(moves.slice(0, 1));
      return moveCursors(moves);
    });
    await scan();
    expect(rival).toHaveBeenCalledTimes(1);
    await areCaughtUp();
  });

  it('scans all shards although a read of cursors, of a bucket, or a move gets no answer', async () => {
    for (const broken of ['BatchGetCommand', 'QueryCommand', 'UpdateCommand']) {
      await world.run(MINUTE_MS);
      let first = true;
      world.dynamo.faults = {
        before: ({ command }) => {
          if (command !== broken || !first) return;
          first = false;
          throw Object.assign(throttled(), { name: 'InternalServerError' });
        },
      };
      await scan();
      await areCaughtUp();
    }
    expect(world.errors()).toEqual([]);
  });

  it('moves the row that answers where another does not', async () => {
    world = await PipelineWorld.started(16);
    await world.run(2 * MINUTE_MS);
    Object.assign(world.on, { tick: false, sweep: false });
    await world.run(MINUTE_MS);
    const queries: string[] = [];
    let first = true;
    world.dynamo.faults = {
      before: ({ command, input }) => {
        if (command === 'QueryCommand') queries.push(command);
        if (command !== 'UpdateCommand' || (input.Key as { bucket: string }).bucket !== '#cursors#scan#1')
          return;
        if (!first) return;
        first = false;
        throw Object.assign(throttled(), { name: 'InternalServerError' });
      },
    };
    const shards = Array.from({ length: 16 }, (_, shard) => shard);
    await world.clock.settle(scanShards(shards, world.deps, { remainingMs: () => 60_000 }));
    expect(queries).toHaveLength(16 + 8);
    const after = await world.deps.schedule.readCursors('scan', shards);
    expect([...after.values()].map(({ minute }) => minute)).toEqual(shards.map(() => horizonMinute() + 1));
    expect(world.log.messages('warn')).toEqual(['no answer to a move of cursors']);
  });

  it('says what failed, once all others have ended', async () => {
    await world.run(MINUTE_MS);
    const { readBucket } = world.deps.schedule;
    const schedule = {
      ...world.deps.schedule,
      readBucket: async (query: Parameters<typeof readBucket>[0]) => {
        if (query.shard === 2) throw new Error('no answer for shard 2');
        return readBucket(query);
      },
    };
    await expect(
      world.clock.settle(scanShards(SHARDS, { ...world.deps, schedule }, { remainingMs: () => 60_000 })),
    ).rejects.toThrow('1 of 4 shards failed');
    const minutes = (await cursors()).map(({ minute }) => minute - horizonMinute());
    expect(minutes).toEqual([1, 1, 0, 1]);
  });

  it('works on 800 entries a second, although sending a page takes a second', async () => {
    world = await PipelineWorld.started(1);
    world.on.scan = false;
    const entries = 2_000;
    const minuteMs = (horizonMinute() + 3) * MINUTE_MS;
    for (let index = 0; index < entries; index++) {
      const at = new Date(minuteMs + (index * MINUTE_MS) / entries).toISOString();
      await world.create(newJobAt(world, { jobId: `job-${index}`, schedule: { type: 'at', at } }));
    }
    await world.run(3 * MINUTE_MS);
    const queue = phaseAligned(world.deps.queue, world.clock);
    const startMs = world.clock.monotonicMs();
    const results = await world.clock.settle(
      scanShards([0], { ...world.deps, queue }, { remainingMs: () => 60_000 }),
    );
    expect(results).toEqual([{ shard: 0, entries, ended: 'caught-up' }]);
    expect(world.queue.messages).toHaveLength(entries);
    // Four pages begin 625 ms after one another, and the last takes a second to send.
    expect(world.clock.monotonicMs() - startMs).toBeLessThan(3 * 625 + 1_010);
  });

  it('begins nothing for which there is no time', async () => {
    await world.run(MINUTE_MS);
    await scan(9_000);
    expect(commands).not.toContain('UpdateCommand');
    expect(commands).not.toContain('QueryCommand');
  });
});
