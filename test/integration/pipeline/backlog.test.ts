import { catchUpPacer, planEntryAndNext } from '../../../lambdas/core/domain/plan-entry';
import { dispatch } from '../../../lambdas/core/dispatch/dispatch';
import { firstEntry, scheduleOf } from '../../../lambdas/core/domain/entry-planning';
import type { MisfirePolicy } from '../../../lambdas/core/domain/job';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { outage } from '../../support/outage';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;

/** A one-minute job after an outage of `minutes`. The executors stay off after it. */
async function withBacklog(policy: MisfirePolicy, minutes: number, grace = '60s') {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { misfire: { policy, grace, catchUpWindow: '1h' } }));
  await world.run(MINUTE_MS);
  world.on.executor = false;
  await outage(world, minutes * MINUTE_MS);
  return { world, job };
}

const visible = async (world: PipelineWorld) => (await world.queue.backlog('default', 'medium')).visible;

test.each([
  ['fire-all', '60s'],
  ['fire-now', '60s'],
  ['fire-once', '1h'],
] as const)(
  '%s: missed occurrences are not planned repeatedly while the queue is long',
  async (policy, grace) => {
    const { world, job } = await withBacklog(policy, 30, grace);
    await world.run(2 * MINUTE_MS);
    expect(world.tables.rows('schedule').length).toBeLessThan(200);
    expect(await visible(world)).toBeLessThan(100);
    world.on.executor = true;
    await world.run(2 * MINUTE_MS);
    const dues = world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS).sort((a, b) => a - b);
    expect(dues.length).toBeGreaterThanOrEqual(30);
    expect(dues).toEqual(Array.from({ length: dues.length }, (_, index) => index + 1));
    expect(world.executions(job).every(({ status }) => status === 'succeeded')).toBe(true);
  },
);

test('an hour of missed runs behind a queue that is long for twelve minutes costs a few rechecks each', async () => {
  const { world } = await withBacklog('fire-all', 60);
  await world.run(12 * MINUTE_MS);
  expect(world.tables.rows('schedule').length).toBeLessThan(600);
  expect(await visible(world)).toBeLessThan(300);
});

test('a slow pass loses no catch-up run of a missed job', async () => {
  const world = await PipelineWorld.started(1);
  const job = newJobAt(world, { misfire: { policy: 'fire-all', grace: '60s', catchUpWindow: '1h' } });
  await world.deps.jobs.create(job);
  const entry = firstEntry(job, scheduleOf(job), 0, world.clock.nowMs())!;
  await world.run(20 * MINUTE_MS + 40_000);
  const pacer = catchUpPacer(world.clock.nowMs());
  await world.run(55_000); // by now no stage reads the minute in which the pass began
  await dispatch([{ entry, job, plan: planEntryAndNext }], world.deps, pacer);
  world.queue.purge();
  await world.run(2 * MINUTE_MS);
  const dues = world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS).sort((a, b) => a - b);
  expect(dues).toEqual(Array.from({ length: 23 }, (_, index) => index + 1));
});

test.each([
  ['throttled', { name: 'RequestThrottled', $metadata: { httpStatusCode: 400 } }],
  ['not permitted', { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } }],
  ['not found by the name servers', { code: 'EAI_AGAIN' }],
])(
  'a lost message goes out again although the queue, when asked for its length, is %s',
  async (_, fields) => {
    const world = await PipelineWorld.started(1);
    world.queue.backlog = async () => {
      throw Object.assign(new Error('refused'), fields);
    };
    const job = await world.create(newJobAt(world, { schedule: { type: 'delay', delay: '10m' } }));
    await world.run(9 * MINUTE_MS);
    world.queue.purge();
    await world.run(3 * MINUTE_MS);
    const [execution] = world.executions(job);
    expect(execution).toMatchObject({ status: 'succeeded' });
    expect(execution!.latenessMs).toBeLessThan(90_000);
    expect(world.errors()).toEqual([]);
  },
);

test('a run with a priority of its own is not sent again while its own queue is long', async () => {
  const world = await PipelineWorld.started(1);
  await world.create(newJobAt(world, { jobId: 'remind', schedule: { type: 'none' } }));
  world.on.executor = false;
  expect((await world.api('runJob', { jobId: 'remind' }, { priority: 'low' })).status).toBe(202);
  await world.run(10 * MINUTE_MS);
  expect((await world.queue.backlog('default', 'low')).visible).toBe(1);
});
