import { ensureNextEntry } from '../../../lambdas/core/dispatch/next-entry';
import { firstEntry, scheduleOf } from '../../../lambdas/core/domain/entry-planning';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const target = { type: 'http', url: 'https://example.com/hook' };
const FIRST = '20261201T083045.000Z';

// The user cancels the next occurrence, changes the schedule and retries the cancelled one. Its entry, of the
// old revision, is rechecked while the queue is long.
test('a recheck of an outdated entry starts no second series, so `maxRuns` holds', async () => {
  const world = await PipelineWorld.started(1);
  const six = { jobId: 'six' };
  const body = { ...six, schedule: { type: 'interval', every: '45s' }, target };
  expect((await world.api('createJob', {}, body)).status).toBe(201);
  expect((await world.api('cancelExecution', { ...six, execId: FIRST })).status).toBe(202);
  await world.run(5_000);
  expect((await world.api('patchJob', six, { schedule: { every: '10s', maxRuns: 6 } })).status).toBe(200);
  await world.run(5_000);
  expect((await world.api('retryExecution', { ...six, execId: FIRST })).status).toBe(202);
  world.on.executor = false;
  await world.run(80_000);
  world.on.executor = true;
  await world.run(20 * MINUTE_MS);
  const seconds = world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / 1_000).sort((a, b) => a - b);
  expect(seconds).toEqual([15, 25, 35, 45, 55, 65]);
});

test('the series of a job is not continued from an entry of another revision', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: { type: 'interval', every: '45s' } }));
  const entry = firstEntry(job, scheduleOf(job), 0, world.clock.nowMs())!;
  const schedule = { type: 'interval' as const, every: '10s', maxRuns: 6 };
  const changed = { ...job, schedule, revision: 'other', generation: job.generation + 1 };
  const before = world.tables.rows('schedule').length;
  await ensureNextEntry(entry, changed, world.deps);
  expect(world.tables.rows('schedule')).toHaveLength(before);
});
