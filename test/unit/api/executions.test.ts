import { ApiWorld } from './world';

const one = (world: ApiWorld, execId: string, jobId = 'a') =>
  world.call('GET /v1/jobs/{jobId}/executions/{execId}', { jobId, execId });
const cancel = (world: ApiWorld, execId: string, body?: unknown) =>
  world.call('POST /v1/jobs/{jobId}/executions/{execId}/cancel', { jobId: 'a', execId }, body);

/** Does something right before the next read of a job, once. */
function asItsJobIsRead({ deps: { jobs } }: ApiWorld, act: () => Promise<unknown>): void {
  const { get } = jobs;
  jobs.get = async (ref) => {
    jobs.get = get;
    await act();
    return get(ref);
  };
}

describe('POST /v1/jobs/{jobId}/run', () => {
  it('answers 202 with a queued manual run, and sends its message at once', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', priority: 'high' });
    const { status, headers, body } = await world.post('a', 'run', { payload: null });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      jobId: 'a',
      trigger: 'manual',
      status: 'queued',
      dueAt: '2026-12-01T08:30:00.000Z',
      attempts: [],
    });
    expect(headers.location).toBe(`/v1/jobs/a/executions/${body.execId as string}`);
    expect((await one(world, body.execId)).body).toEqual(body);
    expect(world.queue.messages).toMatchObject([
      { execId: body.execId, attempt: 1, trigger: 'manual', priority: 'high' },
    ]);
    const row = await world.deps.executions.get({ jobKey: world.jobKey('a'), execId: body.execId });
    expect(row?.payload).toEqual({ value: null });
  });

  it('starts nothing before its due time, though the clock is set back while it is made, or before it is asked for again', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const { requestKeys } = world.deps;
    const { putUnlessKnown } = requestKeys;
    requestKeys.putUnlessKnown = async (mark) => {
      world.clock.stepWall(-300);
      return putUnlessKnown(mark);
    };
    const dueAtMs = world.clock.nowMs();
    const headers = { 'idempotency-key': 'once' };
    for (let time = 1; time <= 2; time++)
      await world.call('POST /v1/jobs/{jobId}/run', { jobId: 'a' }, {}, { headers });
    const starts = world.queue.messages.map(({ startAtMs }) => startAtMs);
    expect(starts).toEqual([dueAtMs, dueAtMs]);
  });

  it('leaves the schedule alone, and runs a paused job too', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'pause');
    const before = await world.jobRow('a');
    expect((await world.post('a', 'run')).status).toBe(202);
    expect(await world.jobRow('a')).toEqual(before);
  });

  it('writes the entry first, then the row, then sends', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const steps: string[] = [];
    world.dynamo.faults = {
      before: ({ command, input }) => {
        if (command === 'PutCommand') steps.push(`row of ${String(input.TableName)}`);
        else if (command.startsWith('BatchWrite') || command === 'UpdateCommand') steps.push(command);
      },
    };
    const entriesBefore = world.entries.length;
    const send = world.queue.send.bind(world.queue);
    world.queue.send = async (messages) => {
      steps.push('message');
      return send(messages);
    };
    await world.post('a', 'run');
    expect(world.entries).toHaveLength(entriesBefore + 1);
    expect(steps.slice(-2)).toEqual(['row of Executions', 'message']);
    expect(steps).toHaveLength(3);
  });

  it('answers 202 where only the message failed', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    world.queue.send = () => Promise.reject(new Error('SQS is away'));
    expect((await world.post('a', 'run')).status).toBe(202);
    expect(world.log.messages('error')).toEqual(['a manual run is left to the recheck']);
  });
});

