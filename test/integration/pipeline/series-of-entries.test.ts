import { execIdOfOccurrence } from '../../../lambdas/core/contracts/tables';
import type { Job } from '../../../lambdas/core/domain/job';
import { WriteTimeoutError } from '../../../lambdas/core/errors';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;

/** Stores a job whose first dispatch times out, so its occurrences are left to the recheck. */
async function createWithoutDispatch(world: PipelineWorld, job: Job): Promise<Job> {
  const put = world.deps.schedule.putEntries.bind(world.deps.schedule);
  const spy = jest.spyOn(world.deps.schedule, 'putEntries').mockImplementation(async (...call) => {
    if (spy.mock.calls.length > 1) throw new WriteTimeoutError('no answer');
    return put(...call);
  });
  await world.create(job);
  spy.mockRestore();
  expect(world.log.messages('error')).toEqual(['first occurrences are left to the recheck']);
  return job;
}

const dueMinutes = (world: PipelineWorld) => world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS);

test.each([
  ['before', 0],
  ['after', 65_000],
])(
  'an occurrence that was never dispatched and is cancelled %s its time does not stop the job',
  async (_, cancelledAfterMs) => {
    const world = await PipelineWorld.started(1);
    const job = await createWithoutDispatch(world, newJobAt(world, {}));
    const execId = execIdOfOccurrence(T0_MS + MINUTE_MS);
    await world.run(cancelledAfterMs);
    expect((await world.api('cancelExecution', { jobId: job.jobId, execId })).status).toBe(202);
    await world.run(10 * MINUTE_MS + 1_000 - cancelledAfterMs);
    expect(dueMinutes(world)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  },
);

test('a cancelled occurrence of a deleted job does not stop a new job with the same id', async () => {
  const world = await PipelineWorld.started(1);
  const schedule = { type: 'cron' as const, expression: '*/2 * * * *' };
  const { jobId } = await world.create(newJobAt(world, { schedule }));
  const execId = execIdOfOccurrence(T0_MS + 2 * MINUTE_MS);
  expect((await world.api('cancelExecution', { jobId, execId })).status).toBe(202);
  expect((await world.api('deleteJob', { jobId })).status).toBe(204);
  await createWithoutDispatch(world, newJobAt(world, { schedule, revision: 'again' }));
  await world.run(12 * MINUTE_MS + 1_000);
  expect(dueMinutes(world)).toEqual([4, 6, 8, 10, 12]);
});

test.each([
  ['its schedule was changed', ['patchJob']],
  ['it was paused and resumed', ['pauseJob', 'resumeJob']],
] as const)('an execution whose executor died is taken over even if %s meanwhile', async (_, changes) => {
  const world = await PipelineWorld.started(1);
  const anchor = new Date(T0_MS).toISOString();
  const job = await world.create(
    newJobAt(world, { overlap: 'skip', schedule: { type: 'interval', every: '10s', anchor } }),
  );
  const dueAtMs = T0_MS + 90_000; // neither the first nor the last due time of its entry
  world.behaviour = (call) => {
    if (call.dueAtMs === dueAtMs && call.attempt === 1) {
      world.onExecutorCall = (_call, kill) => {
        world.onExecutorCall = undefined;
        kill();
      };
    }
    return { outcome: 'succeeded', statusCode: 200 };
  };
  // Beyond the clock skew: only then is it certain that the claim came before the change.
  await world.run(97_000);
  expect(world.executions(job).find((row) => row.dueAtMs === dueAtMs)).toMatchObject({ status: 'running' });
  for (const change of changes) {
    const body = change === 'patchJob' ? { schedule: { every: '15s' } } : undefined;
    expect((await world.api(change, { jobId: job.jobId }, body)).status).toBe(200);
    await world.run(1_000);
  }
  await world.run(5 * MINUTE_MS);
  expect(world.executions(job).find((row) => row.dueAtMs === dueAtMs)).toMatchObject({
    status: 'succeeded',
    takeovers: 1,
  });
});

test('after a schedule change, each fire of a minute whose messages were lost is recorded as superseded', async () => {
  const world = await PipelineWorld.started(1);
  const anchor = new Date(T0_MS).toISOString();
  const job = await world.create(newJobAt(world, { schedule: { type: 'interval', every: '15s', anchor } }));
  await world.run(118_000);
  world.queue.purge();
  world.on.executor = false;
  await world.run(67_000);
  const schedule = { type: 'at', at: new Date(T0_MS + 900_000).toISOString() };
  expect((await world.api('patchJob', { jobId: job.jobId }, { schedule })).status).toBe(200);
  world.queue.purge();
  world.on.executor = true;
  await world.run(240_000);
  const rows = world.executions(job).filter(({ dueAtMs }) => dueAtMs > T0_MS + 118_000);
  expect(rows.map(({ dueAtMs }) => (dueAtMs - T0_MS) / 1_000)).toEqual([
    120, 135, 150, 165, 180, 195, 210, 225, 240, 255, 270, 285, 300, 315, 330, 345,
  ]);
  expect(rows.every(({ status, reason }) => status === 'skipped' && reason === 'superseded')).toBe(true);
});
