import type { Call } from '../../support/dynamo/memory-dynamo';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { byClock, missingSteps, outageUntil, recordedSteps, recover } from '../../support/outage-records';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const EACH_MINUTE = { type: 'cron', expression: '* * * * *' } as const;
const SKIP = { policy: 'skip', grace: '60s', catchUpWindow: '1h' } as const;

/** Sweeps until a sweeper makes such a call, which freezes it for six minutes. No other one comes. */
async function freezeSweeper(world: PipelineWorld, isAt: (call: Call) => boolean): Promise<void> {
  let frozen = false;
  let isNext = false;
  world.onCall = (stage, call) => void (isNext = stage === 'sweeper' && isAt(call));
  world.dynamo.faults = {
    async before() {
      if (frozen || !isNext) return;
      frozen = true;
      await world.clock.sleep(6 * MINUTE_MS);
    },
  };
  world.on.sweep = true;
  for (let steps = 0; !frozen && steps < 30; steps++) await world.run(10_000);
  expect(frozen).toBe(true);
  world.on.sweep = false;
}

// The sweeper has read the job, and freezes. The job is changed. The sweeper thaws minutes later.
test.each([
  ['pauseJob', undefined],
  ['patchJob', { schedule: { type: 'cron', expression: '0 3 * * *' } }],
  ['deleteJob', undefined],
] as const)('a sweeper that thaws after %s records nothing of the time after it', async (operation, body) => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: EACH_MINUTE, misfire: SKIP }));
  const { jobId } = job;
  await world.run(3 * MINUTE_MS);
  await outageUntil(world, T0_MS + 25 * MINUTE_MS + 10_000);
  await freezeSweeper(
    world,
    ({ command, input }) => command === 'QueryCommand' && input.TableName === 'executions',
  );
  const changedAtMs = world.clock.nowMs();
  expect((await world.api(operation, { jobId }, body)).status).toBeLessThan(300);
  await world.run(7 * MINUTE_MS);
  world.on.sweep = true;
  world.on.tick = true;
  await world.run(10 * MINUTE_MS);
  const recordedMs = world
    .executions(job)
    .filter(({ reason }) => reason === 'misfire')
    .map(({ dueAtMs, skipped }) => skipped?.toMs ?? dueAtMs);
  expect(Math.max(0, ...recordedMs)).toBeLessThan(changedAtMs);
});

test('a sweeper that freezes before it reads the states of a deleted job leaves a record of an outage', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: EACH_MINUTE }));
  const { jobId, target } = job;
  await world.run(3 * MINUTE_MS);
  await outageUntil(world, T0_MS + 25 * MINUTE_MS + 10_000);
  await byClock(world, 0, 'pauseJob', { jobId });
  await world.run(3 * MINUTE_MS);
  await freezeSweeper(world, ({ input }) =>
    JSON.stringify(input.ExpressionAttributeValues ?? {}).includes('#change#'),
  );
  await byClock(world, 0, 'deleteJob', { jobId });
  await world.run(1_000);
  await byClock(world, 0, 'createJob', {}, { jobId, schedule: EACH_MINUTE, target });
  await world.run(1_000);
  await byClock(world, 0, 'patchJob', { jobId }, { name: 'other' });
  await world.run(7 * MINUTE_MS);
  await recover(world);
  expect(missingSteps(recordedSteps(world, job), 25)).toEqual([]);
});
