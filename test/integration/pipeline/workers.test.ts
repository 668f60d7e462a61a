import type { Job } from '../../../lambdas/core/domain/job';
import { newJobAt } from '../../support/new-job';
import { DUE_MS, MINUTE_MS, offered, SECOND_MS, target } from '../../support/offered-work';
import { PipelineWorld } from '../../support/pipeline-world';

describe('the way of a worker job', () => {
  test('is offered when due, claimed once, and ends by the report', async () => {
    const { world, job, claim, report, tickets } = await offered();
    expect(tickets()).toHaveLength(1);
    expect(world.executions(job)).toEqual([]);

    const [work, ...others] = await claim({ worker: 'host-1/4711', max: 10 });
    expect(others).toEqual([]);
    expect(work).toMatchObject({
      jobId: job.jobId,
      execId: expect.any(String) as unknown,
      attempt: 1,
      fence: 1,
      dueAt: new Date(DUE_MS).toISOString(),
      deadline: new Date(world.clock.nowMs() + 180 * MINUTE_MS).toISOString(),
      heartbeatTimeout: '60s',
      payload: { table: 'orders' },
      trigger: 'schedule',
    });
    expect(tickets()).toEqual([]);
    expect(await claim()).toEqual([]);

    expect((await report('completeAttempt', work!, { result: { rows: 7 } })).body).toEqual({
      status: 'succeeded',
    });
    const [execution] = world.executions(job);
    expect(execution).toMatchObject({ status: 'succeeded', result: { body: '{"rows":7}' } });
    expect(execution!.attempts).toMatchObject([{ outcome: 'succeeded', worker: 'host-1/4711' }]);
    expect(execution).not.toHaveProperty('delegatedTo');
    expect(world.errors()).toEqual([]);
  });

  test.each<[string, Partial<Job>, (world: PipelineWorld, job: Job) => Promise<unknown>]>([
    ['a due time', {}, async () => {}],
    ['a user', { schedule: { type: 'none' } }, (world, { jobId }) => world.api('runJob', { jobId })],
    [
      'an event',
      { schedule: { type: 'event', name: 'orders.ready' } },
      (world) => world.api('sendEvent', {}, { name: 'orders.ready' }),
    ],
  ])('of %s, it names its queue while it waits, is at work, and has ended', async (_, overrides, start) => {
    const { world, job, claim, report } = await offered(overrides);
    const listed = async (status: string) => {
      const query = new Map(Object.entries({ kind: ['worker'], status: [status] }));
      const { body } = await world.api('listExecutionsOfJobs', {}, undefined, {}, { query });
      return (body as { items: unknown[] }).items;
    };
    await start(world, job);
    expect(await listed('queued')).toMatchObject([{ detail: { queue: 'warehouse' } }]);
    await world.run(3 * SECOND_MS);

    const has = [{ detail: { queue: 'warehouse', offeredAt: expect.any(String) as unknown } }];
    const [work] = await claim({ worker: 'host-1/4711' });
    const detail = { ...has[0]!.detail, worker: 'host-1/4711' };
    expect(await listed('running')).toMatchObject([{ detail }]);
    await report('completeAttempt', work!);
    expect(await listed('succeeded')).toMatchObject(has);
    expect(await listed('succeeded')).not.toMatchObject([{ detail }]);
  });

  test('a worker that falls silent is taken over, and costs no attempt of the retry policy', async () => {
    const { world, job, claim } = await offered({ retry: { ...newRetry, maxAttempts: 1 } });
    const [first] = await claim();
    await world.run(3 * MINUTE_MS);
    const [second] = await claim();
    expect(second).toMatchObject({ attempt: 2, fence: 2 });
    expect(second!.token).not.toBe(first!.token);
    expect(world.executions(job)).toMatchObject([
      { status: 'running', failures: 0, takeovers: 1, attempts: [{ outcome: 'lost' }] },
    ]);
  });

  test('a worker that sends heartbeats keeps its lease until the time of the attempt is up; that is a failure', async () => {
    const { world, job, claim, report } = await offered({
      timeout: '5m',
      retry: { ...newRetry, maxAttempts: 1 },
    });
    const [work] = await claim();
    for (let sent = 0; sent < 8; sent++) {
      await world.run(30 * SECOND_MS);
      await report('heartbeatAttempt', work!);
    }
    expect(world.executions(job)).toMatchObject([{ status: 'running' }]);
    await world.run(3 * MINUTE_MS);
    expect(world.executions(job)).toMatchObject([
      { status: 'failed', reason: 'attempts-exhausted', attempts: [{ outcome: 'retriable' }] },
    ]);
  });

  test('a failed attempt is offered again after the pause of the retry policy', async () => {
    const { world, claim, report } = await offered();
    const [work] = await claim();
    expect((await report('failAttempt', work!, { error: 'disk full' })).body).toEqual({ status: 'retrying' });
    await world.run(30 * SECOND_MS);
    expect(await claim()).toMatchObject([{ attempt: 2, fence: 2 }]);
  });
});

