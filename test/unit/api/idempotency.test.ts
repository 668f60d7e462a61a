import { World } from './world';

const key = (text: string) => ({ headers: { 'Idempotency-Key': text } });

describe('Idempotency-Key on POST /v1/jobs', () => {
  it('makes one job, and gives the same answer again', async () => {
    const world = new World();
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

  it('does not care for the order of fields and blanks', async () => {
    const world = new World();
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

  it('answers 422 where the body is another', async () => {
    const world = new World();
    await world.create({ name: 'n' }, key('k'));
    expect((await world.create({ name: 'm' }, key('k'))).status).toBe(422);
  });

  it('with an id of its own is a replay too, not a 409', async () => {
    const world = new World();
    await world.create({ jobId: 'mine' }, key('k'));
    expect(await world.create({ jobId: 'mine' }, key('k'))).toMatchObject({
      status: 201,
      headers: { 'idempotency-replayed': 'true' },
    });
    expect((await world.create({ jobId: 'mine' }, key('other'))).status).toBe(409);
    expect((await world.create({ jobId: 'mine' })).status).toBe(409);
    expect((await world.create({ jobId: 'mine', name: 'x' }, key('k'))).status).toBe(422);
  });

  it('replays a one-time job whose time has passed', async () => {
    const world = new World();
    const body = { schedule: { type: 'at', at: '2026-12-01T08:31:00Z' } };
    const first = await world.create(body, key('k'));
    await world.clock.advance(120_000);
    expect(await world.create(body, key('k'))).toMatchObject({
      status: 201,
      body: { jobId: first.body.jobId },
    });
  });

  it('is the user’s own, and of one route', async () => {
    const world = new World();
    const mine = await world.create({}, key('k'));
    const yours = await world.create({}, { ...key('k'), user: 'bob' });
    expect(yours.headers).not.toHaveProperty('idempotency-replayed');
    expect(yours.body.jobId).not.toBe(mine.body.jobId);
  });

  it('makes one job of two requests at once', async () => {
    const world = new World();
    const answers = await Promise.all([world.create({}, key('k')), world.create({}, key('k'))]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0].body.jobId).toBe(answers[1].body.jobId);
    expect(world.tables.rows('Jobs')).toHaveLength(1);
  });

  it('makes a new job once the old one is deleted', async () => {
    const world = new World();
    const { body } = await world.create({}, key('k'));
    await world.call('DELETE /v1/jobs/{jobId}', { jobId: body.jobId });
    const again = await world.create({}, key('k'));
    expect(again.status).toBe(201);
    expect(again.headers).not.toHaveProperty('idempotency-replayed');
  });
});

describe('Idempotency-Key on POST …/run', () => {
  it.each([true, false])(
    'makes one run, and answers 422 to another body (lost races show the row: %j)',
    async (allOld) => {
      const world = new World({}, { allOld });
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
    const world = new World();
    await world.create({ jobId: 'a' });
    await world.create({ jobId: 'b' });
    await world.post('a', 'run', {}, key('k'));
    expect((await world.post('b', 'run', {}, key('k'))).headers).not.toHaveProperty('idempotency-replayed');
  });

  it('goes on where an earlier request died before its run was written', async () => {
    const world = new World();
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

  it('its row is no job', async () => {
    const world = new World();
    await world.create({ jobId: 'a' });
    await world.post('a', 'run', {}, key('k'));
    expect((await world.call('GET /v1/jobs')).body.items).toHaveLength(1);
  });
});
