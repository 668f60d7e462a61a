import { secretsKeyOf } from '../../../../lambdas/core/contracts/tables';
import { bearer, get, put, remove, target, worldWithSecret } from './secret-calls';

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
    [
      'a literal password',
      { auth: { type: 'basic', username: '{{ secrets.crm }}', password: 'p' } },
      'auth.password',
      literal,
    ],
    ['a literal client', oauth({ clientId: 'me' }), 'auth.clientId', literal],
    ['an unknown type', { auth: { type: 'digest' } }, 'auth.type', /must be "bearer", "basic"/],
    [
      'a reserved header',
      { auth: { type: 'header', name: 'Host', value: '{{ secrets.crm }}' } },
      'auth.name',
      /is set by/,
    ],
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
    [
      'a filter in a header',
      { headers: { 'x-a': '{{ secrets.crm | upper }}' } },
      'headers.x-a',
      /without a filter/,
    ],
    ['a secret in its path', { url: 'https://example.com/{{ secrets.crm }}' }, 'url', /in query values only/],
    [
      'a secret as a name',
      { url: 'https://example.com/?{{ secrets.crm }}=1' },
      'url',
      /in query values only/,
    ],
    ['a secret in its host', { url: 'https://{{ secrets.crm }}.com/' }, 'url', /in query values only/],
    [
      'more references than a call may have',
      { headers: { 'x-a': '{{ secrets.crm }}'.repeat(17) } },
      'headers.x-a',
      /must name secrets at most 16 times in all fields together, not 17 times/,
    ],
    [
      'a secret that is missing',
      { headers: { 'x-a': '{{ secrets.erp }}' } },
      'headers.x-a',
      /there is no secret "erp"/,
    ],
    [
      'another host',
      { url: 'https://example.net/', auth: { type: 'bearer', token: '{{ secrets.crm }}' } },
      'auth.token',
      /"crm", which may not go to the target's host/,
    ],
    [
      'another token host',
      oauth({ tokenUrl: 'https://a.net/t' }),
      'auth.clientId',
      /the host of auth.tokenUrl/,
    ],
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
    const eventbridge = {
      type: 'eventbridge',
      eventBusName: 'target-b',
      source: '{{ secrets.crm }}',
      detailType: 'x',
    };
    expect((await world.create({ target: eventbridge })).body.errors).toEqual([
      { path: 'target.source', message: 'must not name a secret: targets of this type take none' },
    ]);
  });

  it('may use secrets beside templates', async () => {
    const world = await worldWithSecret();
    const headers = { 'x-day': '{{ run.day }}', 'x-key': '{{ secrets.crm }}' };
    const url = 'https://example.com/{{ run.day }}?key={{ secrets.crm }}';
    expect(await world.create({ templates: true, target: target({ url, headers }) })).toMatchObject({
      status: 201,
    });
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
    expect(world.tables.rows('Executions').filter(({ jobId }) => jobId === secretsKeyOf('alice'))).toEqual(
      [],
    );
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