const newRetry = newJobAt(new PipelineWorld(1), {}).retry;

describe('release', () => {
  test('what a clock that is behind gives back starts no earlier than it is due', async () => {
    const { world, job, claim, report } = await offered();
    const [work] = await claim();
    const nowMs = world.clock.nowMs.bind(world.clock);
    world.clock.nowMs = () => nowMs() - 10 * SECOND_MS;
    expect((await report('releaseWork', work!)).body).toEqual({ status: 'retrying' });
    world.clock.nowMs = nowMs;
    expect(world.executions(job)).toMatchObject([{ status: 'retrying', startAtMs: DUE_MS }]);
  });

  test('gives work back at once twice, then after a pause that doubles', async () => {
    const { world, job, claim, report } = await offered({ retry: { ...newRetry, maxAttempts: 1 } });
    for (let releases = 1; releases <= 2; releases++) {
      const [work] = await claim();
      expect((await report('releaseWork', work!)).body).toEqual({ status: 'retrying' });
      await world.run(2 * SECOND_MS);
    }
    const [third] = await claim();
    await report('releaseWork', third!);
    await world.run(8 * SECOND_MS);
    expect(await claim()).toEqual([]);
    await world.run(4 * SECOND_MS);
    expect(await claim()).toMatchObject([{ attempt: 4, fence: 4 }]);
    expect(world.executions(job)).toMatchObject([{ failures: 0, releases: 3, attempts: [] }]);
  });

  test('does not forgive the losses before it: the fifth ends the execution', async () => {
    const { world, job, claim, report } = await offered();
    for (let losses = 1; losses <= 5; losses++) {
      const [unbegun] = await claim();
      await report('releaseWork', unbegun!);
      await world.run(2 * SECOND_MS);
      await claim();
      await world.run(3 * MINUTE_MS);
    }
    expect(world.executions(job)).toMatchObject([{ status: 'failed', reason: 'crashed', failures: 0 }]);
  });

  test('after twenty in a row, the next one ends it as crashed', async () => {
    const { world, job, claim, report, tickets } = await offered();
    for (let releases = 1; releases <= 21; releases++) {
      for (let minutes = 0; minutes < 15 && tickets().length === 0; minutes++) await world.run(MINUTE_MS);
      const [work] = await claim();
      expect(work).toMatchObject({ fence: releases });
      const { body } = await report('releaseWork', work!);
      expect(body).toMatchObject({ status: releases > 20 ? 'failed' : 'retrying' });
      await world.run(SECOND_MS);
    }
    expect(world.executions(job)).toMatchObject([{ status: 'failed', reason: 'crashed', failures: 0 }]);
    await world.run(15 * MINUTE_MS);
    expect(tickets()).toEqual([]);
  });

  test('of work whose job is paused meanwhile ends it as cancelled', async () => {
    const { world, job, claim, report } = await offered();
    const [work] = await claim();
    await world.api('pauseJob', { jobId: job.jobId });
    expect((await report('releaseWork', work!)).body).toEqual({ status: 'cancelled' });
    expect(world.executions(job)).toMatchObject([{ status: 'cancelled', reason: 'paused' }]);
  });

  test('with a stale token is a conflict', async () => {
    const { claim, report } = await offered();
    const [work] = await claim();
    await report('completeAttempt', work!);
    expect((await report('releaseWork', work!)).status).toBe(409);
  });
});

