import { execIdOfOccurrence, jobKeyOf } from '../../../lambdas/core/contracts/tables';
import { T0_MS } from '../../support/factories';
import {
  dueOnce,
  ordered,
  orderedWorld,
  outOfOrder,
  overlapping,
  leftTickets,
  story,
} from '../../support/ordered';

const MINUTE_MS = 60_000;
const retriable = { outcome: 'retriable', statusCode: 503 } as const;
const every = (sec: number, minutes: number) => ({
  type: 'interval' as const,
  every: `${sec}s`,
  anchor: new Date(T0_MS).toISOString(),
  endAt: new Date(T0_MS + minutes * MINUTE_MS).toISOString(),
});

test('jobs that share a key run one at a time, by due time, whatever their priority and creation order', async () => {
  const { world, spans } = await orderedWorld(({ jobId }) => ({ ms: jobId === 'a' ? 8_000 : 1_000 }));
  await world.create(dueOnce(world, 'c', 32, { priority: 'highest' }));
  await world.create(dueOnce(world, 'b', 31));
  await world.create(dueOnce(world, 'a', 30, { priority: 'lowest' }));
  await world.run(MINUTE_MS);
  expect(story(spans)).toEqual(['a@30', 'b@31', 'c@32']);
  expect(overlapping(spans)).toEqual([]);
  expect(spans[1]!.beginMs - spans[0]!.endMs).toBeLessThan(500);
  expect(spans[2]!.beginMs - spans[1]!.endMs).toBeLessThan(500);
  expect(leftTickets(world)).toEqual([]);
  expect(world.errors()).toEqual([]);
});

test('jobs due at the same instant run in order of their ids', async () => {
  const { world, spans } = await orderedWorld();
  for (const jobId of ['c', 'a', 'b']) await world.create(dueOnce(world, jobId, 30));
  await world.run(MINUTE_MS);
  expect(story(spans)).toEqual(['a@30', 'b@30', 'c@30']);
  expect(overlapping(spans)).toEqual([]);
});

test('other keys, and the same key of another user, do not wait', async () => {
  const { world, spans } = await orderedWorld(({ jobId }) => ({ ms: jobId === 'slow' ? 25_000 : 500 }));
  await world.create(dueOnce(world, 'slow', 30));
  await world.create(dueOnce(world, 'same', 31));
  await world.create(dueOnce(world, 'other', 31, { orderingKey: 'customer/43' }));
  await world.create(dueOnce(world, 'theirs', 31, { userId: 'bob' }));
  await world.run(MINUTE_MS);
  const began = new Map(spans.map(({ jobId, beginMs }) => [jobId, (beginMs - T0_MS) / 1_000]));
  expect(began.get('other')).toBeLessThan(32);
  expect(began.get('theirs')).toBeLessThan(32);
  expect(began.get('same')).toBeGreaterThanOrEqual(55);
});

test('occurrences of a job that runs longer than its interval wait for each other', async () => {
  const { world, spans } = await orderedWorld(() => ({ ms: 7_000 }));
  const job = await world.create(ordered(world, 'a', { schedule: every(5, 2) }));
  await world.run(6 * MINUTE_MS);
  expect(spans.map(({ dueAtMs }) => (dueAtMs - T0_MS) / 5_000)).toEqual(
    Array.from({ length: 23 }, (_, index) => index + 1),
  );
  expect(overlapping(spans)).toEqual([]);
  expect(outOfOrder(spans)).toEqual([]);
  expect(world.executions(job).every(({ status }) => status === 'succeeded')).toBe(true);
  expect(leftTickets(world)).toEqual([]);
  expect(world.errors()).toEqual([]);
});

test('a failing execution keeps its ticket through its retries; the next one runs when they are exhausted', async () => {
  const { world, spans } = await orderedWorld(({ jobId }) =>
    jobId === 'a' ? { ms: 500, answer: retriable } : { ms: 500 },
  );
  await world.create(dueOnce(world, 'a', 30));
  await world.create(dueOnce(world, 'b', 31));
  await world.run(3 * MINUTE_MS);
  expect(spans.map(({ jobId, attempt }) => [jobId, attempt])).toEqual([
    ['a', 1],
    ['a', 2],
    ['a', 3],
    ['b', 1],
  ]);
  expect(leftTickets(world)).toEqual([]);
});

