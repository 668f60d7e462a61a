import { aBody, ApiWorld, paths } from '../world';

const put = (world: ApiWorld, key: string, body: object = { limit: 3 }) =>
  world.call('PUT /v1/concurrency-keys/{key}', { key }, body);
const get = (world: ApiWorld, key: string) => world.call('GET /v1/concurrency-keys/{key}', { key });
const remove = (world: ApiWorld, key: string, query = '') =>
  world.call('DELETE /v1/concurrency-keys/{key}', { key }, undefined, { query });

describe('a concurrency key', () => {
  it('is created, changed, listed and deleted, and all of it is on record', async () => {
    const world = new ApiWorld();
    const by = { sub: 'alice', name: null, via: 'token' };
    const idle = { running: [], waiting: [], hasMoreWaiting: false, updatedAt: '2026-12-01T08:30:00.000Z' };
    expect(await put(world, 'crm')).toMatchObject({
      status: 201,
      body: { key: 'crm', limit: 3, by, ...idle },
    });
    expect(await put(world, 'crm', { limit: 5 })).toMatchObject({ status: 200, body: { limit: 5 } });
    await put(world, 'api.v2_x-1', { limit: 100 });
    const { body } = await world.call('GET /v1/concurrency-keys', {}, undefined, { query: 'limit=1' });
    expect(body.items).toEqual([{ key: 'api.v2_x-1', limit: 100, by, ...idle }]);
    const rest = await world.call('GET /v1/concurrency-keys', {}, undefined, {
      query: `limit=1&cursor=${encodeURIComponent(body.nextCursor)}`,
    });
    expect(rest.body).toMatchObject({ items: [{ key: 'crm', limit: 5 }], nextCursor: null });
    expect((await remove(world, 'crm')).status).toBe(204);
    expect((await get(world, 'crm')).status).toBe(404);
    const { body: audit } = await world.call('GET /v1/audit');
    const records = audit.items.map(({ what, resource }: Record<string, string>) => `${what} ${resource}`);
    expect(records.sort()).toEqual([
      'concurrency-key.deleted crm',
      'concurrency-key.set api.v2_x-1',
      'concurrency-key.set crm',
      'concurrency-key.set crm',
    ]);
  });

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 101 }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{}, 'limit'],
    [{ limit: 1, rate: 3 }, 'rate'],
    [{ limit: 1, rate: { limit: 0, per: '1m' } }, 'rate.limit'],
    [{ limit: 1, rate: { limit: 1_001, per: '1m' } }, 'rate.limit'],
    [{ limit: 1, rate: { limit: 1, per: '500ms' } }, 'rate.per'],
    [{ limit: 1, rate: { limit: 1, per: '25h' } }, 'rate.per'],
    [{ limit: 1, rate: { limit: 1 } }, 'rate.per'],
    [{ rate: { limit: 1, per: '1m' } }, 'limit'],
  ])('is refused with %j', async (body, path) => {
    const answer = await put(new ApiWorld(), 'crm', body);
    expect([answer.status, paths(answer)]).toEqual([400, [path]]);
  });

  it('has a rate, which the next definition without one removes', async () => {
    const world = new ApiWorld();
    const rate = { limit: 10, per: '1h30m' };
    expect((await put(world, 'crm', { limit: 2, rate })).body).toMatchObject({
      limit: 2,
      rate,
      recentStarts: 0,
    });
    expect((await get(world, 'crm')).body).toMatchObject({ limit: 2, rate, recentStarts: 0 });
    const { body: audit } = await world.call('GET /v1/audit');
    expect(audit.items[0].detail).toBe('limit 2, rate 10 per 1h30m');
    const { body } = await put(world, 'crm');
    expect([body.rate, body.recentStarts]).toEqual([undefined, undefined]);
  });

  it.each(['-a', 'a/b', 'a'.repeat(65), 'ä'])('is refused with the name %s', async (name) => {
    const answer = await put(new ApiWorld(), name);
    expect([answer.status, paths(answer)]).toEqual([400, ['key']]);
  });

  it('is one of at most a hundred', async () => {
    const world = new ApiWorld();
    for (let index = 0; index < 100; index++) await put(world, `k${index}`);
    expect((await put(world, 'more')).status).toBe(409);
    expect((await put(world, 'k99', { limit: 1 })).status).toBe(200);
  });

  it('has to exist before a job uses it, and stays while one does', async () => {
    const world = new ApiWorld();
    const refused = await world.create({ jobId: 'a', concurrencyKey: 'crm' });
    expect([refused.status, paths(refused)]).toEqual([400, ['concurrencyKey']]);
    await put(world, 'crm');
    expect(await world.create({ jobId: 'a', concurrencyKey: 'crm' })).toMatchObject({
      status: 201,
      body: { concurrencyKey: 'crm' },
    });
    const inUse = await remove(world, 'crm');
    expect([inUse.status, inUse.body.detail]).toEqual([409, expect.stringContaining('the job "a" uses')]);
    const patched = await world.call('PATCH /v1/jobs/{jobId}', { jobId: 'a' }, { concurrencyKey: null });
    expect(patched.body).not.toHaveProperty('concurrencyKey');
    expect((await remove(world, 'crm')).status).toBe(204);
  });

  it('is deleted by force though a job uses it', async () => {
    const world = new ApiWorld();
    await put(world, 'crm');
    await world.create({ jobId: 'a', concurrencyKey: 'crm' });
    expect((await remove(world, 'crm', 'force=true')).status).toBe(204);
    expect((await world.get('a')).body.concurrencyKey).toBe('crm');
  });

  it('belongs to one project', async () => {
    const world = new ApiWorld();
    await put(world, 'crm');
    const theirs = await world.call('GET /v1/concurrency-keys/{key}', { key: 'crm' }, undefined, {
      user: 'bob',
    });
    expect(theirs.status).toBe(404);
    const job = { ...aBody(), concurrencyKey: 'crm' };
    expect((await world.call('POST /v1/jobs', {}, job, { user: 'bob' })).status).toBe(400);
  });
});

