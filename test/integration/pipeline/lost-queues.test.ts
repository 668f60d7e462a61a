import { scanAgain } from '../../../lambdas/scanner/scan-again';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;

// The queues of a local run are in memory. A restart loses what the scanner has dispatched ahead.
test('what was dispatched into queues that are gone is dispatched again, and runs on time and once', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: { type: 'interval', every: '20s' } }));
  await world.run(MINUTE_MS + 53_000);
  world.queue.purge();
  const sinceMs = world.clock.nowMs();
  const callsBefore = world.calls.length;
  for (let scans = 0; scans < 2; scans++) {
    await scanAgain([0], sinceMs, world.deps, { remainingMs: () => MINUTE_MS });
    await world.scan();
  }
  await world.run(4 * MINUTE_MS);
  const calls = world.calls.slice(callsBefore);
  expect(calls).toHaveLength(12);
  expect(Math.max(...calls.map(({ atMs, dueAtMs }) => atMs - dueAtMs))).toBeLessThan(1_000);
  expect(new Set(calls.map(({ dueAtMs }) => dueAtMs)).size).toBe(12);
  expect(world.executions(job).every(({ status }) => status === 'succeeded')).toBe(true);
});
