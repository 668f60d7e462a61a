import type { MisfirePolicy } from '../../../lambdas/core/domain/job';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { outage } from '../../support/outage';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const misfire = (policy: MisfirePolicy) => ({ policy, grace: '60s', catchUpWindow: '1h' });

async function afterOutage(policy: MisfirePolicy, minutes: number) {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { misfire: misfire(policy) }));
  await world.run(MINUTE_MS);
  await outage(world, minutes * MINUTE_MS);
  const endMs = world.clock.nowMs();
  const callsBefore = world.calls.length;
  await world.run(5 * MINUTE_MS);
  const catchUps = world.calls.slice(callsBefore).filter(({ dueAtMs }) => dueAtMs < endMs - MINUTE_MS);
  return { world, job, endMs, catchUps };
}

/** Every minute since the start of the world, as run or skipped. */
function ledger(world: PipelineWorld, job: { userId: string; jobId: string }): number[] {
  return world
    .executions(job)
    .flatMap(({ dueAtMs, skipped }) =>
      skipped
        ? Array.from({ length: skipped.count }, (_, index) => skipped.fromMs + index * MINUTE_MS)
        : [dueAtMs],
    );
}

test.each([10, 90])(
  'fire-once: an outage of %i minutes fires once, and the rest is one skipped row',
  async (minutes) => {
    const { world, job, endMs, catchUps } = await afterOutage('fire-once', minutes);
    expect(catchUps).toHaveLength(0); // only the newest runs, and it is within its grace
    const skipped = world.executions(job).filter(({ status }) => status === 'skipped');
    expect(skipped).toEqual([expect.objectContaining({ reason: 'misfire' })]);
    const due = ledger(world, job).filter((dueAtMs) => dueAtMs <= endMs);
    expect(due).toEqual(
      Array.from({ length: (endMs - T0_MS) / MINUTE_MS }, (_, index) => T0_MS + (index + 1) * MINUTE_MS),
    );
    expect(world.errors()).toEqual([]);
  },
);

test('an outage of one minute is covered by the horizon: nothing is late', async () => {
  const { world, job, catchUps } = await afterOutage('skip', 1);
  expect(catchUps).toHaveLength(0);
  expect(
    world.executions(job).every(({ status, latenessMs }) => status === 'succeeded' && latenessMs! < 200),
  ).toBe(true);
});

test('fire-all: everything in the window runs, oldest first, at a bounded rate', async () => {
  const { world, job, endMs, catchUps } = await afterOutage('fire-all', 90);
  expect(catchUps.length).toBeGreaterThanOrEqual(57);
  expect(catchUps.map(({ dueAtMs }) => dueAtMs)).toEqual(
    catchUps.map(({ dueAtMs }) => dueAtMs).sort((a, b) => a - b),
  );
  expect(Math.min(...catchUps.map(({ dueAtMs }) => dueAtMs))).toBeGreaterThanOrEqual(endMs - 61 * MINUTE_MS);
  const gapsMs = catchUps.slice(20).map(({ atMs }, index) => atMs - catchUps[index]!.atMs);
  expect(Math.min(...gapsMs)).toBeGreaterThanOrEqual(900); // twenty a second
  const caughtUp = world.executions(job).filter(({ trigger }) => trigger === 'catch-up');
  expect(caughtUp.length).toBeGreaterThanOrEqual(57);
  expect(caughtUp.every(({ status }) => status === 'succeeded')).toBe(true);
  expect(world.executions(job).filter(({ status }) => status === 'skipped')).toHaveLength(1);
});

test('skip: an occurrence later than its grace does not run', async () => {
  const { world, job, catchUps } = await afterOutage('skip', 10);
  expect(catchUps).toHaveLength(0);
  expect(world.executions(job).find(({ status }) => status === 'skipped')).toMatchObject({
    reason: 'misfire',
  });
});

