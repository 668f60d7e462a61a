import { PutCommand } from '../../../lambdas/core/store/dynamo/commands';
import type { Operation } from '../../../lambdas/core/contracts/routes';
import { minuteOf, TTL_ATTRIBUTE } from '../../../lambdas/core/contracts/tables';
import { entrySortKey } from '../../../lambdas/core/domain/entry';
import type { Job } from '../../../lambdas/core/domain/job';
import { scanShards } from '../../../lambdas/scanner/scan-shards';
import { sweepShards } from '../../../lambdas/sweeper/sweep-shards';
import { aTarget } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const JOBS = 64;
const FEW = 12;
/** More than a page takes if all of them are in packs. */
const MANY = 2_100;
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
  deps.schedule.readBucket({ minute, shard: 0, limit: 50_000 });

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

/** Jobs of which each next entry lies in a pack, for half an hour. */
async function packedAhead(
  every = '30m',
  retentionDays = 30,
): Promise<{ world: PipelineWorld; jobs: Job[] }> {
  const world = await PipelineWorld.started(1, retentionDays, { packs: 'write' });
  const anchor = new Date(world.clock.nowMs() + 10 * MINUTE_MS).toISOString();
  const jobs: Job[] = [];
  for (let index = 0; index < FEW; index++) {
    const schedule = { type: 'interval', every, anchor } as const;
    jobs.push(await world.create(newJobAt(world, { jobId: `job-${index}`, schedule })));
  }
  await world.run(13 * MINUTE_MS);
  expect(packsIn(world)).not.toHaveLength(0);
  return { world, jobs };
}

const statusesOf = (world: PipelineWorld, job: Job) => world.executions(job).map(({ status }) => status);

test('a job that is deleted long before its packed entry is due has skipped nothing, though changed before', async () => {
  const { world, jobs } = await packedAhead();
  for (const [index, { jobId, schedule }] of jobs.entries()) {
    if (index % 3 === 1) await world.api('pauseJob', { jobId });
    if (index % 3 === 2)
      await world.api('patchJob', { jobId }, { schedule: { ...(schedule as object), every: '1d' } });
  }
  await world.run(MINUTE_MS);
  for (const { jobId } of jobs) await world.api('deleteJob', { jobId });
  await world.run(30 * MINUTE_MS);
  for (const job of jobs) expect(statusesOf(world, job)).toEqual(['succeeded']);
  expect(world.errors()).toEqual([]);
});

/** What a user does to a job long before its packed entry is due, and again just after that. */
const TWICE: [string, [Operation, object?], [Operation, object?]][] = [
  ['changed', ['patchJob', { schedule: { every: '1d' } }], ['patchJob', { schedule: { every: '2d' } }]],
  ['deleted and created', ['deleteJob'], ['putJob', { schedule: 'rate(1 day)', target: aTarget() }]],
];

test.each(TWICE)('a job that is %s around its packed entry has skipped nothing', async (_, first, second) => {
  const { world, jobs } = await packedAhead();
  const ask = async ([operation, body]: [Operation, object?]) => {
    for (const { jobId } of jobs)
      expect((await world.api(operation, { jobId }, body)).status).toBeLessThan(300);
  };
  await ask(first);
  await world.run(27 * MINUTE_MS + 1_000);
  await ask(second);
  await world.run(2 * MINUTE_MS);
  for (const job of jobs) expect(statusesOf(world, job)).toEqual(['succeeded']);
  expect(world.errors()).toEqual([]);
});

test('a job whose deletion is no longer kept has skipped nothing that lay in a pack', async () => {
  const { world, jobs } = await packedAhead('5d', 2);
  for (const { jobId } of jobs) await world.api('deleteJob', { jobId });
  Object.assign(world.on, { tick: false, sweep: false });
  await world.run(3 * DAY_MS);
  expect(world.tables.expire('executions', TTL_ATTRIBUTE, world.clock.nowMs() / 1_000)).toBeGreaterThan(FEW);
  await world.run(2 * DAY_MS);
  for (let sweeps = 0; sweeps < 2; sweeps++) {
    await world.clock.settle(sweepShards([0], world.deps, BUDGET));
    await world.run(MINUTE_MS); // an entry without a job is rechecked once more
  }
  expect((await world.deps.schedule.readCursors('sweep', [0])).get(0)!.minute).toBe(
    minuteOf(world.clock.nowMs() - 80_000),
  );
  for (const job of jobs) expect(statusesOf(world, job)).toEqual([]);
  expect(world.errors()).toEqual([]);
});

