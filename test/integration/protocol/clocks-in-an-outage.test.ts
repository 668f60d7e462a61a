import type { Job } from '../../../lambdas/core/domain/job';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const EACH_MINUTE = { type: 'cron', expression: '* * * * *' } as const;
const EACH_SECOND = { type: 'interval', every: '1s' } as const;

/** A world without ticks and sweeps, in the 26th minute of the job. */
async function worldInOutage(schedule: Job['schedule']) {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule }));
  await world.run(3 * MINUTE_MS);
  world.on.tick = false;
  world.on.sweep = false;
  await world.run(T0_MS + 25 * MINUTE_MS + 10_000 - world.clock.nowMs());
  return { world, job };
}

/** Sends a request to a process whose clock is off. */
async function byClock(world: PipelineWorld, offsetMs: number, ...request: Parameters<PipelineWorld['api']>) {
  world.clock.stepWall(offsetMs);
  expect((await world.api(...request)).status).toBeLessThan(300);
  world.clock.stepWall(-offsetMs);
}

/** Ticks and sweeps come back. The queue is long for the first minutes. */
async function recover(world: PipelineWorld): Promise<void> {
  world.on.executor = false;
  world.on.tick = true;
  world.on.sweep = true;
  await world.tick();
  await world.run(5 * MINUTE_MS);
  world.on.executor = true;
  await world.run(5 * MINUTE_MS);
}

const lastSkipped = (world: PipelineWorld, job: Job, why: string): number =>
  Math.max(
    ...world
      .executions(job)
      .filter(({ skipped, reason }) => skipped && reason === why)
      .map(({ skipped }) => skipped!.toMs),
  );

test('an occurrence of a job that a slow clock created again is not on record as deleted', async () => {
  const { world, job } = await worldInOutage(EACH_SECOND);
  const { jobId, target } = job;
  await byClock(world, 0, 'deleteJob', { jobId });
  await byClock(world, -4_000, 'createJob', {}, { jobId, schedule: EACH_SECOND, target });
  await recover(world);
  const { createdAtMs } = (await world.deps.jobs.get(job))!;
  expect(lastSkipped(world, job, 'deleted')).toBe(createdAtMs);
});

test('an occurrence after a resumption by a slow clock is not on record as paused', async () => {
  const { world, job } = await worldInOutage(EACH_SECOND);
  await byClock(world, 0, 'pauseJob', { jobId: job.jobId });
  await byClock(world, -4_000, 'resumeJob', { jobId: job.jobId });
  await recover(world);
  const { activeSinceMs } = (await world.deps.jobs.get(job))!;
  expect(lastSkipped(world, job, 'paused')).toBe(activeSinceMs);
});

test('what the present schedule plans is not on record as superseded by a change with a wrong clock', async () => {
  const { world, job } = await worldInOutage(EACH_MINUTE);
  const patchTo = (schedule: object) => ['patchJob', { jobId: job.jobId }, { schedule }] as const;
  await byClock(world, 3 * MINUTE_MS, ...patchTo({ type: 'cron', expression: '0 3 * * *' }));
  await byClock(world, 0, ...patchTo(EACH_MINUTE));
  await recover(world);
  const called = new Set(world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS));
  expect([26, 27, 28, 29].filter((minute) => !called.has(minute))).toEqual([]);
});
