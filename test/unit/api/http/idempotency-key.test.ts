import { ApiWorld } from '../world';

const ascending = (a: number, b: number) => a - b;

const key = (text: string) => ({ headers: { 'Idempotency-Key': text } });

describe('Idempotency-Key on POST /v1/jobs', () => {
  it('creates one job, and repeats the response', async () => {
    const world = new ApiWorld();
    const first = await world.create({ name: 'n' }, key('k'));
    const second = await world.create({ name: 'n' }, key('"k"'));
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(second.headers).toMatchObject({
      'idempotency-replayed': 'true',
      location: first.headers.location,
    });
    expect({ status: second.status, body: second.body }).toEqual({ status: 201, body: first.body });
    expect(world.tables.rows('Jobs')).toHaveLength(1);
    expect(world.entries).toHaveLength(1);
    expect(world.meter.total('JobsRegistered')).toBe(1);
  });

  it('ignores the order of fields, and whitespace', async () => {
    const world = new ApiWorld();
    const url = 'https://example.com/';
    await world.call('POST /v1/jobs', {}, undefined, {
      ...key('k'),
      raw: `{"schedule":"rate(1 hour)","target":{"type":"http","url":"${url}"}}`,
    });
    const again = await world.call('POST /v1/jobs', {}, undefined, {
      ...key('k'),
      raw: `{ "target": {"url": "${url}", "type": "http"}, "schedule": "rate(1 hour)" }`,
    });
    expect(again).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
  });

  it('answers 422 for another body', async () => {
    const world = new ApiWorld();
    await world.create({ name: 'n' }, key('k'));
    expect((await world.create({ name: 'm' }, key('k'))).status).toBe(422);
  });

  it('with a chosen jobId is a replay too, not a 409', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'mine' }, key('k'));
    expect(await world.create({ jobId: 'mine' }, key('k'))).toMatchObject({
      status: 201,
      headers: { 'idempotency-replayed': 'true' },
    });
    expect((await world.create({ jobId: 'mine' }, key('other'))).status).toBe(409);
    expect((await world.create({ jobId: 'mine' })).status).toBe(409);
    expect((await world.create({ jobId: 'mine', name: 'x' }, key('k'))).status).toBe(422);
  });

  it('is valid for one body, also if the other body chooses another jobId', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'mine' }, key('k'));
    expect((await world.create({ jobId: 'yours' }, key('k'))).status).toBe(422);
    expect((await world.create({}, key('k'))).status).toBe(422);
    await world.create({}, key('other'));
    expect((await world.create({ jobId: 'mine-too' }, key('other'))).status).toBe(422);
    expect((await world.call('GET /v1/jobs')).body.items).toHaveLength(2);
  });

  it('can be used again after a 409 because the jobId is taken', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'taken' });
    expect((await world.create({ jobId: 'taken' }, key('k'))).status).toBe(409);
    expect((await world.create({ jobId: 'free' }, key('k'))).status).toBe(201);
  });

  it('can be used again after a 400', async () => {
    const world = new ApiWorld();
    const never = { type: 'at', at: '2001-01-01T00:00:00Z' };
    expect((await world.create({ jobId: 'a', schedule: never }, key('k'))).status).toBe(400);
    expect((await world.create({ jobId: 'a' }, key('k'))).status).toBe(201);
  });

  it('can be used again after its job, with a chosen jobId, is deleted', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' }, key('k'));
    await world.call('DELETE /v1/jobs/{jobId}', { jobId: 'a' });
    const again = await world.create({ jobId: 'b' }, key('k'));
    expect(again.status).toBe(201);
    expect(again.headers).not.toHaveProperty('idempotency-replayed');
  });

  it('with a chosen jobId creates one job for two requests at the same time', async () => {
    const world = new ApiWorld();
    const [one, two] = await Promise.all([
      world.create({ jobId: 'a' }, key('k')),
      world.create({ jobId: 'a' }, key('k')),
    ]);
    expect([one.status, two.status]).toEqual([201, 201]);
    const [first, second] = await Promise.all([
      world.create({ jobId: 'b' }, key('l')),
      world.create({ jobId: 'c' }, key('l')),
    ]);
    expect([first.status, second.status].toSorted(ascending)).toEqual([201, 422]);
  });

  it('of a one-time job with a chosen jobId is kept as long as the job', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'delay', delay: '1h' } }, key('k'));
    const [job, reserved] = world.tables.rows('Jobs').toSorted((a, b) => (a.jobId! > b.jobId! ? -1 : 1));
    expect(reserved?.jobId).toMatch(/^#key#/);
    expect(reserved?.expiresAtSec).toBe(job?.expiresAtSec);
  });

  it('replays the create of a one-time job that is past', async () => {
    const world = new ApiWorld();
    const body = { schedule: { type: 'at', at: '2026-12-01T08:31:00Z' } };
    const first = await world.create(body, key('k'));
    await world.clock.advance(120_000);
    expect(await world.create(body, key('k'))).toMatchObject({
      status: 201,
      body: { jobId: first.body.jobId },
    });
  });

  it('belongs to one user', async () => {
    const world = new ApiWorld();
    const mine = await world.create({}, key('k'));
    const yours = await world.create({}, { ...key('k'), user: 'bob' });
    expect(yours.headers).not.toHaveProperty('idempotency-replayed');
    expect(yours.body.jobId).not.toBe(mine.body.jobId);
  });

  it('creates one job for two requests at the same time', async () => {
    const world = new ApiWorld();
    const answers = await Promise.all([world.create({}, key('k')), world.create({}, key('k'))]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0].body.jobId).toBe(answers[1].body.jobId);
    expect(world.tables.rows('Jobs')).toHaveLength(1);
  });

  it('creates a new job after the old one is deleted', async () => {
    const world = new ApiWorld();
    const { body } = await world.create({}, key('k'));
    await world.call('DELETE /v1/jobs/{jobId}', { jobId: body.jobId });
    const again = await world.create({}, key('k'));
    expect(again.status).toBe(201);
    expect(again.headers).not.toHaveProperty('idempotency-replayed');
  });
});