describe('work for which no worker comes', () => {
  test('has failed as not-started once its time to start is up', async () => {
    const { world, job, claim, tickets } = await offered({ target: { ...target, startWithin: '10m' } });
    await world.run(9 * MINUTE_MS);
    expect(world.executions(job)).toEqual([]);
    await world.run(3 * MINUTE_MS);
    expect(world.executions(job)).toMatchObject([
      { status: 'failed', reason: 'not-started', fence: 0, detail: { queue: 'warehouse' } },
    ]);
    expect(tickets()).toEqual([]);
    expect(await claim()).toEqual([]);
  });

  test('blocks its ordering key as any failure does', async () => {
    const waits = { orderingKey: 'k', onFailure: 'block' } as const;
    const { world, job, claim } = await offered({ ...waits, target: { ...target, startWithin: '10m' } });
    await world.run(12 * MINUTE_MS);
    expect(world.executions(job)).toMatchObject([
      { status: 'failed', reason: 'not-started', blocksKey: true },
    ]);
    await world.api('runJob', { jobId: job.jobId });
    await world.run(3 * SECOND_MS);
    expect(await claim()).toEqual([]);
    await world.api('unblockOrderingKey', {}, { orderingKey: 'k' });
    await world.run(MINUTE_MS);
    expect(await claim()).toHaveLength(1);
  });

  test('is a misfire once a later occurrence of its job is due', async () => {
    const schedule = { type: 'interval' as const, every: '2m', anchor: new Date(DUE_MS).toISOString() };
    const { world, job, claim } = await offered({ schedule });
    await world.run(3 * MINUTE_MS);
    expect(world.executions(job)).toMatchObject([
      { status: 'skipped', reason: 'misfire', detail: { queue: 'warehouse' } },
    ]);
    expect(await claim({ max: 10 })).toHaveLength(1);
  });

  test('is rechecked once more only, however long it waits', async () => {
    const { world } = await offered({ target: { ...target, startWithin: '6h' } });
    await world.run(MINUTE_MS);
    const before = world.meter.total('MessagesResent');
    const writes = world.tables.rows('schedule').length;
    await world.run(5 * 60 * MINUTE_MS);
    expect(world.meter.total('MessagesResent')).toBe(before);
    expect(world.tables.rows('schedule').filter(({ jobKey }) => jobKey).length).toBeLessThan(writes + 2);
  });

  test('a claim checks the time to start, too', async () => {
    const { world, job, claim } = await offered({ target: { ...target, startWithin: '10m' } });
    world.on.sweep = false;
    await world.run(11 * MINUTE_MS);
    expect(await claim()).toEqual([]);
    expect(world.executions(job)).toMatchObject([{ status: 'failed', reason: 'not-started' }]);
  });

  test('time in maintenance mode does not count', async () => {
    const { world, claim } = await offered({ target: { ...target, startWithin: '10m' } });
    await world.api('stopDeployment', {}, {});
    await world.run(20 * MINUTE_MS);
    await world.api('startDeployment');
    await world.run(2 * MINUTE_MS);
    expect(await claim()).toHaveLength(1);
  });
});

test('work that must wait for its ordering key leaves the queue until it may go', async () => {
  const { world, claim, report, tickets } = await offered({ orderingKey: 'orders' });
  const schedule = { type: 'at' as const, at: new Date(DUE_MS + 3 * SECOND_MS).toISOString() };
  await world.create(newJobAt(world, { jobId: 'second', schedule, target, orderingKey: 'orders' }));
  await world.run(3 * SECOND_MS);
  expect(tickets()).toHaveLength(2);
  const [first, ...others] = await claim({ max: 10 });
  expect(others).toEqual([]);
  expect(tickets()).toEqual([]);
  await report('completeAttempt', first!);
  await world.run(2 * SECOND_MS);
  expect(await claim({ max: 10 })).toHaveLength(1);
});

test('what a user retries waits a day, although later occurrences are due', async () => {
  const schedule = { type: 'cron', expression: '* * * * *' } as const;
  const { world, job, claim, report, tickets } = await offered({ schedule });
  await world.run(MINUTE_MS);
  const [work] = await claim();
  await report('failAttempt', work!, { error: 'no such table', retriable: false });
  await world.run(3 * MINUTE_MS);
  await world.api('retryExecution', { jobId: job.jobId, execId: work!.execId });
  await world.run(3 * MINUTE_MS);
  const texts = tickets().map(({ message }) => String(message));
  expect(texts.find((text) => text.includes('"userRetries":1'))).toContain('"startWithinMs":86400000');
});