test('a one-time job runs as soon as possible, however late', async () => {
  const world = await PipelineWorld.started(1);
  const at = new Date(T0_MS + 30 * MINUTE_MS).toISOString();
  const job = await world.create(
    newJobAt(world, { schedule: { type: 'at', at }, misfire: misfire('fire-now') }),
  );
  await outage(world, 120 * MINUTE_MS);
  await world.run(2 * MINUTE_MS);
  expect(world.executions(job)).toEqual([
    expect.objectContaining({ status: 'succeeded', trigger: 'catch-up' }),
  ]);
  expect(world.calls).toHaveLength(1);
});

test('a 90-minute outage of a one-second job is one skipped row', async () => {
  const world = await PipelineWorld.started(1);
  const schedule = { type: 'interval' as const, every: '1s', anchor: new Date(T0_MS).toISOString() };
  const job = await world.create(newJobAt(world, { schedule, misfire: misfire('fire-once') }));
  await outage(world, 90 * MINUTE_MS);
  await world.run(3 * MINUTE_MS);
  const skipped = world.executions(job).filter(({ status }) => status === 'skipped');
  expect(skipped).toHaveLength(1);
  expect(skipped[0]!.skipped!.count).toBeGreaterThan(4_900);
});

test('a long grace of a one-second job: each of more than a thousand occurrences runs, once', async () => {
  const world = await PipelineWorld.started(1);
  const schedule = { type: 'interval' as const, every: '1s', anchor: new Date(T0_MS).toISOString() };
  const job = await world.create(
    newJobAt(world, { schedule, misfire: { ...misfire('skip'), grace: '24h' } }),
  );
  await outage(world, 40 * MINUTE_MS);
  const backMs = world.clock.nowMs();
  await world.run(5 * MINUTE_MS);
  const due = new Set(world.calls.map(({ dueAtMs }) => dueAtMs).filter((dueAtMs) => dueAtMs <= backMs));
  expect(due.size).toBe((backMs - T0_MS) / 1_000);
  expect(new Set(world.calls.map(({ execId }) => execId)).size).toBe(world.calls.length);
  expect(world.executions(job).filter(({ status }) => status === 'skipped')).toEqual([]);
  expect(world.errors()).toEqual([]);
});

test('a long queue makes occurrences late, never skipped', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { misfire: misfire('skip') }));
  world.on.executor = false;
  await world.run(15 * MINUTE_MS);
  world.on.executor = true;
  await world.run(2 * MINUTE_MS);
  const rows = world.executions(job);
  expect(rows.filter(({ status }) => status !== 'succeeded')).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(16);
  expect(new Set(world.calls.map(({ execId }) => execId)).size).toBe(world.calls.length);
});

test('what waits in a long queue is never skipped, though its job names a short one by then', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { misfire: misfire('skip') }));
  world.on.executor = false;
  await world.run(6 * MINUTE_MS);
  expect((await world.api('patchJob', { jobId: job.jobId }, { priority: 'high' })).status).toBe(200);
  await world.run(15 * MINUTE_MS);
  world.on.executor = true;
  await world.run(12 * MINUTE_MS);
  expect(world.executions(job).filter(({ status }) => status !== 'succeeded')).toEqual([]);
  expect(world.errors()).toEqual([]);
});

describe.each([1, 10, 90])('after an outage of %i minutes', (minutes) => {
  test.each([
    ['cron', { type: 'cron' as const, expression: '* * * * *' }],
    ['interval', { type: 'interval' as const, every: '1m', anchor: new Date(T0_MS).toISOString() }],
  ])(
    'fire-once fires a %s job once, not once per entry, and records the rest as skipped',
    async (_, schedule) => {
      const world = await PipelineWorld.started(1);
      const job = await world.create(newJobAt(world, { schedule, misfire: misfire('fire-once') }));
      await world.run(MINUTE_MS);
      await outage(world, minutes * MINUTE_MS);
      const endMs = world.clock.nowMs();
      const before = world.calls.length;
      await world.run(4 * MINUTE_MS + 30_000);
      const missed = world.calls.slice(before).filter(({ dueAtMs }) => dueAtMs <= endMs);
      expect(missed.length).toBeLessThanOrEqual(1);
      const due = ledger(world, job).filter((dueAtMs) => dueAtMs <= endMs);
      const all = Array.from({ length: minutes + 1 }, (_unused, index) => T0_MS + (index + 1) * MINUTE_MS);
      expect(due).toEqual(all);
    },
  );

  test('a one-time job that fell due in it runs, once', async () => {
    const world = await PipelineWorld.started(1);
    const at = new Date(T0_MS + 6 * MINUTE_MS).toISOString();
    await world.run(MINUTE_MS);
    const job = await world.create(
      newJobAt(world, { schedule: { type: 'at', at }, misfire: misfire('fire-now') }),
    );
    await outage(world, minutes * MINUTE_MS);
    await world.run(8 * MINUTE_MS);
    expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
    expect(world.calls).toHaveLength(1);
  });
});

