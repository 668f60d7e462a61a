import { type Answered, ApiWorld, type CallOptions } from '../world';

const CHANGE = '/v1/jobs/{jobId}/changes/{number}';
const NOTE = { headers: { 'Quarterjack-Note': 'why' } };
const READER = { scope: 'jobs:read', identity: { projects: [{ name: 'alice', role: 'viewer' as const }] } };

const list = (world: ApiWorld, query = '', options?: CallOptions) =>
  world.call('GET /v1/jobs/{jobId}/changes', { jobId: 'a' }, undefined, { ...options, query });
const changes = async (world: ApiWorld) => (await list(world)).body.items;
const numbered = async (world: ApiWorld): Promise<string[]> =>
  (await changes(world)).map((change: { number: number; what: string }) => `${change.number} ${change.what}`);
const get = (world: ApiWorld, number: number | string, options?: CallOptions) =>
  world.call(`GET ${CHANGE}`, { jobId: 'a', number: String(number) }, undefined, options);
const restore = (world: ApiWorld, number: number, options?: CallOptions) =>
  world.call(`POST ${CHANGE}/restore`, { jobId: 'a', number: String(number) }, undefined, options);
const erase = (world: ApiWorld, number: number, options?: CallOptions) =>
  world.call(`DELETE ${CHANGE}`, { jobId: 'a', number: String(number) }, undefined, options);

async function worldWithJob(body: object = {}): Promise<ApiWorld> {
  const world = new ApiWorld();
  await world.create({ jobId: 'a', ...body });
  await world.clock.advance(1_000);
  return world;
}

/** Waits for a change, and lets a second pass: so no two changes have the same time. */
async function then(world: ApiWorld, change: Promise<Answered>): Promise<Answered> {
  const answered = await change;
  await world.clock.advance(1_000);
  return answered;
}

