import { Metric } from '../../../lambdas/core/contracts/metrics';
import { aTarget, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;

test('the auditor leaves a healthy long job to its target, which may be silent for two hours', async () => {
  const world = await PipelineWorld.started(1);
  world.behaviour = () => ({ outcome: 'accepted', statusCode: 202 });
  const job = await world.create(
    newJobAt(world, {
      target: aTarget({ mode: 'async', heartbeatTimeout: '2h' }),
      timeout: '6h',
      schedule: { type: 'at', at: new Date(T0_MS + 30_000).toISOString() },
    }),
  );
  const repaired: number[] = [];
  for (let pass = 0; pass < 10; pass++) {
    await world.run(10 * MINUTE_MS);
    repaired.push((await world.audit()).repaired);
  }
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'running' })]);
  expect(repaired).toEqual(repaired.map(() => 0));
  expect(world.meter.total(Metric.didNotRun)).toBe(0);
});