test('catch-up after an outage is paced over all jobs: oldest first, twenty a second per shard', async () => {
  const world = await PipelineWorld.started(1);
  for (let index = 0; index < 120; index++) {
    const at = new Date(T0_MS + 6 * MINUTE_MS + index * 1_000).toISOString();
    const schedule = { type: 'at' as const, at };
    await world.create(newJobAt(world, { jobId: `job-${index}`, schedule, misfire: misfire('fire-now') }));
  }
  await outage(world, 30 * MINUTE_MS);
  await world.run(3 * MINUTE_MS);
  expect(world.calls).toHaveLength(120);
  const perSecond = new Map<number, number>();
  for (const { atMs } of world.calls) {
    const second = Math.floor(atMs / 1_000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(25);
  const dues = world.calls.map(({ dueAtMs }) => dueAtMs);
  const isSorted = dues.every((dueAtMs, index) => index === 0 || dueAtMs >= dues[index - 1]! - 2_000);
  expect(isSorted).toBe(true);
});

test.each<[MisfirePolicy, number]>([
  ['skip', 0],
  ['fire-once', 0], // the newest is within its grace
  ['fire-all', 3],
])('%s holds for messages lost in an outage while other messages are in flight', async (policy, late) => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { misfire: misfire(policy) }));
  await world.run(MINUTE_MS + 30_000);
  const backlog = world.queue.backlog.bind(world.queue);
  world.queue.backlog = async (pool, lane) => ({ ...(await backlog(pool, lane)), inFlight: 1 });
  await outage(world, 4 * MINUTE_MS, ['tick', 'scan', 'sweep', 'executor']);
  world.queue.purge();
  await world.run(4 * MINUTE_MS);
  const dues = (rows: readonly { dueAtMs: number }[]) => rows.map(({ dueAtMs }) => dueAtMs);
  const lates = world.calls.filter(({ atMs, dueAtMs }) => atMs - dueAtMs > MINUTE_MS);
  expect(dues(lates)).toHaveLength(late);
  const skipped = world.executions(job).filter(({ status }) => status === 'skipped');
  expect(skipped.every(({ reason }) => reason === 'misfire')).toBe(true);
  expect(ledger(world, job).length).toBeGreaterThanOrEqual(9);
});

test('work that is lost long before a pause is a misfire, and does not name who paused', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { misfire: misfire('fire-all') }));
  await world.run(MINUTE_MS + 30_000);
  await outage(world, 6 * MINUTE_MS, ['tick', 'scan', 'sweep', 'executor']);
  world.queue.purge();
  const pausedAtMs = world.clock.nowMs();
  expect((await world.api('pauseJob', { jobId: job.jobId })).status).toBe(200);
  await world.run(5 * MINUTE_MS);
  const skipped = world.executions(job).filter(({ status }) => status === 'skipped');
  const lost = skipped.filter(({ dueAtMs }) => dueAtMs < pausedAtMs - 2 * MINUTE_MS);
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.map(({ reason }) => reason)).toEqual(lost.map(() => 'misfire'));
  expect(lost.every(({ detail }) => detail?.by === undefined)).toBe(true);
  const rest = skipped.filter(({ dueAtMs }) => dueAtMs >= pausedAtMs - 2 * MINUTE_MS);
  expect(rest.map(({ reason }) => reason)).toEqual(rest.map(() => 'paused'));
  expect(rest.length).toBeGreaterThan(0);
});
