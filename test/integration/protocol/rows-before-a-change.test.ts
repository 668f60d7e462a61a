import { aTarget, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { outageUntil, recover } from '../../support/outage-records';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const START_MS = T0_MS + 20 * MINUTE_MS;

// A manual run takes hours. The scanner finds the first entry two minutes late, and decides on all due times
// by then. The first occurrence waits, so its entry stays. All others are skipped, each with a row.
test('a recheck after a change on time does not read all rows since its entry', async () => {
  const world = await PipelineWorld.started(1);
  world.behaviour = () => ({ outcome: 'accepted', statusCode: 202 });
  const job = await world.create(
    newJobAt(world, {
      schedule: {
        type: 'interval',
        every: '5s',
        anchor: new Date(T0_MS).toISOString(),
        startAt: new Date(START_MS).toISOString(),
      },
      overlap: 'queue',
      timeout: '1d',
      target: aTarget({ mode: 'async', heartbeatTimeout: '12h' }),
      misfire: { policy: 'fire-once', grace: '10m', catchUpWindow: '1h' },
    }),
  );
  const { jobId } = job;
  expect((await world.api('runJob', { jobId })).status).toBeLessThan(300);
  await world.run(10 * MINUTE_MS);
  await outageUntil(world, START_MS + 2 * MINUTE_MS + 5_000); // the scanner is late once
  await recover(world, 60 * MINUTE_MS);
  const rechecked = () => world.tables.rows('schedule').filter((row) => row.rechecks === 5).length;
  for (const before = rechecked(); rechecked() === before;) await world.run(MINUTE_MS);
  const lock = world.tables.rows('jobs').find((row) => 'holder' in row);
  expect(lock).toMatchObject({ waiter: new Date(START_MS).toISOString().replaceAll(/[-:]/g, '') });
  let queries = 0;
  world.onCall = (stage, { command, input }) => {
    if (
      stage === 'sweeper' &&
      command === 'QueryCommand' &&
      input.TableName === 'executions' &&
      input.Limit === 100
    )
      queries += 1;
  };
  const daily = { schedule: { type: 'cron', expression: '0 3 * * *' } };
  expect((await world.api('patchJob', { jobId }, daily)).status).toBe(200);
  await world.run(15 * MINUTE_MS);
  expect(world.executions(job).length).toBeGreaterThan(600);
  expect(queries).toBeLessThan(5);
});