describe('the changes of a job', () => {
  it('are listed newest first, with actor, time, note, patch and definition', async () => {
    const world = await worldWithJob();
    await then(world, world.patch('a', { name: 'second', tags: { team: 'x' } }, NOTE));
    await then(world, world.post('a', 'pause'));
    await then(world, world.post('a', 'resume'));
    await then(world, world.patch('a', { name: null }));
    expect(await numbered(world)).toEqual(['5 changed', '4 resumed', '3 paused', '2 changed', '1 created']);
    const [newest, resumed, paused, second, first] = await changes(world);
    expect(second).toMatchObject({
      at: '2026-12-01T08:30:01.000Z',
      by: { sub: 'alice', name: null, via: 'token' },
      note: 'why',
      status: 'active',
      patch: { name: 'second', tags: { team: 'x' } },
      definition: { name: 'second', tags: { team: 'x' } },
    });
    expect(newest).toMatchObject({ note: null, patch: { name: null } });
    expect(paused).toMatchObject({ status: 'paused', patch: {} });
    expect(resumed).toMatchObject({ status: 'active', patch: {} });
    expect(first).toMatchObject({ patch: null, definition: { tags: {} } });
    expect((await get(world, 2)).body).toEqual(second);
    expect((await get(world, 1)).body).toEqual(first);
  });

  it('are the same page by page', async () => {
    const world = await worldWithJob();
    for (const name of ['b', 'c']) await then(world, world.patch('a', { name }));
    await then(world, world.remove('a'));
    await then(world, restore(world, 2));
    await then(world, world.remove('a'));
    const all = await changes(world);
    expect(all).toHaveLength(6);
    for (const limit of [1, 2, 4]) {
      const seen: unknown[] = [];
      let query = `limit=${limit}`;
      for (;;) {
        const { items, nextCursor } = (await list(world, query)).body;
        expect(items.length).toBeLessThanOrEqual(limit);
        seen.push(...items);
        if (nextCursor === null) break;
        query = `limit=${limit}&cursor=${nextCursor}`;
      }
      expect(seen).toEqual(all);
    }
  });

  it('cost one write for a change, and none for a create', async () => {
    const world = await worldWithJob();
    const isState = ({ jobId }: Record<string, unknown>) => String(jobId).startsWith('#change#');
    const kept = () => world.tables.rows('Executions').filter(isState);
    expect(kept()).toEqual([]);
    await world.patch('a', { name: 'b' });
    await world.patch('a', { name: 'b' });
    expect(kept()).toMatchObject([{ jobId: '#change#alice/a', expiresAtSec: expect.any(Number) }]);
  });

  it('have neither a lost race nor a change that was never made', async () => {
    const world = await worldWithJob();
    world.beforeNextWrite(() => world.patch('a', { name: 'first' }));
    await then(world, world.patch('a', { priority: 'high' }));
    const { put } = world.deps.changes;
    world.deps.changes.put = async (...row) => {
      world.deps.changes.put = put;
      await world.patch('a', { name: 'before the delete' });
      await put(...row);
    };
    const headers = { 'if-match': (await world.get('a')).headers.etag! };
    expect((await then(world, world.remove('a', { headers }))).status).toBe(412);
    expect(await numbered(world)).toEqual(['4 changed', '3 changed', '2 changed', '1 created']);
    expect((await get(world, 3)).body.patch).toEqual({ priority: 'high' });

    world.deps.jobs.replace = () => Promise.reject(new Error('the process dies'));
    expect((await world.patch('a', { name: 'lost' })).status).toBe(500);
    world.deps.jobs.remove = () => Promise.reject(new Error('the process dies'));
    expect((await world.remove('a')).status).toBe(500);
    expect(await numbered(world)).toEqual(['4 changed', '3 changed', '2 changed', '1 created']);
    expect((await get(world, 5)).status).toBe(404);
  });

  it('are all there after requests that race, each with its own number', async () => {
    const world = await worldWithJob();
    const answers = await Promise.all([
      world.patch('a', { name: 'b' }),
      world.patch('a', { priority: 'high' }),
      world.post('a', 'pause'),
      world.patch('a', { tags: { team: 'x' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const all = await changes(world);
    expect(all.map(({ number }: { number: number }) => number)).toEqual([5, 4, 3, 2, 1]);
    const patches = all.map(({ patch }: { patch: object | null }) => JSON.stringify(patch)).sort();
    expect(patches).toEqual(['null', '{"name":"b"}', '{"priority":"high"}', '{"tags":{"team":"x"}}', '{}']);
  });

  it('are never made without the state before', async () => {
    const world = await worldWithJob();
    world.deps.changes.put = () => Promise.reject(new Error('the process dies'));
    expect((await world.patch('a', { name: 'b' })).status).toBe(500);
    expect((await world.remove('a')).status).toBe(500);
    expect((await world.get('a')).body).toMatchObject({ changeNumber: 1 });
  });

  it('say so if a merge patch cannot', async () => {
    const world = await worldWithJob({ payload: { a: 1 } });
    await world.patch('a', { orderingKey: 'k', payload: [null] });
    await world.patch('a', { orderingKey: null });
    await world.call('PUT /v1/jobs/{jobId}', { jobId: 'a' }, { ...(await get(world, 1)).body.definition });
    expect((await changes(world)).map(({ patch }: { patch: unknown }) => patch)).toEqual([
      { payload: { a: 1 } },
      { orderingKey: null },
      { orderingKey: 'k', payload: [null] },
      null,
    ]);
    const definition = (await get(world, 1)).body.definition;
    await world.call('PUT /v1/jobs/{jobId}', { jobId: 'a' }, { ...definition, payload: { a: null } });
    expect((await get(world, 5)).body).toMatchObject({ patch: null, definition: { payload: { a: null } } });
  });

  it('hide the values of secret headers from a caller who cannot write', async () => {
    const headers = {
      Authorization: 'Bearer s3',
      'X-Api-Key': 's3',
      'My-Token': 's3',
      'x-secret': 's3',
      Accept: 'a',
    };
    const world = await worldWithJob({ target: { type: 'http', url: 'https://example.com/hook', headers } });
    await world.patch('a', { target: { headers: { 'My-Token': 's4', 'X-Api-Key': null } } });
    const hidden = JSON.stringify((await list(world, '', READER)).body);
    expect(hidden).not.toMatch(/s[34]\b/);
    expect((await get(world, 2, READER)).body.patch.target.headers).toEqual({
      'My-Token': '[hidden]',
      'X-Api-Key': null,
    });
    expect((await get(world, 2)).body.patch.target.headers).toEqual({ 'My-Token': 's4', 'X-Api-Key': null });
  });

  it('answer 404 and 400 for what does not exist', async () => {
    const world = new ApiWorld();
    expect((await list(world)).status).toBe(404);
    expect((await get(world, 1)).status).toBe(404);
    await world.create({ jobId: 'a' });
    expect((await get(world, 2)).status).toBe(404);
    expect(await get(world, '01')).toMatchObject({ status: 400, body: { errors: [{ path: 'number' }] } });
    expect((await list(world, '', { user: 'bob' })).status).toBe(404);
  });
});

describe('a deleted job', () => {
  it('keeps its changes, comes back, and goes on with its numbers', async () => {
    const world = await worldWithJob();
    await then(world, world.patch('a', { name: 'b' }));
    const { createdAt } = (await world.get('a')).body;
    await then(world, world.remove('a', NOTE));
    const [deleted] = await changes(world);
    expect(deleted).toMatchObject({
      number: 3,
      what: 'deleted',
      note: 'why',
      at: '2026-12-01T08:30:02.000Z',
    });
    expect(deleted).toMatchObject({ status: null, patch: null, definition: null });
    expect((await get(world, 3)).body).toEqual(deleted);
    expect((await restore(world, 3)).status).toBe(409);
    expect((await restore(world, 2, { headers: { 'if-match': '*' } })).status).toBe(412);

    const restored = await then(world, restore(world, 1));
    expect(restored).toMatchObject({ status: 201, body: { changeNumber: 4, createdAt, status: 'active' } });
    expect(world.entries.length).toBeGreaterThan(0);
    expect(await numbered(world)).toEqual(['4 restored', '3 deleted', '2 changed', '1 created']);
    expect((await get(world, 4)).body).toMatchObject({ restoredFrom: 1, patch: { name: null } });
  });

  it('comes back paused if it was paused', async () => {
    const world = await worldWithJob();
    await then(world, world.post('a', 'pause'));
    await then(world, world.remove('a'));
    expect((await then(world, restore(world, 2))).body).toMatchObject({ status: 'paused', nextFireAt: null });
    expect((await world.post('a', 'resume')).body).toMatchObject({ status: 'active', changeNumber: 5 });
  });

  it('leaves its changes beside those of a later job with its id', async () => {
    const world = await worldWithJob({ name: 'old' });
    const { createdAt } = (await world.get('a')).body;
    await then(world, world.remove('a'));
    await then(world, world.create({ jobId: 'a', name: 'new' }));
    expect(await numbered(world)).toEqual(['1 created', '2 deleted', '1 created']);
    expect((await get(world, 1)).body.definition.name).toBe('new');
    const query = `createdAt=${createdAt}`;
    expect((await get(world, 1, { query })).body.definition.name).toBe('old');
    expect(await restore(world, 1, { query })).toMatchObject({
      status: 200,
      body: { name: 'old', changeNumber: 2 },
    });
  });
});

describe('a restore', () => {
  it('changes the definition, keeps the status, and honours If-Match', async () => {
    const world = await worldWithJob({ name: 'b' });
    const { headers } = await then(world, world.patch('a', { name: 'c' }));
    await then(world, world.post('a', 'pause'));
    expect((await restore(world, 1, { headers: { 'if-match': headers.etag! } })).status).toBe(412);
    expect(await restore(world, 1)).toMatchObject({ status: 200, body: { name: 'b', status: 'paused' } });
    expect(await restore(world, 1)).toMatchObject({ status: 200, body: { changeNumber: 4 } });
  });

  it('meets the checks of a PUT', async () => {
    const world = await worldWithJob();
    await world.patch('a', { name: 'b' });
    world.deps.settings = { ...world.deps.settings, allowedTargetHosts: ['other.test'] };
    expect(await restore(world, 1)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'target.url' }] },
    });
  });

  it('needs the right to write', async () => {
    const world = await worldWithJob();
    expect((await restore(world, 1, READER)).status).toBe(403);
  });
});

describe('a deleted definition', () => {
  it('is gone for good, and on record; its change stays', async () => {
    const world = await worldWithJob({ payload: 'secret' });
    await then(world, world.patch('a', { payload: null }));
    expect((await erase(world, 2)).status).toBe(409);
    expect((await erase(world, 1, READER)).status).toBe(403);
    expect((await erase(world, 1)).status).toBe(204);
    expect(await numbered(world)).toEqual(['2 changed', '1 created']);
    expect(JSON.stringify(await changes(world))).not.toContain('secret');
    expect((await restore(world, 1)).status).toBe(409);
    const { items } = (await world.call('GET /v1/audit')).body;
    expect(items).toContainEqual(
      expect.objectContaining({ what: 'job-change.deleted', resource: 'a/1', outcome: 'done' }),
    );
  });
});