test('a manual run is ordered by the time of its request', async () => {
  const { world, spans } = await orderedWorld(({ jobId }) => ({ ms: jobId === 'a' ? 20_000 : 500 }));
  await world.create(dueOnce(world, 'a', 30));
  await world.create(dueOnce(world, 'b', 40));
  await world.create(dueOnce(world, 'c', 3_600));
  await world.run(35_000);
  expect((await world.api('runJob', { jobId: 'c' })).status).toBe(202);
  await world.run(30_000);
  expect(story(spans)).toEqual(['a@30', 'c@35', 'b@40']);
});

test.each([
  ['paused', 'pauseJob', 'paused'],
  ['deleted', 'deleteJob', 'deleted'],
] as const)(
  'a job that is %s while its execution waits does not block the key',
  async (_, operation, reason) => {
    const { world, spans } = await orderedWorld(({ jobId }) => ({ ms: jobId === 'a' ? 25_000 : 500 }));
    await world.create(dueOnce(world, 'a', 30));
    await world.create(dueOnce(world, 'b', 31));
    await world.create(dueOnce(world, 'c', 32));
    await world.run(35_000);
    expect((await world.api(operation, { jobId: 'b' })).status).toBeLessThan(300);
    await world.run(MINUTE_MS);
    expect(story(spans)).toEqual(['a@30', 'c@32']);
    expect(spans[1]!.beginMs - spans[0]!.endMs).toBeLessThan(500);
    expect(world.executions({ userId: 'alice', jobId: 'b' })).toMatchObject([{ status: 'skipped', reason }]);
    expect(leftTickets(world)).toEqual([]);
  },
);

test('a waiting execution can be cancelled, and the next one runs', async () => {
  const { world, spans } = await orderedWorld(({ jobId }) => ({ ms: jobId === 'a' ? 20_000 : 500 }));
  await world.create(dueOnce(world, 'a', 30));
  await world.create(dueOnce(world, 'b', 31));
  await world.create(dueOnce(world, 'c', 32));
  await world.run(35_000);
  const execId = execIdOfOccurrence(T0_MS + 31_000);
  expect((await world.api('cancelExecution', { jobId: 'b', execId })).status).toBe(202);
  await world.run(30_000);
  expect(story(spans)).toEqual(['a@30', 'c@32']);
  expect(leftTickets(world)).toEqual([]);
});

test('a key changed while executions wait: the running one keeps its key, the others run under either', async () => {
  const { world, spans } = await orderedWorld(({ jobId }) => ({ ms: jobId === 'a' ? 40_000 : 500 }));
  await world.create(dueOnce(world, 'a', 30));
  await world.create(dueOnce(world, 'b', 31));
  await world.create(dueOnce(world, 'c', 32));
  await world.run(35_000);
  for (const jobId of ['a', 'b'])
    expect((await world.api('patchJob', { jobId }, { orderingKey: 'elsewhere' })).status).toBe(200);
  await world.run(4 * MINUTE_MS);
  expect(story(spans)).toHaveLength(3);
  expect(new Set(story(spans))).toEqual(new Set(['a@30', 'b@31', 'c@32']));
  const [a, c] = ['a', 'c'].map((jobId) => spans.find((span) => span.jobId === jobId)!);
  expect(c!.beginMs).toBeGreaterThanOrEqual(a!.endMs);
  await world.create(dueOnce(world, 'd', 5 * 60));
  await world.create(dueOnce(world, 'e', 5 * 60, { orderingKey: 'elsewhere' }));
  await world.run(2 * MINUTE_MS);
  expect(leftTickets(world)).toEqual([]);
});

test('overlap is decided at the due time: skip does not wait for the ordering key of its own job', async () => {
  const { world, spans } = await orderedWorld(({ dueAtMs }) => ({
    ms: dueAtMs === T0_MS + 20_000 ? 35_000 : 500,
  }));
  const job = await world.create(ordered(world, 'a', { schedule: every(20, 3), overlap: 'skip' }));
  await world.run(5 * MINUTE_MS);
  const status = world.executions(job).map(({ dueAtMs, ...row }) => [(dueAtMs - T0_MS) / 1_000, row.status]);
  expect(status).toEqual([
    [20, 'succeeded'],
    [40, 'skipped'],
    [60, 'succeeded'],
    [80, 'succeeded'],
    [100, 'succeeded'],
    [120, 'succeeded'],
    [140, 'succeeded'],
    [160, 'succeeded'],
  ]);
  expect(overlapping(spans)).toEqual([]);
  expect(leftTickets(world)).toEqual([]);
});

