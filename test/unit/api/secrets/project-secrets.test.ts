import { DAY_MS } from '../../../../lambdas/core/clock/clock';
import { unseal } from '../../../../lambdas/core/delivery/secrets/seal';
import { ApiWorld } from '../world';
import { get, put, remove, scope, VALUE, worldWithSecret } from './secret-calls';

describe('a secret', () => {
  it('is created and replaced, and never answered', async () => {
    const world = new ApiWorld();
    const created = await put(world, 'crm');
    const shown = {
      name: 'crm',
      kind: 'text',
      validUntil: null,
      hosts: ['example.com', '*.example.org'],
      updatedAt: '2026-12-01T08:30:00.000Z',
      by: { sub: 'alice', name: null, via: 'token' },
      users: [],
      hasMoreUsers: false,
    };
    expect(created).toMatchObject({ status: 201, body: shown });
    expect((await get(world, 'crm')).body).toEqual(shown);
    await world.clock.advance(1_000);
    const replaced = await put(world, 'crm', {
      value: 'another value',
      hosts: ['localhost', 'app', '127.0.0.1', '::1'],
    });
    expect(replaced).toMatchObject({ status: 200, body: { updatedAt: '2026-12-01T08:30:01.000Z' } });
    expect(JSON.stringify([world.tables.rows('Executions'), world.tables.rows('Jobs')])).not.toMatch(
      /p4ssw0rd|another value/,
    );
  });

  it('is sealed, with the values that it has replaced in the last days', async () => {
    const world = await worldWithSecret();
    const open = async () => {
      const secret = (await world.deps.secrets.get('alice', 'crm'))!;
      const all = [secret.sealed, ...(secret.earlier ?? []).map(({ sealed }) => sealed)];
      const of = { project: 'alice', name: 'crm' };
      return Promise.all(all.map((sealed) => unseal(world.deps.sealingKeys, of, sealed)));
    };
    await put(world, 'crm', { value: 'second-value' });
    await put(world, 'crm', { value: 'third-value' });
    expect(await open()).toEqual(['third-value', VALUE, 'second-value']);
    await world.clock.advance(9 * DAY_MS);
    await put(world, 'crm', { value: 'fourth-value' });
    expect(await open()).toEqual(['fourth-value', 'third-value']);
  });

  it.each([
    [{ value: 'p4ssw0r' }, 'value', 'must have at least 8 characters'],
    [
      { value: 'ö'.repeat(2_049) },
      'value',
      'must have at most 4096 bytes in UTF-8, or 16384 with kind "pem"',
    ],
    [{ value: 12_345_678 }, 'value', 'must be a text'],
    [{ value: undefined }, 'value', 'must be a text'],
    [{ hosts: [] }, 'hosts', 'must have 1 to 20 hosts'],
    [{ hosts: Array.from({ length: 21 }, () => 'a.org') }, 'hosts', 'must have 1 to 20 hosts'],
    [{ hosts: ['Example.com'] }, 'hosts.0', expect.stringContaining('must be a host in lower case')],
    [{ hosts: ['https://example.com'] }, 'hosts.0', expect.stringContaining('must be a host')],
    [{ hosts: ['example.com:443'] }, 'hosts.0', expect.stringContaining('without a port')],
    [{ hosts: ['*'] }, 'hosts.0', expect.stringContaining('must be a host')],
    [{ comment: 'x' }, 'comment', 'is not a known field'],
  ])('is rejected with %j', async (body, path, message) => {
    const { status, body: problem } = await put(new ApiWorld(), 'crm', body);
    expect([status, problem.errors]).toEqual([400, [{ path, message }]]);
    expect(JSON.stringify(problem)).not.toContain('p4ss');
  });

  it.each(['1crm', 'c.rm', 'a b', 'x'.repeat(65)])('has no name like %j', async (name) => {
    expect(await put(new ApiWorld(), name)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'name' }] },
    });
  });

  it('is not repeated from a body that is no JSON', async () => {
    const { status, body } = await put(new ApiWorld(), 'crm', {}, { raw: `{"value": ${VALUE}}` });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toContain('p4ss');
  });

  it('belongs to its project, and to owners', async () => {
    const world = await worldWithSecret();
    expect((await get(world, 'crm', { user: 'bob' })).status).toBe(404);
    expect((await get(world, 'crm', { scope: 'jobs:read jobs:write admin' })).status).toBe(403);
    expect((await put(world, 'crm', {}, { scope: 'jobs:write' })).status).toBe(403);
  });

  it('is one of at most a hundred', async () => {
    const world = new ApiWorld();
    for (let index = 0; index < 100; index++) await put(world, `s${index}`);
    expect(await put(world, 'one-more')).toMatchObject({ status: 409 });
    expect(await put(world, 's7')).toMatchObject({ status: 200 });
  });
});

it('lists secrets by name, in pages', async () => {
  const world = new ApiWorld();
  for (const name of ['b', 'a', 'c']) await put(world, name);
  const list = (query: string) => world.call('GET /v1/secrets', {}, undefined, { scope, query });
  const first = await list('limit=2');
  expect(first.body.items.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
  const second = await list(`limit=2&cursor=${first.body.nextCursor}`);
  expect(second.body).toMatchObject({ items: [{ name: 'c' }], nextCursor: null });
});

it('costs a job without secrets nothing', async () => {
  const world = await worldWithSecret();
  const calls: string[] = [];
  world.dynamo.faults.before = async ({ command, input }) => {
    calls.push(`${command} ${JSON.stringify(input)}`);
  };
  await world.create({ jobId: 'plain' });
  expect(calls.filter((call) => call.includes('#uses#') || call.includes('#secret#'))).toEqual([]);
  expect(calls.length).toBeGreaterThan(0);
});

it('seals in a form that another project cannot open', async () => {
  const world = await worldWithSecret();
  const { sealed } = (await world.deps.secrets.get('alice', 'crm'))!;
  await expect(unseal(world.deps.sealingKeys, { project: 'bob', name: 'crm' }, sealed)).rejects.toThrow();
});

it('is on record with each change, and never with its value', async () => {
  const world = await worldWithSecret();
  await remove(world, 'crm');
  const { body } = await world.call('GET /v1/audit', {}, undefined, { scope });
  expect(body.items).toMatchObject([
    { what: 'secret.deleted', resource: 'crm', outcome: 'done' },
    { what: 'secret.set', resource: 'crm', outcome: 'done', detail: 'hosts example.com, *.example.org' },
  ]);
  expect(JSON.stringify(body)).not.toContain('p4ss');
});
