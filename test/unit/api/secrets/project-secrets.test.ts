import { DAY_MS } from '../../../../lambdas/core/clock/clock';
import { seal, unseal } from '../../../../lambdas/core/delivery/secrets/seal';
import { secretsKeyOf } from '../../../../lambdas/core/contracts/tables';
import { aBody, type Answered, ApiWorld, type CallOptions } from '../world';

const VALUE = 'p4ssw0rd-of-the-crm';
const scope = 'jobs:read jobs:write project:admin';

const put = (world: ApiWorld, name: string, body: object = {}, options: CallOptions = {}): Promise<Answered> =>
  world.call(
    'PUT /v1/secrets/{name}',
    { name },
    { value: VALUE, hosts: ['example.com', '*.example.org'], ...body },
    { scope, ...options },
  );
const get = (world: ApiWorld, name: string, options: CallOptions = {}) =>
  world.call('GET /v1/secrets/{name}', { name }, undefined, { scope, ...options });
const remove = (world: ApiWorld, name: string, query = '') =>
  world.call('DELETE /v1/secrets/{name}', { name }, undefined, { scope, query });

const target = (more: object) => ({ ...aBody().target, ...more });
const bearer = (name = 'crm') => target({ auth: { type: 'bearer', token: `{{ secrets.${name} }}` } });

async function worldWithSecret(name = 'crm', body: object = {}): Promise<ApiWorld> {
  const world = new ApiWorld();
  expect((await put(world, name, body)).status).toBe(201);
  return world;
}

