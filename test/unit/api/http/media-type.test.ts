import { ApiWorld } from '../world';

let world: ApiWorld;
beforeAll(async () => {
  world = new ApiWorld();
  await world.create({ jobId: 'a' });
});
const patch = (headers: Record<string, string>) => world.patch('a', { name: 'new' }, { headers });

test.each([
  'application/json-patch+json',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/octet-stream',
])('a patch of the type %s is 415, and names the one that is known', async (type) => {
  const { status, headers, body } = await patch({ 'Content-Type': type });
  expect([status, headers['accept-patch']]).toEqual([415, 'application/merge-patch+json']);
  expect(body.detail).toContain(type.split(';')[0]);
});

test.each([
  {},
  { 'Content-Type': 'application/merge-patch+json' },
  { 'Content-Type': 'Application/JSON; charset=utf-8' },
  { 'Content-Type': 'application/x-www-form-urlencoded' },
  { 'Content-Encoding': 'identity' },
])('a patch with %j is a merge patch', async (headers) => {
  expect((await patch(headers as Record<string, string>)).status).toBe(200);
});

test.each(['gzip', 'br', 'deflate, gzip', 'identity, gzip'])('a body in %s is 415', async (encoding) => {
  const { status, headers, body } = await patch({ 'Content-Encoding': encoding });
  expect([status, headers['accept-encoding']]).toEqual([415, 'identity']);
  expect(body.detail).toContain(JSON.stringify(encoding));
});

test('a request without a body may say anything of its encoding', async () => {
  expect((await world.get('a', { headers: { 'Content-Encoding': 'gzip' } })).status).toBe(200);
});