/** The stages take packs for something else, or there are more shards. */
const CHANGES: [string, 'read' | 'write', (world: PipelineWorld) => void][] = [
  ['write, then read', 'write', (world) => world.nodes.deploy({ packs: 'read' })],
  ['read, then write', 'read', (world) => world.nodes.deploy({ packs: 'write' })],
  ['write, then three shards', 'write', (world) => (world.shardCount = 3)],
];

test.each(CHANGES)('every occurrence runs once while a deployment has %s', async (_, before, change) => {
  const { world, jobs } = await started(before);
  const ahead = packsIn(world).length;
  change(world);
  await world.run(6 * MINUTE_MS);
  expect(Math.max(ahead, packsIn(world).length)).toBeGreaterThan(10);
  for (const job of jobs) {
    const dueMs = world.executions(job).map(({ dueAtMs }) => dueAtMs);
    expect(dueMs.length).toBeGreaterThanOrEqual(9);
    expect(dueMs).toEqual(dueMs.map((_due, index) => dueMs[0]! + index * MINUTE_MS));
  }
  expect(world.calls.length).toBe(jobs.flatMap((job) => world.executions(job)).length);
  expect(await world.audit()).toMatchObject({ jobs: JOBS, repaired: 0 });
  expect(world.errors()).toEqual([]);
});

test('a bucket with more packed entries than a page takes is scanned to its end', async () => {
  const world = await PipelineWorld.started(1, 30, { packs: 'write' });
  Object.assign(world.on, { sweep: false, executor: false });
  const anchor = new Date(world.clock.nowMs() + 10 * MINUTE_MS).toISOString();
  const schedule = { type: 'interval', every: '10m', anchor } as const;
  for (let index = 0; index < MANY; index++)
    await world.create(newJobAt(world, { jobId: `job-${index}`, schedule }));
  await world.run(10 * MINUTE_MS);
  world.queue.purge();
  const minute = minuteOf(world.clock.nowMs()) + 10;
  world.nodes.deploy({ packs: 'read' });
  expect(
    (await world.nodes.of('scanner').schedule.readBucket({ minute, shard: 0, limit: 500 })).nextAfter,
  ).toBeDefined();
  await world.run(10 * MINUTE_MS);
  expect(new Set(world.queue.messages.map(({ jobKey }) => jobKey)).size).toBe(MANY);
  expect(world.queue.messages).toHaveLength(MANY);
  const next = (await bucketAt(world, minute + 10)).entries.map(entrySortKey);
  expect([next.length, new Set(next).size]).toEqual([MANY, MANY]);
  expect(world.errors()).toEqual([]);
});

test('what a damaged pack hid has a record in the end, and its series go on', async () => {
  const { world, jobs } = await packedAhead('5m');
  const firstMs = world.executions(jobs[0]!)[0]!.dueAtMs;
  for (const pack of packsIn(world)) {
    const Item = { ...pack, pack: String(pack.pack).replace('job-', 'jib-') };
    await world.dynamo.send(new PutCommand({ TableName: 'schedule', Item }));
  }
  let repaired = 0;
  for (let passes = 0; passes < 10; passes++) {
    await world.run(10 * MINUTE_MS);
    repaired += (await world.audit()).repaired;
  }
  expect(repaired).toBeGreaterThanOrEqual(FEW - 2); // of one job, or of none, the entry was alone
  const planned: number[] = [];
  for (let dueMs = firstMs; dueMs < world.clock.nowMs(); dueMs += 5 * MINUTE_MS) planned.push(dueMs);
  for (const job of jobs) {
    const recorded = world
      .executions(job)
      .flatMap(({ dueAtMs, skipped }) =>
        Array.from({ length: skipped?.count ?? 1 }, (_, index) => dueAtMs + index * 5 * MINUTE_MS),
      );
    expect(recorded).toEqual(planned);
    expect(statusesOf(world, job).every((status) => ['succeeded', 'skipped'].includes(status))).toBe(true);
  }
  expect(new Set(world.errors().map((line) => (line as unknown[])[0]))).toEqual(
    new Set(['entry quarantined', 'unreadable entry passed over']),
  );
});
