import type { Job } from '../../../lambdas/core/domain/job';
import { aTarget } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { leftSlotRows, orderedWorld } from '../../support/ordered';
import type { PipelineWorld } from '../../support/pipeline-world';

/** A run gets another payload while it waits, and with it another concurrency key. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DERIVED = 'crm.{{ payload.tenant }}';

/** Calls of the job `busy` take that long, others a second. One call at a time for each tenant. */
async function ruledWorld(busyMs: number) {
  const { world } = await orderedWorld(({ jobId }) => ({ ms: jobId === 'busy' ? busyMs : SECOND_MS }));
  expect((await world.api('putConcurrencyKey', { key: 'crm.*' }, { limit: 1 })).status).toBe(201);
  const called: [sec: number, jobId: string, tenant: string][] = [];
  const observe = world.observe!;
  const beginMs = world.clock.nowMs();
  world.observe = (delivery, target) => {
    observe(delivery, target);
    const { tenant } = JSON.parse(String(delivery.body)) as { tenant: string };
    const sec = Math.floor((world.clock.nowMs() - beginMs) / SECOND_MS);
    called.push([sec, delivery.headers['quarterjack-job']!, tenant]);
  };
  return { world, called };
}

const jobOf = (world: PipelineWorld, jobId: string, changes: Partial<Job> = {}): Promise<Job> =>
  world.create(
    newJobAt(world, {
      jobId,
      schedule: { type: 'none' },
      target: aTarget({ timeout: '10m' }),
      concurrencyKey: DERIVED,
      ...changes,
    }),
  );

async function run(world: PipelineWorld, jobId: string, tenant: string, how: object = {}) {
  const answer = await world.api('runJob', { jobId }, { payload: { tenant }, ...how });
  expect(answer.status).toBeLessThan(300);
  return (answer.body as { execId: string }).execId;
}

test.each([
  ['', {}],
  [', behind its ordering key', { orderingKey: 'k' }],
])('a run that is replaced while it waits goes under the key of its new payload%s', async (_, changes) => {
  const { world, called } = await ruledWorld(20 * SECOND_MS);
  await jobOf(world, 'busy');
  await jobOf(world, 'sync', changes);
  await run(world, 'busy', 'a');
  await world.run(2 * SECOND_MS);
  const execId = await run(world, 'sync', 'a', { key: 'k' });
  await world.run(8 * SECOND_MS);
  await run(world, 'busy', 'b');
  await world.run(2 * SECOND_MS);
  expect(await run(world, 'sync', 'b', { key: 'k', onExisting: 'replace' })).toBe(execId);
  await world.run(30 * SECOND_MS);
  expect(called).toEqual([
    [0, 'busy', 'a'],
    [10, 'busy', 'b'],
    [30, 'sync', 'b'],
  ]);
  expect(world.executions({ userId: 'alice', jobId: 'sync' })).toMatchObject([
    { status: 'succeeded', concurrencyKey: 'crm.b' },
  ]);
  expect(leftSlotRows(world)).toEqual([]);
});

test('a run that is cancelled while it waits, and retried, goes at the next end', async () => {
  const { world, called } = await ruledWorld(20 * SECOND_MS);
  await jobOf(world, 'busy');
  await jobOf(world, 'sync');
  await run(world, 'busy', 'a');
  await world.run(2 * SECOND_MS);
  const execId = await run(world, 'sync', 'a');
  await world.run(2 * SECOND_MS);
  expect((await world.api('cancelExecution', { jobId: 'sync', execId })).status).toBe(202);
  expect((await world.api('retryExecution', { jobId: 'sync', execId })).status).toBe(202);
  await world.run(30 * SECOND_MS);
  expect(called).toEqual([
    [0, 'busy', 'a'],
    [20, 'sync', 'a'],
  ]);
  expect(leftSlotRows(world)).toEqual([]);
});

test('a run that a later event has moved keeps nothing of the key that it had before', async () => {
  const { world, called } = await ruledWorld(MINUTE_MS);
  await jobOf(world, 'busy');
  await jobOf(world, 'sync');
  await jobOf(world, 'index', { schedule: { type: 'event', name: 'changed', debounce: '30s' } });
  const send = (tenant: string) =>
    world.api('sendEvent', {}, { name: 'changed', key: 'x', data: { tenant } });
  await send('a');
  await world.run(20 * SECOND_MS);
  await send('b');
  await world.run(15 * SECOND_MS);
  await run(world, 'sync', 'a');
  await run(world, 'busy', 'b');
  await world.run(2 * MINUTE_MS);
  expect(called).toEqual([
    [35, 'sync', 'a'],
    [35, 'busy', 'b'],
    [95, 'index', 'b'],
  ]);
  expect(world.executions({ userId: 'alice', jobId: 'index' })).toMatchObject([
    { status: 'succeeded', concurrencyKey: 'crm.b' },
  ]);
  expect(leftSlotRows(world)).toEqual([]);
});
