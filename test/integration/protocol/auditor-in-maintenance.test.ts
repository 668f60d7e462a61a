import { Metric } from '../../../lambdas/core/contracts/metrics';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;

/** A deployment in maintenance mode for `minutes`, with a pass of the auditor every ten of them. */
async function stoppedFor(minutes: number) {
  const world = await PipelineWorld.started(1);
  await world.create(newJobAt(world, { misfire: { policy: 'fire-all', grace: '60s', catchUpWindow: '1h' } }));
  await world.run(2 * MINUTE_MS);
  await world.api('stopDeployment');
  const repaired: number[] = [];
  for (let passed = 0; passed < minutes; passed += 5) {
    await world.run(5 * MINUTE_MS);
    if (passed % 10 === 0) repaired.push((await world.audit()).repaired);
  }
  return { world, repaired };
}

test.each([15, 35, 65, 185])(
  'the auditor takes nothing for lost during a stop of %i minutes',
  async (minutes) => {
    const { world, repaired } = await stoppedFor(minutes);
    expect(repaired).toEqual(repaired.map(() => 0));
    expect(world.meter.total(Metric.didNotRun)).toBe(0);
    const before = world.tables.units().writeUnits;
    await world.run(10 * MINUTE_MS);
    expect((world.tables.units().writeUnits - before) / 10).toBeLessThanOrEqual(8);
    const calls = world.calls.length;
    await world.api('startDeployment');
    for (let passes = 0; passes < 6; passes++) {
      expect((await world.audit()).repaired).toBe(0);
      await world.run(10 * MINUTE_MS);
    }
    expect(world.calls.length).toBeGreaterThan(calls + 60);
    expect(world.meter.total(Metric.didNotRun)).toBe(0);
  },
);
