import { Metric } from '../../../lambdas/core/contracts/metrics';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;

test('the auditor takes no series for lost while ticks stop for 20 minutes', async () => {
  const world = await PipelineWorld.started(1);
  await world.create(newJobAt(world, { misfire: { policy: 'fire-all', grace: '60s', catchUpWindow: '1h' } }));
  await world.run(2 * MINUTE_MS);
  Object.assign(world.on, { tick: false, sweep: false });
  const repaired: number[] = [];
  for (let passes = 0; passes < 2; passes++) {
    await world.run(10 * MINUTE_MS);
    repaired.push((await world.audit()).repaired);
  }
  Object.assign(world.on, { tick: true, sweep: true });
  await world.run(10 * MINUTE_MS);
  repaired.push((await world.audit()).repaired);
  expect(repaired).toEqual([0, 0, 0]);
  expect(world.meter.total(Metric.didNotRun)).toBe(0);
  expect(world.calls.length).toBeGreaterThan(28);
});

test('the auditor continues a series whose scanner and sweeper have been away for 40 minutes', async () => {
  const world = await PipelineWorld.started(1);
  await world.create(newJobAt(world, {}));
  await world.run(2 * MINUTE_MS);
  Object.assign(world.on, { tick: false, sweep: false });
  await world.run(40 * MINUTE_MS);
  expect((await world.audit()).repaired).toBeGreaterThan(0);
});
