import { verifyKey } from '../../../../lambdas/core/api-keys/verify-key';
import { DAY_MS } from '../../../../lambdas/core/clock/clock';
import { anApiKey } from '../../../support/api-keys';
import { ApiWorld, type CallOptions, paths } from '../world';

const create = (world: ApiWorld, body: object = {}, options?: CallOptions) =>
  world.call('POST /v1/api-keys', {}, { name: 'ci', role: 'editor', ...body }, options);
const list = (world: ApiWorld, options?: CallOptions) =>
  world.call('GET /v1/api-keys', {}, undefined, options);
const revoke = (world: ApiWorld, keyId: string, options?: CallOptions) =>
  world.call('DELETE /v1/api-keys/{keyId}', { keyId }, undefined, options);
const verify = (world: ApiWorld, key: string) => verifyKey(key, { ...world.deps });

/** A person of a project that several people share. */
const inBilling = (user: string): CallOptions => ({
  user,
  identity: { projects: [{ name: 'billing', role: 'owner' }] },
});

describe('POST /v1/api-keys', () => {
  it('shows the key once, with a year to live and the rights of its role', async () => {
    const world = new ApiWorld();
    const { status, headers, body } = await create(world);
    expect(status).toBe(201);
    expect(headers.location).toBe(`/v1/api-keys/${body.keyId}`);
    expect(body).toEqual({
      key: expect.stringMatching(/^qj_[0-9a-z]{16}_[0-9A-Za-z]{49}$/),
      keyId: body.key.slice(3, 19),
      name: 'ci',
      role: 'editor',
      scopes: ['jobs:read', 'runs:operate', 'jobs:write', 'work'],
      queues: null,
      by: { sub: 'alice', name: null, via: 'token' },
      createdAt: '2026-12-01T08:30:00.000Z',
      expiresAt: '2027-12-01T08:30:00.000Z',
      lastUsedOn: null,
    });
    const { key, ...shown } = body;
    expect((await list(world)).body.items).toEqual([shown]);
    expect(JSON.stringify(world.tables.rows('Jobs'))).not.toContain(key.slice(20));
  });

  it('makes a key that is accepted, for its project, as its creator', async () => {
    const world = new ApiWorld();
    const options = { ...inBilling('alice') };
    options.identity = { ...options.identity, name: 'alice@example.com' };
    const body = { role: 'worker', queues: ['etl-*'], expiresAt: '2026-12-02T00:00:00Z' };
    const { key, keyId } = (await create(world, body, options)).body;
    expect(await verify(world, key)).toEqual({
      sub: 'alice',
      name: 'alice@example.com',
      kind: 'key',
      keyId,
      keyName: 'ci',
      projects: [{ name: 'billing', role: 'worker' }],
      scopes: ['work'],
      queues: ['etl-*'],
      expiresAt: Date.UTC(2026, 11, 2),
    });
    expect((await list(world, options)).body.items[0].lastUsedOn).toBe('2026-12-01');
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ role: 'owner' }, 'role'],
    [{ role: 'admin' }, 'role'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['project:admin'] }, 'scopes.0'],
    [{ scopes: ['jobs:read', 'admin'] }, 'scopes.1'],
    [{ scopes: ['jobs:read', 'jobs:read'] }, 'scopes'],
    [{ role: 'viewer', scopes: ['jobs:read', 'jobs:write'] }, 'scopes.1'],
    [{ queues: ['a b'] }, 'queues.0'],
    [{ queues: Array.from({ length: 11 }, (_, index) => `q${index}`) }, 'queues'],
    [{ expiresAt: '2026-12-01T08:30:00Z' }, 'expiresAt'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ hash: 'x' }, 'hash'],
  ])('rejects %j by name', async (body, path) => {
    const world = new ApiWorld();
    const answered = await create(world, body);
    expect(answered.status).toBe(400);
    expect(paths(answered)).toEqual([path]);
    expect((await list(world)).body.items).toEqual([]);
  });

  it.each([
    ['jobs:read project:admin', { role: 'editor' }],
    ['jobs:read jobs:write project:admin', { role: 'worker' }],
    ['jobs:read jobs:write project:admin', { role: 'editor', scopes: ['jobs:read', 'work'] }],
    ['project:admin', { role: 'viewer' }],
  ])('with a token of %s does not make a key of %j', async (scope, body) => {
    const world = new ApiWorld();
    expect((await create(world, body, { scope })).status).toBe(403);
    expect((await list(world)).body.items).toEqual([]);
  });

  it('leaves out of a role what its creator has not, where no scopes are named', async () => {
    const answered = await create(new ApiWorld(), {}, { scope: 'jobs:read jobs:write project:admin' });
    expect(answered).toMatchObject({
      status: 201,
      body: { scopes: ['jobs:read', 'runs:operate', 'jobs:write'] },
    });
  });

  it('gives runs:approve to a key that names it, or whose role is approver', async () => {
    const world = new ApiWorld();
    const scopesOf = async (body: object) => (await create(world, body)).body.scopes;
    expect(await scopesOf({ scopes: ['runs:approve'] })).toEqual(['runs:approve']);
    expect(await scopesOf({ role: 'approver' })).toEqual(['jobs:read', 'runs:approve']);
  });

  it('is for owners: neither an editor nor a key may use it', async () => {
    const world = new ApiWorld();
    const identities = [
      { projects: [{ name: 'alice', role: 'editor' as const }] },
      { kind: 'key' as const, keyId: 'a'.repeat(16), keyName: 'ci', scopes: ['jobs:write', 'work'] },
    ];
    for (const identity of identities) expect((await create(world, {}, { identity })).status).toBe(403);
  });

  it('does not show the key again: a repeated request is 409, and 422 with another body', async () => {
    const world = new ApiWorld();
    const options = { headers: { 'Idempotency-Key': 'k' } };
    const first = await create(world, {}, options);
    const again = await create(world, {}, options);
    expect(again).toMatchObject({ status: 409, body: { detail: expect.stringContaining(first.body.keyId) } });
    expect(JSON.stringify(again.body)).not.toContain(first.body.key);
    expect((await create(world, { name: 'cd' }, options)).status).toBe(422);
    expect((await list(world)).body.items).toHaveLength(1);
    expect(await verify(world, first.body.key)).toMatchObject({ keyName: 'ci' });
  });

  it('takes an Idempotency-Key for one actor of the project', async () => {
    const world = new ApiWorld();
    const headers = { 'Idempotency-Key': 'k' };
    for (const user of ['alice', 'bob'])
      expect((await create(world, {}, { ...inBilling(user), headers })).status).toBe(201);
  });

  it('makes at most 100 keys a project', async () => {
    const world = new ApiWorld();
    const createdAtMs = world.clock.nowMs();
    for (let count = 0; count < 99; count++) {
      const { row } = anApiKey({ project: 'alice', createdAtMs }, 100 + count);
      expect(await world.deps.apiKeys.create(row, 100)).toEqual({ outcome: 'created' });
    }
    expect((await create(world)).status).toBe(201);
    expect(await create(world)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('100') },
    });
    expect((await create(world, {}, { user: 'bob' })).status).toBe(201);
    const page = (await list(world, { query: 'limit=60' })).body;
    const rest = (await list(world, { query: `limit=60&cursor=${page.nextCursor}` })).body;
    expect(new Set([...page.items, ...rest.items].map(({ keyId }) => keyId)).size).toBe(100);
    await revoke(world, page.items[0].keyId);
    expect((await create(world)).status).toBe(201);
  });
});