describe('GET /v1/jobs/{jobId}/executions/{execId}', () => {
  it('shows an execution with its attempts', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const execId = '20261201T083000.000Z';
    await world.claim('a', execId);
    const nowMs = world.clock.nowMs();
    await world.deps.ends.finish(
      { jobKey: world.jobKey('a'), execId, claimId: 'claim-1', fence: 1, attempt: 1 },
      {
        status: 'failed',
        reason: 'fatal',
        result: { statusCode: 404, body: 'no' },
        finishedAtMs: nowMs + 9,
        expiresAtSec: 2e9,
      },
      [
        {
          attempt: 1,
          fence: 1,
          startedAtMs: nowMs,
          finishedAtMs: nowMs + 9,
          outcome: 'fatal',
          target: 0,
          statusCode: 404,
        },
      ],
    );
    expect((await one(world, execId)).body).toEqual({
      jobId: 'a',
      execId,
      trigger: 'schedule',
      dueAt: '2026-12-01T08:30:00.000Z',
      status: 'failed',
      reason: 'fatal',
      skipped: null,
      latenessMs: 0,
      startedAt: '2026-12-01T08:30:00.000Z',
      finishedAt: '2026-12-01T08:30:00.009Z',
      heartbeatAt: '2026-12-01T08:30:00.000Z',
      attempts: [
        {
          attempt: 1,
          fence: 1,
          startedAt: '2026-12-01T08:30:00.000Z',
          finishedAt: '2026-12-01T08:30:00.009Z',
          outcome: 'fatal',
          target: 0,
          statusCode: 404,
          error: null,
        },
      ],
      targets: [{ index: 0, status: 'failed' }],
      result: { statusCode: 404, body: 'no' },
    });
  });

  it('shows what is planned and has no row yet: the next one, and what fell due within the hour', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'interval', every: '10m' } });
    expect((await one(world, '20261201T084000.000Z')).body).toMatchObject({
      status: 'scheduled',
      trigger: 'schedule',
    });
    expect((await one(world, '20261201T085000.000Z')).status).toBe(404); // not the next one
    expect((await one(world, '20261201T083000.000Z')).status).toBe(404); // before the job was made
    await world.clock.advance(70 * 60_000);
    expect((await one(world, '20261201T090000.000Z')).body).toMatchObject({ status: 'queued' });
    expect((await one(world, '20261201T084000.000Z')).status).toBe(404); // more than an hour ago
    expect((await one(world, '20261201T090000.001Z')).status).toBe(404);
    await world.post('a', 'pause');
    expect((await one(world, '20261201T095000.000Z')).status).toBe(404);
  });

  it.each(['x', '20261201T083000.000Z-', '20261301T083000.000Z', '#run#a', '20261201T083000.000Z-ABC'])(
    'answers 404 for %j',
    async (execId) => {
      const world = new ApiWorld();
      await world.create({ jobId: 'a' });
      expect((await one(world, execId)).status).toBe(404);
    },
  );

  it('shows the row of one that is claimed while it is looked for', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.clock.advance(30 * 60_000);
    asItsJobIsRead(world, () => world.claim('a', '20261201T090000.000Z'));
    expect(await one(world, '20261201T090000.000Z')).toMatchObject({
      status: 200,
      body: { status: 'running' },
    });
  });
});

test('one that is claimed while it is looked for is found, though its job was paused right after', async () => {
  const world = new ApiWorld();
  await world.create({ jobId: 'a' });
  await world.clock.advance(30 * 60_000);
  asItsJobIsRead(world, async () => {
    await world.claim('a', '20261201T090000.000Z');
    await world.post('a', 'pause');
  });
  expect(await one(world, '20261201T090000.000Z')).toMatchObject({
    status: 200,
    body: { status: 'running' },
  });
});

describe('POST …/{execId}/cancel', () => {
  it('keeps a planned occurrence from ever being claimed, for longer than its message may live', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'interval', every: '40d' } });
    const execId = '20270110T083000.000Z';
    const { status, body } = await cancel(world, execId);
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user', execId });
    expect(await world.claim('a', execId)).toMatchObject({ outcome: 'refused' });
    const row = await world.deps.executions.get({ jobKey: world.jobKey('a'), execId });
    expect(row!.expiresAtSec! * 1_000).toBeGreaterThan(Date.UTC(2027, 0, 10) + 20 * 86_400_000);
    expect((await world.get('a')).body.lastExecution).toBeNull(); // it is not due yet
  });

  it('ends a manual run that waits; again it is the same answer', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const { execId } = (await world.post('a', 'run')).body;
    const first = await cancel(world, execId, {});
    expect(first).toMatchObject({
      status: 202,
      body: { status: 'cancelled', finishedAt: '2026-12-01T08:30:00.000Z' },
    });
    expect((await cancel(world, execId)).status).toBe(202);
    expect(await world.claim('a', execId, 'manual')).toMatchObject({ outcome: 'refused' });
  });

  it('asks one that runs to end, and answers 409 once it has', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const { execId } = (await world.post('a', 'run')).body;
    await world.claim('a', execId, 'manual');
    expect(await cancel(world, execId)).toMatchObject({ status: 202, body: { status: 'running' } });
    const lease = { jobKey: world.jobKey('a'), execId, claimId: 'claim-1', fence: 1, attempt: 1 };
    expect(await world.deps.executions.heartbeat(lease, world.clock.nowMs())).toBe('cancel-requested');
    await world.deps.ends.finish(
      lease,
      {
        status: 'succeeded',
        finishedAtMs: world.clock.nowMs(),
        expiresAtSec: 2e9,
      },
      [],
    );
    const answered = await cancel(world, execId);
    expect(answered.status).toBe(409);
    expect(answered.body.detail).toMatch(/succeeded/);
  });

  it('looks again where an executor was faster', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'delay', delay: '10s' } });
    const { executions } = world.deps;
    const ends = { ...world.deps.ends };
    world.deps.ends.putEnded = async (row) => {
      await world.claim('a', row.execId);
      return ends.putEnded(row);
    };
    expect((await cancel(world, '20261201T083010.000Z')).body.status).toBe('running');
    const row = await executions.get({ jobKey: world.jobKey('a'), execId: '20261201T083010.000Z' });
    expect(row).toMatchObject({ status: 'running', cancelRequested: { reason: 'cancelled-by-user' } });
  });

  it('answers 404 for what is neither stored nor planned', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    expect((await cancel(world, '20261203T090000.000Z')).status).toBe(404);
    expect(world.tables.rows('Executions')).toEqual([]);
  });
});
