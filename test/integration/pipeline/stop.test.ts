import { Metric } from '../../../lambdas/core/contracts/metrics';
import { T0_MS } from '../../support/factories';
import { BALANCED, ledgerOf } from '../../support/ledger';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });
const dues = (world: PipelineWorld): number[] =>
  world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS).sort((a, b) => a - b);
const stop = (world: PipelineWorld) => world.api('stopDeployment');
const start = (world: PipelineWorld) => world.api('startDeployment');

test('a stop over several due times: nothing is called during it, and nothing is lost', async () => {
  const world = await PipelineWorld.started(2);
  const job = await world.create(
    newJobAt(world, { misfire: { policy: 'fire-once', grace: '60s', catchUpWindow: '1h' } }),
  );
  const oneTime = await world.create(
    newJobAt(world, { jobId: 'one-time', schedule: at(T0_MS + 12 * MINUTE_MS) }),
  );
  await world.run(5 * MINUTE_MS + 30_000);
  const before = world.calls.length;
  expect((await stop(world)).body).toMatchObject({ state: 'stopped', tick: 'off' });
  await world.run(20 * MINUTE_MS);
  expect(world.calls).toHaveLength(before);
  expect((await start(world)).body).toMatchObject({ state: 'running', tick: 'on' });
  await world.run(5 * MINUTE_MS);

  expect(ledgerOf(world, job, { fromMs: T0_MS + MINUTE_MS, stepMs: MINUTE_MS })).toEqual(BALANCED);
  expect(world.executions(oneTime)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  const missed = world.executions(job).filter(({ status }) => status === 'skipped');
  expect(missed.every(({ reason }) => reason === 'misfire')).toBe(true);
  expect(missed.reduce((sum, { skipped }) => sum + (skipped?.count ?? 1), 0)).toBeGreaterThanOrEqual(17);
  expect(world.errors()).toEqual([]);
});

test.each([
  ['fire-all', [4, 5, 6, 7, 8, 9]],
  ['skip', []],
] as const)(
  'misfire policy %s decides on occurrences that fell due during a stop',
  async (policy, missedThatRan) => {
    const world = await PipelineWorld.started(1);
    await world.create(newJobAt(world, { misfire: { policy, grace: '60s', catchUpWindow: '1h' } }));
    await world.run(3 * MINUTE_MS + 30_000);
    await stop(world);
    await world.run(7 * MINUTE_MS);
    await start(world);
    await world.run(4 * MINUTE_MS);
    const ran = dues(world);
    expect(ran.filter((due) => due >= 4 && due <= 9)).toEqual(missedThatRan);
    expect(ran.filter((due) => due < 4)).toEqual([1, 2, 3]);
    expect(ran).toEqual(expect.arrayContaining([12, 13, 14]));
  },
);

test('new jobs and manual runs that the API would dispatch wait for the start too', async () => {
  const world = await PipelineWorld.started(1);
  const paused = await world.create(
    newJobAt(world, { jobId: 'manual', schedule: at(T0_MS + 60 * MINUTE_MS) }),
  );
  await stop(world);
  const soon = await world.create(newJobAt(world, { jobId: 'soon', schedule: at(T0_MS + MINUTE_MS) }));
  expect((await world.api('runJob', { jobId: paused.jobId })).status).toBe(202);
  await world.run(10 * MINUTE_MS);
  expect(world.calls).toEqual([]);
  await start(world);
  await world.run(3 * MINUTE_MS);
  expect(world.calls).toHaveLength(2);
  expect(world.executions(soon)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.executions(paused)).toEqual([
    expect.objectContaining({ status: 'succeeded', trigger: 'manual' }),
  ]);
});

test('messages in flight are not executed during a stop, and are sent again after it', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 2 * MINUTE_MS) }));
  expect(world.queue.messages).toHaveLength(1);
  await stop(world);
  await world.run(4 * MINUTE_MS);
  expect(world.calls).toEqual([]);
  expect(world.queue.messages).toEqual([]);
  await start(world);
  await world.run(2 * MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
});

test('executions of an ordering key still run in order after a stop', async () => {
  const world = await PipelineWorld.started(1);
  for (const [jobId, minutes] of [
    ['first', 2],
    ['second', 3],
    ['third', 4],
  ] as const)
    await world.create(
      newJobAt(world, { jobId, orderingKey: 'customer-1', schedule: at(T0_MS + minutes * MINUTE_MS) }),
    );
  await world.run(MINUTE_MS);
  await stop(world);
  await world.run(10 * MINUTE_MS);
  expect(world.calls).toEqual([]);
  await start(world);
  await world.run(15 * MINUTE_MS);
  expect(world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS)).toEqual([2, 3, 4]);
});

test('a dead executor is detected during a stop, and the next attempt waits for the start', async () => {
  const world = await PipelineWorld.started(1);
  world.behaviour = ({ attempt }) =>
    attempt === 1 ? new Promise(() => undefined) : { outcome: 'succeeded' };
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 30_000) }));
  await world.run(31_000);
  world.dynamo.faults = {
    before: ({ input }) => {
      if (input.UpdateExpression === 'SET #heartbeatAtMs = :nowMs') throw new Error('unreachable');
    },
  };
  await stop(world);
  await world.run(5 * MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'retrying', takeovers: 1 })]);
  await start(world);
  // The dead executor's message is still in flight, so the queue looks long and the recheck waits up to ten
  // minutes.
  await world.run(14 * MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded', attempt: 2 })]);
});

test('the auditor repairs nothing and raises no alarm in maintenance mode', async () => {
  const world = await PipelineWorld.started(1);
  await world.create(newJobAt(world, {}));
  await world.run(2 * MINUTE_MS);
  await stop(world);
  await world.run(15 * MINUTE_MS);
  const calls = world.calls.length;
  expect(await world.audit()).toMatchObject({ repaired: 0 });
  expect(world.meter.total(Metric.didNotRun)).toBe(0);
  await world.run(MINUTE_MS);
  expect(world.calls).toHaveLength(calls);
});

test('a long stop costs at most four writes a minute for one waiting job', async () => {
  const world = await PipelineWorld.started(1);
  await world.create(newJobAt(world, { schedule: at(T0_MS + 6 * MINUTE_MS) }));
  await stop(world);
  await world.run(30 * MINUTE_MS);
  const before = world.tables.units().writeUnits;
  await world.run(10 * MINUTE_MS);
  // The entry is filed again every 60 to 80 s, and the sweep's cursor moves.
  expect(world.tables.units().writeUnits - before).toBeLessThanOrEqual(40);
});