describe('a secret', () => {
  it('is created and replaced, and never answered', async () => {
    const world = new ApiWorld();
    const created = await put(world, 'crm');
    const shown = {
      name: 'crm',
      hosts: ['example.com', '*.example.org'],
      updatedAt: '2026-12-01T08:30:00.000Z',
      by: { sub: 'alice', name: null, via: 'token' },
      users: [],
      hasMoreUsers: false,
    };
    expect(created).toMatchObject({ status: 201, body: shown });
    expect((await get(world, 'crm')).body).toEqual(shown);
    await world.clock.advance(1_000);
    const replaced = await put(world, 'crm', { value: 'another value', hosts: ['localhost', '127.0.0.1', '::1'] });
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
    [{ value: 'ö'.repeat(2_049) }, 'value', 'must have at most 4096 bytes in UTF-8'],
    [{ value: 12_345_678 }, 'value', 'must be a text'],
    [{ value: undefined }, 'value', 'must be a text'],
    [{ hosts: [] }, 'hosts', 'must have 1 to 20 hosts'],
    [{ hosts: Array.from({ length: 21 }, () => 'a.org') }, 'hosts', 'must have 1 to 20 hosts'],
    [{ hosts: ['Example.com'] }, 'hosts.0', expect.stringContaining('must be a host in lower case')],
    [{ hosts: ['https://example.com'] }, 'hosts.0', expect.stringContaining('must be a host')],
    [{ hosts: ['example.com:443'] }, 'hosts.0', expect.stringContaining('without a port')],
    [{ hosts: ['*'] }, 'hosts.0', expect.stringContaining('must be a host')],
    [{ note: 'x' }, 'note', 'is not a known field'],
  ])('is rejected with %j', async (body, path, message) => {
    const { status, body: problem } = await put(new ApiWorld(), 'crm', body);
    expect([status, problem.errors]).toEqual([400, [{ path, message }]]);
    expect(JSON.stringify(problem)).not.toContain('p4ss');
  });

  it.each(['1crm', 'c.rm', 'a b', 'x'.repeat(65)])('has no name like %j', async (name) => {
    expect(await put(new ApiWorld(), name)).toMatchObject({ status: 400, body: { errors: [{ path: 'name' }] } });
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

describe('a job', () => {
  it('names secrets in its target, and shows the names', async () => {
    const world = await worldWithSecret();
    const given = target({
      url: 'https://api.example.org/x?key={{ secrets.crm }}',
      headers: { 'X-Key': 'k {{secrets.crm}}' },
      auth: { type: 'header', name: 'X-Token', value: '{{ secrets.crm }}' },
    });
    const { status, body } = await world.create({ jobId: 'sync', target: given });
    expect([status, body.target]).toMatchObject([201, { ...given, mode: 'sync' }]);
    expect((await get(world, 'crm')).body.users).toEqual(['sync']);
  });

  it('may have a secret as its whole URL, if that names one host', async () => {
    const world = await worldWithSecret('hook', { value: 'https://example.com/x/y', hosts: ['example.com'] });
    await put(world, 'wide');
    const create = (name: string) => world.create({ target: target({ url: `{{ secrets.${name} }}` }) });
    expect((await create('hook')).status).toBe(201);
    expect((await create('wide')).body.errors).toEqual([
      { path: 'target.url', message: 'must be a secret that names exactly one host, without "*"' },
    ]);
  });

  const oauth = (more: object = {}) => ({
    auth: {
      type: 'oauth2',
      tokenUrl: 'https://example.com/token',
      clientId: '{{ secrets.crm }}',
      clientSecret: '{{ secrets.crm }}',
      ...more,
    },
  });
  const literal = /must be one reference/;
  it.each<[string, object, string, RegExp]>([
    ['a literal token', { auth: { type: 'bearer', token: 'p4ssw0rd' } }, 'auth.token', literal],
    ['a text around it', { auth: { type: 'bearer', token: 'x{{ secrets.crm }}' } }, 'auth.token', literal],
    ['a filter', { auth: { type: 'bearer', token: '{{ secrets.crm | trim }}' } }, 'auth.token', literal],
    ['a literal password', { auth: { type: 'basic', username: '{{ secrets.crm }}', password: 'p' } }, 'auth.password', literal],
    ['a literal client', oauth({ clientId: 'me' }), 'auth.clientId', literal],
    ['an unknown type', { auth: { type: 'digest' } }, 'auth.type', /must be "bearer", "basic"/],
    ['a reserved header', { auth: { type: 'header', name: 'Host', value: '{{ secrets.crm }}' } }, 'auth.name', /is set by/],
    [
      'a header twice',
      { headers: { 'x-a': '1' }, auth: { type: 'header', name: 'X-A', value: '{{ secrets.crm }}' } },
      'auth.name',
      /must not also be/,
    ],
    [
      'Authorization beside it',
      { headers: { AUTHORIZATION: '1' }, auth: { type: 'bearer', token: '{{ secrets.crm }}' } },
      'auth',
      /must not stand beside a header "Authorization"/,
    ],
    ['a filter in a header', { headers: { 'x-a': '{{ secrets.crm | upper }}' } }, 'headers.x-a', /without a filter/],
    ['a secret in its path', { url: 'https://example.com/{{ secrets.crm }}' }, 'url', /in query values only/],
    ['a secret as a name', { url: 'https://example.com/?{{ secrets.crm }}=1' }, 'url', /in query values only/],
    ['a secret in its host', { url: 'https://{{ secrets.crm }}.com/' }, 'url', /in query values only/],
    ['a secret that is missing', { headers: { 'x-a': '{{ secrets.erp }}' } }, 'headers.x-a', /there is no secret "erp"/],
    [
      'another host',
      { url: 'https://example.net/', auth: { type: 'bearer', token: '{{ secrets.crm }}' } },
      'auth.token',
      /"crm", which may not go to the target's host/,
    ],
    ['another token host', oauth({ tokenUrl: 'https://a.net/t' }), 'auth.clientId', /the host of auth.tokenUrl/],
    ['a token endpoint without https', oauth({ tokenUrl: 'http://example.com/' }), 'auth.tokenUrl', /https/],
    ['a private token endpoint', oauth({ tokenUrl: 'https://10.0.0.1/' }), 'auth.tokenUrl', /public address/],
  ])('is rejected with %s', async (_, fields, path, message) => {
    const world = await worldWithSecret();
    const { status, body } = await world.create({ target: target(fields) });
    expect(status).toBe(400);
    expect(body.errors).toContainEqual({
      path: `target.${path}`,
      message: expect.stringMatching(message),
    });
    expect(JSON.stringify(body)).not.toContain('p4ssw0rd');
  });

  it('gives no secret to a target of AWS', async () => {
    const world = await worldWithSecret();
    const eventbridge = { type: 'eventbridge', eventBusName: 'target-b', source: '{{ secrets.crm }}', detailType: 'x' };
    expect((await world.create({ target: eventbridge })).body.errors).toEqual([
      { path: 'target.source', message: 'must not name a secret: targets of this type take none' },
    ]);
  });

  it('may use secrets beside templates', async () => {
    const world = await worldWithSecret();
    const headers = { 'x-day': '{{ run.day }}', 'x-key': '{{ secrets.crm }}' };
    const url = 'https://example.com/{{ run.day }}?key={{ secrets.crm }}';
    expect(await world.create({ templates: true, target: target({ url, headers }) })).toMatchObject({ status: 201 });
  });
});

describe('a secret in use', () => {
  it('is deleted by force alone', async () => {
    const world = await worldWithSecret();
    await world.create({ jobId: 'sync', target: bearer() });
    expect(await remove(world, 'crm')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('the job "sync" uses the secret "crm"') },
    });
    expect((await remove(world, 'crm', 'force=true')).status).toBe(204);
    expect((await get(world, 'crm')).status).toBe(404);
    expect((await remove(world, 'crm')).status).toBe(404);
    expect(world.tables.rows('Executions').filter(({ jobId }) => jobId === secretsKeyOf('alice'))).toEqual([]);
  });

  it('is free once no job names it, whatever rows are left over', async () => {
    const world = await worldWithSecret();
    await world.create({ jobId: 'sync', target: bearer() });
    await world.patch('sync', { target: { auth: null } });
    expect((await get(world, 'crm')).body.users).toEqual(['sync']);
    expect((await remove(world, 'crm')).status).toBe(204);
  });

  it('is found among many jobs that were deleted', async () => {
    const world = await worldWithSecret();
    for (let index = 0; index < 60; index++) await world.create({ jobId: `j${index}`, target: bearer() });
    for (let index = 0; index < 60; index++)
      if (index !== 57) await world.call('DELETE /v1/jobs/{jobId}', { jobId: `j${index}` });
    expect(await remove(world, 'crm')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('"j57"') },
    });
  });
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
  expect(await seal(world.deps.sealingKeys, { project: 'alice', name: 'crm' }, VALUE)).not.toBe(sealed);
});