test.each(['queue', 'replace'] as const)('overlap %s works with an ordering key', async (overlap) => {
  const { world, spans } = await orderedWorld(({ jobId, dueAtMs }) => ({
    ms: jobId === 'a' && dueAtMs === T0_MS + 20_000 ? 50_000 : 500,
  }));
  await world.create(ordered(world, 'a', { schedule: every(20, 3), overlap }));
  await world.create(ordered(world, 'b', { schedule: every(30, 3) }));
  await world.run(6 * MINUTE_MS);
  expect(overlapping(spans)).toEqual([]);
  expect(outOfOrder(spans)).toEqual([]);
  for (const jobId of ['a', 'b']) {
    const rows = world.executions({ userId: 'alice', jobId });
    expect(rows.filter(({ status }) => !['succeeded', 'skipped', 'cancelled'].includes(status))).toEqual([]);
  }
  expect(leftTickets(world)).toEqual([]);
  expect(world.errors()).toEqual([]);
});

test('catch-up runs after an outage are in order too', async () => {
  const { world, spans } = await orderedWorld(() => ({ ms: 700 }));
  const misfire = { policy: 'fire-all', grace: '60s', catchUpWindow: '1h' } as const;
  for (const jobId of ['a', 'b'])
    await world.create(ordered(world, jobId, { schedule: every(60, 14), misfire }));
  await world.run(30_000);
  for (const part of ['tick', 'scan', 'sweep'] as const) world.on[part] = false;
  await world.run(10 * MINUTE_MS);
  for (const part of ['tick', 'scan', 'sweep'] as const) world.on[part] = true;
  await world.run(8 * MINUTE_MS);
  expect(new Set(story(spans)).size).toBe(26);
  expect(overlapping(spans)).toEqual([]);
  for (const jobId of ['a', 'b']) expect(outOfOrder(spans.filter((one) => one.jobId === jobId))).toEqual([]);
  expect(leftTickets(world)).toEqual([]);
});

test('an execution whose message is lost keeps its ticket: later ones wait for its recheck', async () => {
  const { world, spans } = await orderedWorld();
  await world.create(dueOnce(world, 'a', 30));
  await world.create(dueOnce(world, 'b', 31));
  world.queue.purge();
  await world.run(3 * MINUTE_MS);
  expect(story(spans)).toEqual(['a@30', 'b@31']);
  expect(spans[0]!.beginMs - T0_MS).toBeLessThan(65_000);
});

test('a ticket whose execution has no entry is resolved by the executions behind it', async () => {
  const { world, spans } = await orderedWorld();
  const orphan = dueOnce(world, 'a', 30);
  await world.deps.ordering.enqueue([
    {
      message: {
        v: 1,
        jobKey: jobKeyOf(orphan),
        execId: execIdOfOccurrence(T0_MS + 30_000),
        dueAtMs: T0_MS + 30_000,
        startAtMs: T0_MS + 30_000,
        attempt: 1,
        trigger: 'schedule',
        revision: 'of a job that is gone',
        orderingKey: 'customer/42',
        priority: 'medium',
        pool: 'default',
      },
      expiresAtSec: T0_MS / 1_000 + 86_400,
    },
  ]);
  await world.create(dueOnce(world, 'b', 31));
  await world.run(6 * MINUTE_MS);
  expect(story(spans)).toEqual(['b@31']);
  expect(world.executions(orphan)).toMatchObject([{ status: 'skipped', reason: 'deleted' }]);
  expect(leftTickets(world)).toEqual([]);
});

test('an ordered fire costs three writes more than a fire without a key', async () => {
  const unitsOf = async (orderingKey: string | null) => {
    const { world } = await orderedWorld(() => ({ ms: 200 }), 1);
    await world.create(ordered(world, 'a', { orderingKey }));
    await world.run(5 * MINUTE_MS);
    const before = world.tables.units().writeUnits;
    await world.run(10 * MINUTE_MS);
    return (world.tables.units().writeUnits - before) / 10;
  };
  const cursors = 2 + 1; // one move per stage and minute, and one past settled entries
  const plain = await unitsOf(null);
  expect(plain).toBeLessThanOrEqual(3 + cursors);
  expect((await unitsOf('k')) - plain).toBe(3);
});
