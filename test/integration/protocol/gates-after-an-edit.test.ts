import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });

// The waiting execution holds the overlap lock, and would wait for the key. The next one would hold the key,
// and wait for the lock.
test('a job of overlap `queue` that gets an ordering key while an attempt waits goes on', async () => {
  const world = await PipelineWorld.started(1);
  let failing = true;
  world.behaviour = () =>
    failing
      ? { outcome: 'retriable', statusCode: 503, error: '503', retryAfterMs: 25 * MINUTE_MS }
      : { outcome: 'succeeded', statusCode: 200 };
  const job = await world.create(
    newJobAt(world, {
      jobId: 'a',
      overlap: 'queue',
      schedule: { type: 'cron', expression: '*/10 * * * *' },
      retry: { maxAttempts: 3, initialDelay: '10s', maxDelay: '1h', multiplier: 2, maxAge: '24h' },
    }),
  );
  await world.run(10 * MINUTE_MS + 5_000);
  expect(world.executions(job).map(({ status }) => status)).toEqual(['retrying']);
  failing = false;
  expect((await world.api('patchJob', { jobId: 'a' }, { orderingKey: 'k' })).status).toBe(200);
  const other = await world.create(
    newJobAt(world, { jobId: 'b', orderingKey: 'k', schedule: at(T0_MS + 50 * MINUTE_MS) }),
  );
  await world.run(3 * 60 * MINUTE_MS);
  for (let pass = 0; pass < 6; pass++) {
    await world.audit();
    await world.run(10 * MINUTE_MS);
  }
  expect(world.executions(other)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.executions(job)[0]).toMatchObject({ status: 'succeeded' });
});