describe('DELETE /v1/api-keys', () => {
  it('revokes a key', async () => {
    const world = new ApiWorld();
    const { key, keyId } = (await create(world)).body;
    expect(await verify(world, key)).toMatchObject({ kind: 'key' });
    expect((await revoke(world, keyId)).status).toBe(204);
    expect(await verify(world, key)).toHaveProperty('problem');
    expect((await list(world)).body.items).toEqual([]);
    expect((await revoke(world, keyId)).status).toBe(404);
  });

  it('does not know the key of another project', async () => {
    const world = new ApiWorld();
    const { key, keyId } = (await create(world)).body;
    const other = await revoke(world, keyId, { user: 'bob' });
    expect(other).toMatchObject({ status: 404, body: (await revoke(world, 'a'.repeat(16))).body });
    expect(await verify(world, key)).toMatchObject({ kind: 'key' });
    for (const odd of ['', '#', `${keyId}/..`, keyId.toUpperCase(), '__proto__'])
      expect((await revoke(world, odd)).status).toBe(404);
  });

  it('revokes all keys that one actor created, in this project alone', async () => {
    const world = new ApiWorld();
    const ofAlice = [
      await create(world, {}, inBilling('alice')),
      await create(world, {}, inBilling('alice')),
    ];
    const kept = [await create(world, {}, inBilling('bob')), await create(world, {}, { user: 'alice' })];
    const options = { ...inBilling('bob'), query: 'by=alice' };
    const { status, body } = await world.call('DELETE /v1/api-keys', {}, undefined, options);
    expect(status).toBe(200);
    expect(new Set(body.revoked)).toEqual(new Set(ofAlice.map((one) => one.body.keyId)));
    for (const { body } of ofAlice) expect(await verify(world, body.key)).toHaveProperty('problem');
    for (const { body } of kept) expect(await verify(world, body.key)).toMatchObject({ kind: 'key' });
    expect(paths(await world.call('DELETE /v1/api-keys'))).toEqual(['by']);
  });
});

test('an expired key is still listed until its row is removed', async () => {
  const world = new ApiWorld();
  const { key } = (await create(world)).body;
  await world.clock.advance(366 * DAY_MS);
  expect(await verify(world, key)).toEqual({ problem: expect.stringContaining('expired') });
  expect((await list(world)).body.items).toHaveLength(1);
});
