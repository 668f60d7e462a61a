import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });

test('a store that fails one claim makes the run late by seconds', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 30_000) }));
  world.dynamo.faults = {
    before: ({ input }) => {
      if (!String(input.UpdateExpression).includes('#claimId = :claimId')) return;
      world.dynamo.faults = {};
      throw Object.assign(new Error('store failed'), { name: 'InternalServerError' });
    },
  };
  await world.run(3 * MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.calls).toHaveLength(1);
  expect(world.calls[0]!.atMs - world.calls[0]!.dueAtMs).toBeLessThan(10_000);
});

test('a manual run requested again with its idempotency key runs once, however late its first row is written', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 600 * MINUTE_MS) }));
  world.dynamo.faults = {
    before: async ({ command, input }) => {
      if (command !== 'PutCommand' || input.TableName !== 'executions') return;
      world.dynamo.faults = {};
      await world.clock.sleep(45_000);
    },
  };
  const ask = () => world.api('runJob', { jobId: job.jobId }, undefined, { 'idempotency-key': 'k' });
  const first = ask();
  await world.run(50_000);
  expect((await first).status).toBe(503);
  expect((await ask()).status).toBe(202);
  await world.run(MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.calls).toHaveLength(1);
});

test('overlap queue: a second delivery of a finished manual run does not skip the waiting execution', async () => {
  const world = await PipelineWorld.started(1);
  const busyAtMs = T0_MS + 2 * MINUTE_MS;
  const waitsAtMs = T0_MS + 3 * MINUTE_MS;
  world.behaviour = async ({ dueAtMs }, signal, clock) => {
    if (dueAtMs === busyAtMs) await clock.sleep(100_000, signal);
    return { outcome: 'succeeded', statusCode: 200 };
  };
  const target = { ...newJobAt(world, {}).target, timeout: '10m' };
  const job = await world.create(newJobAt(world, { overlap: 'queue', timeout: '10m', target }));
  const send = jest.spyOn(world.queue, 'send');
  await world.run(20_000);
  expect((await world.api('runJob', { jobId: job.jobId })).status).toBe(202);
  const manual = send.mock.calls.flat(2).filter(({ message }) => message.trigger === 'manual');
  expect(manual).toHaveLength(1);
  await world.run(waitsAtMs + 10_000 - world.clock.nowMs());
  expect(await world.deps.overlapLocks.get(jobKeyOf(job))).toMatchObject({ waiter: expect.any(String) });
  await world.queue.send(manual);
  await world.run(3 * MINUTE_MS);
  const waited = world.executions(job).find(({ dueAtMs }) => dueAtMs === waitsAtMs);
  expect(waited).toMatchObject({ status: 'succeeded' });
});
