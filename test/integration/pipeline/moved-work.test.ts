import { newJobAt } from '../../support/new-job';
import { MINUTE_MS, offered, SECOND_MS, target } from '../../support/offered-work';

describe('a job that changes while its work waits', () => {
  test('to another queue: its work moves there', async () => {
    const { world, job, claim, tickets } = await offered();
    await world.run(3 * MINUTE_MS); // the recheck of its occurrence is over
    await world.api('patchJob', { jobId: job.jobId }, { target: { queue: 'other' } });
    expect(tickets()).toEqual([]);
    await world.run(3 * MINUTE_MS);
    expect(tickets()).toHaveLength(1);
    expect(await claim()).toEqual([]);
    expect(await claim({ queue: 'other' })).toMatchObject([{ attempt: 1 }]);
    expect(world.errors()).toEqual([]);
  });

  test('to another queue, and its work stays behind: the next claim hands it on', async () => {
    const { world, job, claim, tickets } = await offered();
    world.dynamo.faults.before = async ({ command, input }) => {
      if (command === 'QueryCommand' && JSON.stringify(input).includes('#work#'))
        throw new Error('no answer');
    };
    const edited = { queue: 'other' };
    expect((await world.api('patchJob', { jobId: job.jobId }, { target: edited })).status).toBe(200);
    world.dynamo.faults.before = undefined;
    expect(tickets()).toHaveLength(1);
    expect(await claim()).toEqual([]);
    await world.run(2 * SECOND_MS);
    expect(await claim({ queue: 'other' })).toMatchObject([{ attempt: 2 }]);
  });

  test('to another queue after a retry: the attempt moves too', async () => {
    const { world, job, claim, report, tickets } = await offered();
    const [work] = await claim();
    await report('failAttempt', work!, { error: 'disk full' });
    await world.run(MINUTE_MS);
    expect(tickets()).toHaveLength(1);
    await world.api('patchJob', { jobId: job.jobId }, { target: { queue: 'other' } });
    await world.run(3 * MINUTE_MS);
    expect(await claim({ queue: 'other' })).toMatchObject([{ attempt: 2, fence: 2 }]);
    expect(tickets()).toEqual([]);
  });

  test('to a target that is called: its work is delivered', async () => {
    const { world, job, claim } = await offered({ timeout: '5m' });
    const http = newJobAt(world, {}).target;
    await world.api(
      'patchJob',
      { jobId: job.jobId },
      { target: { ...http, queue: null, heartbeatTimeout: null } },
    );
    await world.run(3 * MINUTE_MS);
    expect(await claim()).toEqual([]);
    expect(world.executions(job)).toMatchObject([{ status: 'succeeded', attempt: 1 }]);
    expect(world.calls).toHaveLength(1);
  });

  test('to another priority: its work has one ticket still, and ends at the limit of its offer', async () => {
    const once = { ...target, startWithin: '10m' };
    const { world, job, tickets } = await offered({ target: once });
    const [ticket] = tickets();
    expect((await world.api('patchJob', { jobId: job.jobId }, { priority: 'high' })).status).toBe(200);
    await world.run(8 * MINUTE_MS);
    expect(tickets()).toEqual([ticket]);
    await world.run(3 * MINUTE_MS);
    expect(tickets()).toEqual([]);
    expect(world.executions(job)).toMatchObject([{ status: 'failed', reason: 'not-started' }]);
  });

  test('and is paused: its work is not handed out', async () => {
    const { world, job, claim, tickets } = await offered();
    await world.api('pauseJob', { jobId: job.jobId });
    expect(await claim()).toEqual([]);
    expect(world.executions(job)).toMatchObject([{ status: 'skipped', reason: 'paused' }]);
    expect(tickets()).toEqual([]);
  });
});