describe('a rule of concurrency keys', () => {
  const derived = 'crm.{{ payload.tenant }}';

  it('is needed by a job with a derived key, and stays while one uses it', async () => {
    const world = new ApiWorld();
    const refused = await world.create({ jobId: 'a', concurrencyKey: derived });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [
        {
          path: 'concurrencyKey',
          message: expect.stringContaining('"crm.*" is no concurrency key of the project'),
        },
      ],
    ]);
    expect((await put(world, 'crm.*')).status).toBe(201);
    expect(await world.create({ jobId: 'a', concurrencyKey: derived })).toMatchObject({
      status: 201,
      body: { concurrencyKey: derived },
    });
    expect((await remove(world, 'crm.*')).status).toBe(409);
    expect((await get(world, 'crm.*')).body).toMatchObject({ key: 'crm.*', limit: 3, running: [] });
    await world.call('PATCH /v1/jobs/{jobId}', { jobId: 'a' }, { concurrencyKey: null });
    expect((await remove(world, 'crm.*')).status).toBe(204);
  });

  it('gives its limits to a key without its own, and the longest rule counts', async () => {
    const world = new ApiWorld();
    await put(world, 'c*', { limit: 1 });
    await put(world, 'crm.*', { limit: 2 });
    await put(world, 'crm.big', { limit: 3 });
    const answers = await Promise.all(['crm.a', 'cx', 'crm.big', 'x'].map((key) => get(world, key)));
    expect(answers.map(({ status, body }) => [status, body.key, body.limit, body.rule])).toEqual([
      [200, 'crm.a', 2, 'crm.*'],
      [200, 'cx', 1, 'c*'],
      [200, 'crm.big', 3, undefined],
      [404, undefined, undefined, undefined],
    ]);
    expect((await remove(world, 'crm.a')).status).toBe(404);
  });

  it.each(['*', 'a**', 'a*b', `${'a'.repeat(43)}*`, '-*'])('is refused with the name %s', async (name) => {
    const answer = await put(new ApiWorld(), name);
    expect([answer.status, paths(answer)]).toEqual([400, ['key']]);
  });
});

describe('a derived concurrency key', () => {
  it.each([
    '{{ payload.tenant }}',
    'crm.{{ payload }}',
    'crm.{{ payload.a }}.b',
    'crm.{{ payload.a }}{{ payload.b }}',
    'crm.{{ run.id }}',
    'crm.{{ payload.a | upper }}',
    'crm.*',
    'crm.{{ payload.0 }}',
    `${'a'.repeat(43)}{{ payload.a }}`,
    `crm.{{ payload.${'a'.repeat(250)} }}`,
  ])('is refused as %s', async (concurrencyKey) => {
    const world = new ApiWorld();
    await put(world, 'crm.*');
    const answer = await world.create({ jobId: 'a', concurrencyKey });
    expect([answer.status, paths(answer)]).toEqual([400, ['concurrencyKey']]);
  });

  it('is refused beside a workflow, and beside the policy replace', async () => {
    const world = new ApiWorld();
    await put(world, 'crm.*');
    const workflow = { tasks: { call: { target: aBody().target } } };
    const { target: _, ...body } = { ...aBody(), concurrencyKey: 'crm.{{ payload.a }}' };
    const ofWorkflow = await world.call('POST /v1/jobs', {}, { ...body, workflow });
    expect([ofWorkflow.status, paths(ofWorkflow)]).toEqual([400, ['concurrencyKey']]);
    const answer = await world.create({
      jobId: 'a',
      overlap: 'replace',
      concurrencyKey: 'crm.{{ payload.a }}',
    });
    expect([answer.status, paths(answer)]).toEqual([400, ['concurrencyKey']]);
  });
});
