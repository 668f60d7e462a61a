import { sweepShards } from '../../../lambdas/sweeper/sweep-shards';
import { throttled } from '../../support/dynamo/errors';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

describe('a request for several shards', () => {
  let world: PipelineWorld;
  let requests: string[];

  beforeEach(async () => {
    world = await PipelineWorld.started(4);
    world.on.sweep = false;
    await world.run(60_000);
    requests = [];
    world.dynamo.faults = { before: ({ command }) => void requests.push(command) };
  });

  const sweep = () =>
    world.clock.settle(sweepShards([0, 1, 2, 3], world.deps, { remainingMs: () => 60_000 }));

  it('reads their cursors in one call', async () => {
    await sweep();
    expect(requests.filter((command) => command === 'BatchGetCommand')).toHaveLength(1);
    expect(requests.filter((command) => command === 'QueryCommand').length).toBeGreaterThanOrEqual(4);
  });

  it('settles nothing twice, and moves no cursor back, where it has read stale cursors', async () => {
    const stale = await world.deps.schedule.readCursors('sweep', [0, 1, 2, 3]);
    const job = await world.create(newJobAt(world, { schedule: { type: 'delay', delay: '5s' } }));
    await world.run(2 * 60_000);
    await sweep();
    const { readCursors } = world.deps.schedule;
    const current = await readCursors('sweep', [0, 1, 2, 3]);
    world.deps.schedule.readCursors = (kind, shards, options) =>
      options?.consistent === false ? Promise.resolve(stale) : readCursors(kind, shards, options);
    const [calls, entries] = [world.calls.length, world.tables.rows('schedule').length];
    await sweep();
    expect(world.errors()).toEqual([]);
    expect(world.calls).toHaveLength(calls);
    expect(world.executions(job)).toHaveLength(1);
    expect(world.tables.rows('schedule')).toHaveLength(entries);
    expect(await readCursors('sweep', [0, 1, 2, 3])).toEqual(current);
  });

  it('ends a bucket of idle shards by one write, and writes nothing within it', async () => {
    await sweep();
    let writes = 0;
    for (let pass = 0; pass < 12; pass++) {
      requests.length = 0;
      await world.run(10_000);
      requests.length = 0; // of the scanner
      await sweep();
      writes += requests.filter((command) => command === 'UpdateCommand').length;
    }
    expect(writes).toBe(2);
  });

  it.each([0, 3, 7, 9])(
    'rechecks within 30 s what is due as a minute begins, after an idle minute (%i s past the tens)',
    async (phaseSec) => {
      await world.run(120_000 - (world.clock.nowMs() % 60_000) + phaseSec * 1_000);
      const dueAtMs = world.clock.nowMs() - phaseSec * 1_000 + 120_000;
      const at = new Date(dueAtMs).toISOString();
      const job = await world.create(newJobAt(world, { schedule: { type: 'at', at } }));
      world.queue.purge();
      for (let pass = 0; pass < 16; pass++) {
        await sweep();
        await world.run(10_000);
      }
      const [execution] = world.executions(job);
      expect(execution).toMatchObject({ status: 'succeeded', dueAtMs });
      expect(world.calls).toHaveLength(1);
      expect(execution!.latenessMs).toBeLessThanOrEqual(30_500); // half a second for its message
    },
  );

  it('finds at the end of a bucket what every read before has missed', async () => {
    const { readBucket } = world.deps.schedule;
    world.deps.schedule.readBucket = (query) =>
      query.consistent === false
        ? Promise.resolve({ entries: [], rowKeys: [], unreadable: [] })
        : readBucket.call(world.deps.schedule, query);
    const job = await world.create(newJobAt(world, { schedule: { type: 'delay', delay: '65s' } }));
    world.queue.purge();
    for (let pass = 0; pass < 15; pass++) {
      await world.run(10_000);
      await sweep();
    }
    expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
    expect(world.calls).toHaveLength(1);
  });

  it('sweeps all shards although their cursors cannot be read together', async () => {
    let first = true;
    world.dynamo.faults = {
      before: ({ command }) => {
        if (command !== 'BatchGetCommand' || !first) return void requests.push(command);
        first = false;
        throw Object.assign(throttled(), { name: 'InternalServerError' });
      },
    };
    await sweep();
    expect(requests.filter((command) => command === 'BatchGetCommand')).toHaveLength(4);
    expect(world.log.messages('warn')).toEqual(['cursors are read one by one']);
  });
});
