import type { Job } from '../../../lambdas/core/domain/job';
import { newJobAt } from '../../support/new-job';
import { DUE_MS, MINUTE_MS, offered, SECOND_MS, target } from '../../support/offered-work';

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

/** Two executions are offered. Then their jobs change, and a worker asks for all of them much later. */
async function claimedAfter(before: Partial<Job>, changes: object) {
  const { world, job, claim, tickets, ...rest } = await offered(before);
  for (const key of ['old', 'crm.*', 'k']) await world.api('putConcurrencyKey', { key }, { limit: 1 });
  const schedule = { type: 'at' as const, at: new Date(DUE_MS + 3 * SECOND_MS).toISOString() };
  await world.create(newJobAt(world, { jobId: 'second', schedule, target, timeout: '3h', ...before }));
  await world.run(10 * SECOND_MS);
  for (const { jobId } of [job, { jobId: 'second' }])
    expect((await world.api('patchJob', { jobId }, changes)).status).toBe(200);
  expect(tickets()).toHaveLength(2);
  await world.run(60 * MINUTE_MS);
  return { world, job, claim, tickets, ...rest, work: await claim({ max: 5 }) };
}

const TENANTS = { concurrencyKey: 'crm.{{ payload.tenant }}', payload: { tenant: 'a' } };

describe('a job gets another gate while its work waits: the work passes that one', () => {
  test.each<[string, Partial<Job>, object, object]>([
    ['a concurrency key', {}, { concurrencyKey: 'k' }, { concurrencyKey: 'k' }],
    ['a second concurrency key', { concurrencyKey: 'old' }, { concurrencyKey: 'k' }, { concurrencyKey: 'k' }],
    ['the payload that completes it', TENANTS, { payload: { tenant: 'b' } }, { concurrencyKey: 'crm.b' }],
    ['an ordering key', {}, { orderingKey: 'k' }, { orderingKey: 'k' }],
    ['a second ordering key', { orderingKey: 'old' }, { orderingKey: 'k' }, { orderingKey: 'k' }],
  ])('%s', async (_, before, changes, passed) => {
    const { world, claim, report, work } = await claimedAfter(before, changes);
    expect(work).toHaveLength(1);
    const claimed = { userId: 'alice', jobId: work[0]!.jobId };
    expect(world.executions(claimed)).toMatchObject([passed]);
    await report('completeAttempt', work[0]!);
    await world.run(20 * SECOND_MS);
    const [second, ...beside] = await claim({ max: 5 });
    expect(beside).toEqual([]);
    expect((await report('completeAttempt', second!)).status).toBe(200);
    expect(world.errors()).toEqual([]);
  });

  test.each<[string, Partial<Job>, object]>([
    ['no concurrency key', { concurrencyKey: 'old' }, { concurrencyKey: null }],
    ['no ordering key', { orderingKey: 'old' }, { orderingKey: null }],
  ])('%s', async (_, before, changes) => {
    expect((await claimedAfter(before, changes)).work).toHaveLength(2);
  });

  test('an overlap policy', async () => {
    const schedule = { type: 'cron', expression: '*/5 * * * *', timezone: 'UTC' } as const;
    const { world, job, claim } = await offered({ schedule, target: { ...target, startWithin: '5h' } });
    await world.run(11 * MINUTE_MS);
    expect((await world.api('patchJob', { jobId: job.jobId }, { overlap: 'queue' })).status).toBe(200);
    expect(await claim({ max: 5 })).toHaveLength(1);
  });

  test('nothing waits in its old ordering key for it', async () => {
    const ordered = { orderingKey: 'old' };
    const { world, job, claim } = await offered(ordered);
    const schedule = { type: 'at' as const, at: new Date(DUE_MS + 3 * SECOND_MS).toISOString() };
    const http = newJobAt(world, {}).target!;
    const other = await world.create(newJobAt(world, { jobId: 'other', schedule, target: http, ...ordered }));
    await world.run(MINUTE_MS);
    expect(world.executions(other)).toEqual([]);
    expect((await world.api('patchJob', { jobId: job.jobId }, { orderingKey: 'k' })).status).toBe(200);
    await world.run(10 * MINUTE_MS);
    expect(world.executions(other)).toMatchObject([{ status: 'succeeded' }]);
    expect(await claim()).toHaveLength(1);
    expect(world.executions(job)).toMatchObject([{ status: 'running', orderingKey: 'k' }]);
  });

  test('a retry keeps what it has passed', async () => {
    const { world, job, claim, report, tickets } = await offered({ orderingKey: 'old' });
    const [work] = await claim();
    await report('failAttempt', work!, { error: 'disk full' });
    await world.run(MINUTE_MS);
    const before = tickets();
    expect((await world.api('patchJob', { jobId: job.jobId }, { orderingKey: 'k' })).status).toBe(200);
    expect(tickets()).toEqual(before);
    await claim();
    expect(world.executions(job)).toMatchObject([{ attempt: 2, orderingKey: 'old' }]);
  });

  test('its time to start goes on', async () => {
    const { world, job, tickets } = await offered({ target: { ...target, startWithin: '10m' } });
    await world.run(8 * MINUTE_MS);
    expect((await world.api('patchJob', { jobId: job.jobId }, { orderingKey: 'k' })).status).toBe(200);
    await world.run(3 * MINUTE_MS);
    expect(tickets()).toEqual([]);
    expect(world.executions(job)).toMatchObject([{ status: 'failed', reason: 'not-started' }]);
  });
});
