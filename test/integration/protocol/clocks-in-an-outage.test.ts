import type { Job } from '../../../lambdas/core/domain/job';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import {
  byClock,
  missingSteps,
  outageUntil,
  putDays,
  recordedSteps,
  recover,
} from '../../support/outage-records';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const EACH_MINUTE = { type: 'cron', expression: '* * * * *' } as const;
const EACH_SECOND = { type: 'interval', every: '1s' } as const;

const TARGET = { type: 'http', url: 'https://example.com/hook' };
const CHANGED_MS = T0_MS + 25 * MINUTE_MS + 10_000;

/** A world in an outage, in the 26th minute of the job. */
async function worldInOutage(schedule: Job['schedule']) {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule }));
  await world.run(3 * MINUTE_MS);
  await outageUntil(world, CHANGED_MS);
  return { world, job };
}

/** The queue is long for the first minutes. */
async function recoverSlowly(world: PipelineWorld): Promise<void> {
  world.on.executor = false;
  await recover(world, 5 * MINUTE_MS);
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
  await recoverSlowly(world);
  const { createdAtMs } = (await world.deps.jobs.get(job))!;
  expect(lastSkipped(world, job, 'deleted')).toBe(createdAtMs);
});

test('an occurrence after a resumption by a slow clock is not on record as paused', async () => {
  const { world, job } = await worldInOutage(EACH_SECOND);
  await byClock(world, 0, 'pauseJob', { jobId: job.jobId });
  await byClock(world, -4_000, 'resumeJob', { jobId: job.jobId });
  await recoverSlowly(world);
  const { activeSinceMs } = (await world.deps.jobs.get(job))!;
  expect(lastSkipped(world, job, 'paused')).toBe(activeSinceMs);
});

test('what the present schedule plans is not on record as superseded by a change with a wrong clock', async () => {
  const { world, job } = await worldInOutage(EACH_MINUTE);
  const patchTo = (schedule: object) => ['patchJob', { jobId: job.jobId }, { schedule }] as const;
  await byClock(world, 3 * MINUTE_MS, ...patchTo({ type: 'cron', expression: '0 3 * * *' }));
  await byClock(world, 0, ...patchTo(EACH_MINUTE));
  await recoverSlowly(world);
  const called = new Set(world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS));
  expect([26, 27, 28, 29].filter((minute) => !called.has(minute))).toEqual([]);
});

// The patch decides on what falls due through its own time. The job is replanned at once, by another clock.
test('a change by a clock that is ahead of a replan leaves a record of all before it', async () => {
  const world = await PipelineWorld.started(1);
  await putDays(world, ['2020-01-01']);
  const job = { userId: 'alice', jobId: 'job' };
  const every = (interval: string) => ({
    type: 'interval',
    every: interval,
    exclude: [{ calendar: 'days' }],
  });
  const body = { jobId: job.jobId, schedule: every('1s'), target: TARGET };
  expect((await world.api('createJob', {}, body)).status).toBe(201);
  await world.run(MINUTE_MS);
  await outageUntil(world, T0_MS + 10 * MINUTE_MS + 500);
  await byClock(world, 4_000, 'patchJob', { jobId: job.jobId }, { schedule: every('2s') });
  await putDays(world, ['2021-01-01']);
  await world.run(10_000);
  await recover(world);
  expect(missingSteps(recordedSteps(world, job, 1_000), 10 * 60 + 4)).toEqual([]);
});

/** A clock that is ahead creates a job, which is deleted and created again within these seconds. */
async function createdAgain(schedule: object) {
  const world = await PipelineWorld.started(1);
  const job = { userId: 'alice', jobId: 'job' };
  const body = { jobId: job.jobId, schedule, target: TARGET };
  await byClock(world, 4_000, 'createJob', {}, body);
  await world.run(1_000);
  await byClock(world, 0, 'deleteJob', { jobId: job.jobId });
  await world.run(1_000);
  await byClock(world, 0, 'createJob', {}, body);
  return { world, job };
}

test('a change leaves a record of an outage although the job seems older than one before it', async () => {
  const { world, job } = await createdAgain(EACH_MINUTE);
  await world.run(3 * MINUTE_MS);
  await outageUntil(world, CHANGED_MS);
  const daily = { schedule: { type: 'cron', expression: '0 3 * * *' } };
  await byClock(world, 0, 'patchJob', { jobId: job.jobId }, daily);
  await recover(world);
  expect(missingSteps(recordedSteps(world, job), 25)).toEqual([]);
});

test('a takeover goes on with a call although the job seems older than one before it', async () => {
  const { world, job } = await createdAgain({ type: 'interval', every: '97s' });
  world.behaviour = async (_call, _signal, clock) => {
    await clock.sleep(20_000);
    return { outcome: 'succeeded', statusCode: 200 };
  };
  world.onExecutorCall = (_, kill) => {
    if (world.calls.length === 0) return;
    world.onExecutorCall = undefined;
    kill();
  };
  await world.run(110_000);
  expect([world.onExecutorCall, world.calls.length]).toEqual([undefined, 1]);
  for (const expression of ['0 3 * * *', '0 4 * * 1'])
    await byClock(world, 0, 'patchJob', { jobId: job.jobId }, { schedule: { type: 'cron', expression } });
  await world.run(5 * MINUTE_MS);
  const called = world.executions(job).find(({ dueAtMs }) => dueAtMs === world.calls[0]!.dueAtMs);
  expect(called).toMatchObject({ status: 'succeeded', fence: 2 });
});
