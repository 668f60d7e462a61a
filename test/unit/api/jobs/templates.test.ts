import { aBody, ApiWorld, paths } from '../world';

const http = (fields: object) => ({ ...aBody().target, type: 'http', ...fields });
const templated = (fields: object) => ({ templates: true, ...fields });

it('a job has no templates unless it says so, and its braces stay text', async () => {
  const world = new ApiWorld();
  const created = await world.create({ jobId: 'a', payload: { text: '{{ no template' } });
  expect(created).toMatchObject({ status: 201, body: { templates: false } });
  expect(await world.jobRow('a')).not.toHaveProperty('templates');
});

it('a patch sets and removes templates, and checks the payload that is there', async () => {
  const world = new ApiWorld();
  await world.create({ jobId: 'a', payload: { text: '{{ run.day }}' } });
  expect(await world.patch('a', { templates: true })).toMatchObject({
    status: 200,
    body: { templates: true },
  });
  expect(await world.jobRow('a')).toMatchObject({ templates: true });
  const broken = await world.patch('a', { payload: { text: '{{ run.dya }}' } });
  expect(broken.status).toBe(400);
  expect(broken.body.errors).toEqual([
    { path: 'payload.text', message: '{{ run.dya }}: run has no field "dya"; did you mean "day"?' },
  ]);
  expect(await world.patch('a', { templates: null })).toMatchObject({ body: { templates: false } });
  expect((await world.patch('a', { payload: { text: '{{ run.dya }}' } })).status).toBe(200);
});

it('accepts templates in payload, header values, path and query', async () => {
  const world = new ApiWorld();
  const target = http({
    url: 'https://example.com/days/{{ run.day }}?from={{ run.previousDueAt | default(run.dueAt) | epoch }}',
    headers: { 'x-run': "{{ run.dueAt | date('yyyy') }}" },
  });
  const created = await world.create(templated({ target, payload: ['{{ run }}', '{{{{ text'] }));
  expect(created).toMatchObject({ status: 201, body: { target, templates: true } });
});

it.each([
  ['payload', { payload: { a: [0, '{{ run.id'] } }, 'payload.a.1', /has no "}}"/],
  ['secret in the payload', { payload: '{{ secrets.crm }}' }, 'payload', /no secret may stand here/],
  ['header', { target: http({ headers: { 'x-a': '{{ now }}' } }) }, 'target.headers.x-a', /no "now"/],
  [
    'unknown secret',
    { target: http({ headers: { 'x-a': '{{ secrets.crm }}' } }) },
    'target.headers.x-a',
    /there is no secret "crm"/,
  ],
  ['path', { target: http({ url: 'https://example.com/{{ run.idd }}' }) }, 'target.url', /did you mean "id"/],
  [
    'host',
    { target: http({ url: 'https://{{ run.id }}.example.com/' }) },
    'target.url',
    /path and query only/,
  ],
  [
    'port',
    { target: http({ url: 'https://example.com:{{ run.id }}/' }) },
    'target.url',
    /path and query only/,
  ],
  [
    'end of host',
    { target: http({ url: 'https://example.com{{ run.id }}' }) },
    'target.url',
    /path and query only/,
  ],
  ['whole URL', { target: http({ url: '{{ run.id }}' }) }, 'target.url', /path and query only/],
  [
    'user info',
    { target: http({ url: 'https://{{ run.id }}@example.com/' }) },
    'target.url',
    /path and query only/,
  ],
  ['dots', { target: http({ url: 'https://example.com/../{{ run.id }}' }) }, 'target.url', /segment/],
  ['policy', { target: http({ url: 'https://10.0.0.1/{{ run.id }}' }) }, 'target.url', /public address/],
])('rejects a fault in the %s with its path', async (_, fields, path, message) => {
  const world = new ApiWorld();
  const answered = await world.create(templated(fields));
  expect(answered.status).toBe(400);
  expect(paths(answered)).toEqual([path]);
  expect(answered.body.errors[0].message).toMatch(message);
});

it('a template in the path does not hide that a URL leads to this API', async () => {
  const world = new ApiWorld();
  const target = http({ url: 'https://api.example.com/v1/{{ run.id }}' });
  const answered = await world.create(templated({ target }), { headers: { host: 'api.example.com' } });
  expect(paths(answered)).toEqual(['target.url']);
});

it('the payload of a run is no template', async () => {
  const world = new ApiWorld();
  await world.create(templated({ jobId: 'a' }));
  const run = await world.post('a', 'run', { payload: '{{ run.' });
  expect(run.status).toBe(202);
});
