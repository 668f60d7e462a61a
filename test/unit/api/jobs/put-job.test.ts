import { aBody, ApiWorld } from '../world';

const ascending = (a: number, b: number) => a - b;

const put = (world: ApiWorld, jobId: string, body: object, headers: Record<string, string> = {}) =>
  world.call('PUT /v1/jobs/{jobId}', { jobId }, { ...aBody(), ...body }, { headers });

describe('PUT /v1/jobs/{jobId}', () => {
  it('creates, then replaces; fields left out return to their defaults', async () => {
    const world = new ApiWorld();
    const first = await put(world, 'a', { name: 'one', priority: 'high', payload: { x: 1 } });
    expect(first).toMatchObject({ status: 201, headers: { location: '/v1/jobs/a' } });
    const second = await put(world, 'a', { jobId: 'a', name: 'two' });
    expect(second).toMatchObject({ status: 200, body: { name: 'two', priority: 'medium', generation: 1 } });
    expect(second.body).not.toHaveProperty('payload');
    expect((await world.get('a')).body).toEqual(second.body);
    expect(second.headers.etag).not.toBe(first.headers.etag);
  });

  it('changes nothing if the definition is equal, even if its time has passed', async () => {
    const world = new ApiWorld();
    const body = {
      schedule: { type: 'at', at: '2026-12-01T08:31:00Z' },
      target: { ...aBody().target, mode: 'sync' },
    };
    const first = await put(world, 'a', body);
    await world.clock.advance(120_000);
    const second = await put(world, 'a', { ...body, priority: 'medium' });
    expect(second.status).toBe(200);
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(second.body.updatedAt).toBe(first.body.updatedAt);
    expect(world.entries).toHaveLength(1);
  });

  it('keeps the generation and the times of a schedule that is the same in other words', async () => {
    const world = new ApiWorld();
    const first = await put(world, 'a', { schedule: { type: 'interval', every: '60s' } });
    await world.clock.advance(90_000);
    const { generation, scheduleChangedAt } = first.body;
    const planned = world.entries.length;
    for (const every of ['1m', 'PT60S']) {
      const { body } = await put(world, 'a', { schedule: { type: 'interval', every } });
      expect(body).toMatchObject({ schedule: { every }, generation, scheduleChangedAt });
    }
    expect(world.entries).toHaveLength(planned);
    const { body } = await put(world, 'a', { schedule: { type: 'interval', every: '61s' } });
    expect(body).toMatchObject({ generation: generation + 1 });
  });

  it('leaves a paused job paused', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'pause');
    expect((await put(world, 'a', { schedule: 'rate(1 hour)' })).body).toMatchObject({
      status: 'paused',
      nextFireAt: null,
    });
    expect(world.entries).toEqual([]);
  });

  it('with If-Match replaces only a job with that ETag, and never creates', async () => {
    const world = new ApiWorld();
    expect((await put(world, 'a', {}, { 'If-Match': '*' })).status).toBe(412);
    expect(await world.jobRow('a')).toBeUndefined();
    const { headers } = await put(world, 'a', {});
    expect((await put(world, 'a', { name: 'x' }, { 'If-Match': '"other"' })).status).toBe(412);
    expect((await put(world, 'a', { name: 'x' }, { 'If-Match': `"b", ${headers.etag}` })).status).toBe(200);
    expect((await put(world, 'a', { name: 'y' }, { 'If-Match': headers.etag! })).status).toBe(412);
    expect((await put(world, 'a', { name: 'y' }, { 'If-Match': '*' })).status).toBe(200);
  });

  it('with If-None-Match: * only creates', async () => {
    const world = new ApiWorld();
    const { headers } = await put(world, 'a', {}, { 'If-None-Match': '*' });
    expect((await put(world, 'a', { name: 'x' }, { 'If-None-Match': '*' })).status).toBe(412);
    expect((await put(world, 'a', { name: 'x' }, { 'If-None-Match': headers.etag! })).status).toBe(412);
    expect((await put(world, 'a', { name: 'x' }, { 'If-None-Match': '"other"' })).status).toBe(200);
    const both = await Promise.all([1, 2].map(() => put(world, 'b', {}, { 'If-None-Match': '*' })));
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([201, 412]);
  });
});
