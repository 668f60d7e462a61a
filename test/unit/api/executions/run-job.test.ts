import { ApiWorld } from '../world';

const one = (world: ApiWorld, execId: string, jobId = 'a') =>
  world.call('GET /v1/jobs/{jobId}/executions/{execId}', { jobId, execId });

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

  it('does not start before its due time, even if the clock is set back during the request or its repeat', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const { requestKeys } = world.deps;
    const { putUnlessKnown } = requestKeys;
    requestKeys.putUnlessKnown = async (key) => {
      world.clock.stepWall(-300);
      return putUnlessKnown(key);
    };
    const dueAtMs = world.clock.nowMs();
    const headers = { 'idempotency-key': 'once' };
    for (let time = 1; time <= 2; time++)
      await world.call('POST /v1/jobs/{jobId}/run', { jobId: 'a' }, {}, { headers });
    await world.clock.advance(60_000);
    await world.call('POST /v1/jobs/{jobId}/run', { jobId: 'a' }, {}, { headers });
    const starts = world.queue.messages.map(({ startAtMs }) => startAtMs);
    expect(starts).toEqual([dueAtMs, dueAtMs + 60_000 - 3 * 300]);
  });

  it('does not change the job, and runs a paused job too', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'pause');
    const before = await world.jobRow('a');
    expect((await world.post('a', 'run')).status).toBe(202);
    expect(await world.jobRow('a')).toEqual(before);
  });

  it('writes the entry, then the row, then sends the message', async () => {
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

  it('answers 202 if only the send fails', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    world.queue.send = () => Promise.reject(new Error('SQS is away'));
    expect((await world.post('a', 'run')).status).toBe(202);
    expect(world.log.messages('error')).toEqual(['the message of an attempt is left to its recheck']);
  });
});
