import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { outageUntil, recordedSteps, recover } from '../../support/outage-records';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const EACH_MINUTE = { type: 'cron', expression: '* * * * *' } as const;

type Step = 'pauseJob' | 'resumeJob' | 'deleteJob' | 'restoreJob' | 'patchJob';

/** Changes a job, each change some seconds after the one before. */
async function change(world: PipelineWorld, jobId: string, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const params = step === 'restoreJob' ? { jobId, number: '1' } : { jobId };
    const body = step === 'patchJob' ? { name: 'other' } : undefined;
    expect((await world.api(step, params, body)).status).toBeLessThan(300);
    await world.run(3_000);
  }
}

const CHANGES: [reason: string, steps: Step[]][] = [
  ['paused', ['pauseJob', 'resumeJob']],
  ['deleted', ['deleteJob', 'restoreJob']],
  ['deleted', ['deleteJob', 'restoreJob', 'patchJob']],
  ['deleted', ['deleteJob', 'restoreJob', 'pauseJob']],
  ['deleted', ['deleteJob', 'restoreJob', 'pauseJob', 'resumeJob']],
  ['paused', ['pauseJob', 'deleteJob', 'restoreJob']],
];

test.each(CHANGES)(
  'a message that comes late finds why its occurrence did not run: %s by %j',
  async (reason, steps) => {
    const world = await PipelineWorld.started(1);
    const job = await world.create(newJobAt(world, { schedule: EACH_MINUTE }));
    await world.run(2 * MINUTE_MS - 10_000);
    world.on.executor = false;
    await world.run(15_000); // due after two minutes, and not claimed
    await change(world, job.jobId, steps);
    world.on.executor = true;
    await world.run(3 * MINUTE_MS);
    const due = world.executions(job).filter(({ dueAtMs }) => dueAtMs === T0_MS + 2 * MINUTE_MS);
    expect(due).toMatchObject([{ status: 'skipped', reason }]);
  },
);

test.each(CHANGES)('a recheck finds why what had an entry did not run: %s by %j', async (reason, steps) => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: EACH_MINUTE }));
  await world.run(3 * MINUTE_MS);
  await outageUntil(world, T0_MS + 25 * MINUTE_MS);
  await change(world, job.jobId, steps);
  await recover(world);
  const minutes = recordedSteps(world, job);
  expect(minutes.get(6)).toBe('succeeded');
  // The outage had missed the first of them long before the pause.
  for (const minute of [7, 8, 22]) expect(minutes.get(minute)).toBe(reason === 'paused' ? 'misfire' : reason);
  expect([minutes.get(23), minutes.get(25)]).toEqual([reason, reason]);
});
