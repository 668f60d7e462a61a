import { aTarget, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DUE_MS = T0_MS + 30 * SECOND_MS;

/** A one-time job whose calls never settle, not even when they are aborted. */
async function hangingJob(retry: { maxAttempts: number }) {
  const world = await PipelineWorld.started(1);
  world.behaviour = () => new Promise<never>(() => undefined);
  const job = await world.create(
    newJobAt(world, {
      schedule: { type: 'at', at: new Date(DUE_MS).toISOString() },
      target: aTarget({ timeout: '20s' }),
      retry: { initialDelay: '10s', maxDelay: '10s', multiplier: 1, maxAge: '24h', ...retry },
    }),
  );
  return { world, job, execution: () => world.executions(job)[0]! };
}

test('the time-out ends an attempt whose client library never settles, and the next attempt follows', async () => {
  const { world, execution } = await hangingJob({ maxAttempts: 2 });
  await world.run(2 * MINUTE_MS);
  expect(execution()).toMatchObject({ status: 'failed', reason: 'attempts-exhausted', takeovers: 0 });
  expect(execution().attempts.map(({ error }) => error)).toEqual([
    'timed out after 20000 ms (target timeout)',
    'timed out after 20000 ms (target timeout)',
  ]);
  expect(execution().attempts.map(({ fence }) => fence)).toEqual([1, 2]);
});

test('a cancellation ends it too, at the next heartbeat', async () => {
  const { world, job, execution } = await hangingJob({ maxAttempts: 1 });
  await world.run(35 * SECOND_MS);
  const { execId } = execution();
  expect((await world.api('cancelExecution', { jobId: job.jobId, execId })).status).toBe(202);
  await world.run(10 * SECOND_MS);
  expect(execution()).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
});
