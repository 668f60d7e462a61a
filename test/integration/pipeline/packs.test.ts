import { minuteOf } from '../../../lambdas/core/contracts/tables';
import { entrySortKey } from '../../../lambdas/core/domain/entry';
import type { Job } from '../../../lambdas/core/domain/job';
import { scanShards } from '../../../lambdas/scanner/scan-shards';
import { sweepShards } from '../../../lambdas/sweeper/sweep-shards';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const JOBS = 64;
const BUDGET = { remainingMs: () => 60_000 };

/** Jobs that are due each minute, eight at a time, so that a slot of a bucket has sixteen. */
async function started(packs: 'read' | 'write'): Promise<{ world: PipelineWorld; jobs: Job[] }> {
  const world = await PipelineWorld.started(1, 30, { packs });
  const jobs: Job[] = [];
  for (let index = 0; index < JOBS; index++) {
    const anchor = new Date(world.clock.nowMs() + Math.floor(index / 8) * 5_000).toISOString();
    const schedule = { type: 'interval', every: '1m', anchor } as const;
    jobs.push(await world.create(newJobAt(world, { jobId: `job-${index}`, schedule })));
  }
  await world.run(4 * MINUTE_MS);
  return { world, jobs };
}

const scan = (world: PipelineWorld) => world.clock.settle(scanShards([0], world.deps, BUDGET));

const packsIn = (world: PipelineWorld) => world.tables.rows('schedule', ({ pack }) => pack !== undefined);

const bucketAt = ({ deps }: PipelineWorld, minute: number) =>
  deps.schedule.readBucket({ minute, shard: 0, limit: 10_000 });

const scanMinute = async (world: PipelineWorld): Promise<number> =>
  (await world.deps.schedule.readCursors('scan', [0])).get(0)!.minute;

test('next entries of a slot share rows, and every occurrence runs once', async () => {
  const { world, jobs } = await started('write');
  await world.run(4 * MINUTE_MS);
  expect(packsIn(world).length).toBeGreaterThan(20);
  for (const job of jobs) {
    const dueMs = world.executions(job).map(({ dueAtMs }) => dueAtMs);
    expect(dueMs.length).toBeGreaterThanOrEqual(7);
    expect(dueMs).toEqual(dueMs.map((_, index) => dueMs[0]! + index * MINUTE_MS));
  }
  expect(world.calls.length).toBe(jobs.flatMap((job) => world.executions(job)).length);
  expect(await world.audit()).toMatchObject({ jobs: JOBS, repaired: 0 });
  expect(world.errors()).toEqual([]);
});

test('an entry in two packs is sent once, and the next bucket has it once', async () => {
  const { world } = await started('write');
  Object.assign(world.on, { tick: false, executor: false, sweep: false });
  await scan(world);
  const minute = await scanMinute(world);
  const { entries } = await bucketAt(world, minute);
  await world.deps.schedule.putEntries(entries.slice(1));
  expect((await bucketAt(world, minute)).entries.length).toBeGreaterThan(JOBS);

  await world.run(MINUTE_MS);
  const before = world.queue.messages.length;
  await scan(world);
  expect(await scanMinute(world)).toBe(minute + 1);
  expect(world.queue.messages.length - before).toBe(JOBS);
  const next = (await bucketAt(world, minute + 1)).entries.map(entrySortKey);
  expect([next.length, new Set(next).size]).toEqual([JOBS, JOBS]);
});

test('the sweep stands before a pack until all of its entries are settled', async () => {
  const { world, jobs } = await started('write');
  await world.run(3 * MINUTE_MS); // the API has filed the first ones, one by one
  Object.assign(world.on, { tick: false, sweep: false });
  const sweep = (budget = BUDGET) => world.clock.settle(sweepShards([0], world.deps, budget));
  const cursor = async () => (await world.deps.schedule.readCursors('sweep', [0])).get(0)!;
  await sweep();
  const minute = minuteOf(world.clock.nowMs()) + 1;
  world.queue.purge();
  await world.run(MINUTE_MS + 21_000 - (world.clock.nowMs() % MINUTE_MS));
  await sweep(); // all of the minute before
  await world.run(34_000);

  const { after } = await cursor();
  const left = (await bucketAt(world, minute)).rowKeys.filter((key) => key > after);
  const pack = left[10]!;
  expect(left[9]).toBe(pack); // a sweep settles ten entries at a time
  let leftMs = 60_000;
  world.dynamo.faults = {
    before: ({ command, input }) => {
      if (command === 'BatchGetCommand' && 'jobs' in (input.RequestItems as object)) leftMs = 0;
    },
  };
  await sweep({ remainingMs: () => leftMs });
  const stopped = await cursor();
  expect(stopped.minute).toBe(minute);
  expect(stopped.after < pack).toBe(true);

  world.dynamo.faults = {};
  await sweep();
  expect((await cursor()).after > pack).toBe(true);
  world.on.sweep = true;
  await world.run(3 * MINUTE_MS);
  const ofMinute = jobs.flatMap((job) =>
    world.executions(job).filter(({ dueAtMs }) => minuteOf(dueAtMs) === minute),
  );
  expect(ofMinute).toHaveLength(JOBS); // however late some of them were by then
});

test('a job that is deleted long before its packed entry is due has skipped nothing, though changed before', async () => {
  const world = await PipelineWorld.started(1, 30, { packs: 'write' });
  const schedule = {
    type: 'interval',
    every: '30m',
    anchor: new Date(world.clock.nowMs() + 10 * MINUTE_MS).toISOString(),
  } as const;
  const jobs: Job[] = [];
  for (let index = 0; index < JOBS; index++)
    jobs.push(await world.create(newJobAt(world, { jobId: `job-${index}`, schedule })));
  await world.run(13 * MINUTE_MS);
  expect(packsIn(world)).not.toHaveLength(0);
  for (const [index, { jobId }] of jobs.entries()) {
    if (index % 3 === 1) await world.api('pauseJob', { jobId });
    if (index % 3 === 2) await world.api('patchJob', { jobId }, { schedule: { ...schedule, every: '1d' } });
  }
  await world.run(MINUTE_MS);
  for (const { jobId } of jobs) await world.api('deleteJob', { jobId });
  await world.run(30 * MINUTE_MS);
  for (const job of jobs) expect(world.executions(job).map(({ status }) => status)).toEqual(['succeeded']);
  expect(world.errors()).toEqual([]);
});