describe('Idempotency-Key on POST …/run', () => {
  it.each([true, false])(
    'makes one run, and answers 422 to another body (DynamoDB returns the row of a lost race: %j)',
    async (allOld) => {
      const world = new ApiWorld({}, { allOld });
      await world.create({ jobId: 'a' });
      const first = await world.post('a', 'run', { payload: 1 }, key('k'));
      await world.clock.advance(5_000);
      const second = await world.post('a', 'run', { payload: 1 }, key('k'));
      expect(second).toMatchObject({ status: 202, headers: { 'idempotency-replayed': 'true' } });
      expect(second.body).toEqual(first.body);
      expect((await world.post('a', 'run', { payload: 2 }, key('k'))).status).toBe(422);
      expect((await world.post('a', 'run', {}, key('k'))).status).toBe(422);
      expect(new Set(world.queue.messages.map(({ execId }) => execId)).size).toBe(1);
      expect(world.tables.rows('Executions')).toHaveLength(1);
    },
  );

  it('belongs to one job', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.create({ jobId: 'b' });
    await world.post('a', 'run', {}, key('k'));
    expect((await world.post('b', 'run', {}, key('k'))).headers).not.toHaveProperty('idempotency-replayed');
  });

  it('continues an earlier request that died before its run was written', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const executions = { ...world.deps.executions };
    world.deps.executions.putQueued = () => Promise.reject(new Error('died'));
    expect((await world.post('a', 'run', {}, key('k'))).status).toBe(500);
    Object.assign(world.deps.executions, executions);
    await world.clock.advance(5_000);
    const { status, body } = await world.post('a', 'run', {}, key('k'));
    expect(status).toBe(202);
    expect(body.dueAt).toBe('2026-12-01T08:30:00.000Z');
    expect(world.tables.rows('Executions')).toHaveLength(1);
  });

  it('may repeat a key of another route', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' }, key('k'));
    expect((await world.post('a', 'run', {}, key('k'))).status).toBe(202);
  });

  it('has a row that is not listed as a job', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'run', {}, key('k'));
    expect((await world.call('GET /v1/jobs')).body.items).toHaveLength(1);
  });
});

describe('Idempotency-Key on POST …/retry', () => {
  const ref = (world: ApiWorld, execId: string) => ({ jobKey: world.jobKey('a'), execId });

  async function aFailure(world: ApiWorld): Promise<string> {
    await world.create({ jobId: 'a' });
    const { body } = await world.post('a', 'run');
    await failAgain(world, body.execId, 0);
    return body.execId as string;
  }

  async function failAgain(world: ApiWorld, execId: string, fence: number): Promise<void> {
    const nowMs = world.clock.nowMs();
    const claimId = `claim-${fence}`;
    const userRetries = fence || undefined;
    const claim = { claimId, attempt: 1, trigger: 'manual', dueAtMs: nowMs, nowMs, userRetries } as const;
    await world.deps.executions.claim({ ...ref(world, execId), ...claim });
    await world.deps.ends.finish(
      { ...ref(world, execId), claimId, attempt: 1, fence: fence + 1 },
      { status: 'failed', reason: 'fatal', finishedAtMs: nowMs + 1, expiresAtSec: 2_000_000_000 },
      [],
    );
    await world.clock.advance(1_000);
  }

  const retry = (world: ApiWorld, execId: string, options?: object) =>
    world.call('POST /v1/jobs/{jobId}/executions/{execId}/retry', { jobId: 'a', execId }, undefined, options);

  it('starts one retry, even if that has failed by now', async () => {
    const world = new ApiWorld();
    const execId = await aFailure(world);
    expect(await retry(world, execId, key('k'))).toMatchObject({ status: 202, body: { status: 'retrying' } });
    expect(await retry(world, execId, key('k'))).toMatchObject({
      status: 202,
      headers: { 'idempotency-replayed': 'true' },
    });
    await failAgain(world, execId, 1);
    expect(await retry(world, execId, key('"k"'))).toMatchObject({
      status: 202,
      headers: { 'idempotency-replayed': 'true' },
      body: { status: 'failed' },
    });
    expect((await retry(world, execId, key('l'))).body.status).toBe('retrying');
  });

  it('is refused for another payload', async () => {
    const world = new ApiWorld();
    const execId = await aFailure(world);
    const with_ = (payload: unknown) =>
      world.call(
        'POST /v1/jobs/{jobId}/executions/{execId}/retry',
        { jobId: 'a', execId },
        { payload },
        key('k'),
      );
    expect((await with_(1)).status).toBe(202);
    expect(await with_(1)).toMatchObject({ status: 202, headers: { 'idempotency-replayed': 'true' } });
    expect((await with_(2)).status).toBe(422);
  });

  it('continues an earlier request that died before the row was written', async () => {
    const world = new ApiWorld();
    const execId = await aFailure(world);
    const { userRetry } = world.deps.executions;
    world.deps.executions.userRetry = () => Promise.reject(new Error('died'));
    expect((await retry(world, execId, key('k'))).status).toBe(500);
    world.deps.executions.userRetry = userRetry;
    const again = await retry(world, execId, key('k'));
    expect(again).toMatchObject({ status: 202, body: { status: 'retrying' } });
    expect(again.headers).not.toHaveProperty('idempotency-replayed');
  });
});
