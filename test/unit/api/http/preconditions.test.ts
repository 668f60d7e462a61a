import { ApiWorld } from '../world';

let world: ApiWorld;
let etag: string;
beforeEach(async () => {
  world = new ApiWorld();
  etag = (await world.create({ jobId: 'a' })).headers['etag']!;
});

const headers = (ifMatch?: string, ifNoneMatch?: string) => ({
  ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
  ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
});
const definition = { schedule: { type: 'none' }, target: { type: 'http', url: 'https://example.com/' } };
const CHANGES: [string, (given: Record<string, string>) => Promise<{ status: number }>][] = [
  ['PUT', (given) => world.call('PUT /v1/jobs/{jobId}', { jobId: 'a' }, definition, { headers: given })],
  ['PATCH', (given) => world.patch('a', { name: 'new' }, { headers: given })],
  ['pause', (given) => world.post('a', 'pause', undefined, { headers: given })],
  ['resume', (given) => world.post('a', 'resume', undefined, { headers: given })],
  ['DELETE', (given) => world.remove('a', { headers: given })],
];

describe.each(CHANGES)('%s', (_, change) => {
  it.each<[string, () => Record<string, string>]>([
    ['If-Match with another tag', () => headers('"other"')],
    ['If-Match with the tag as a weak one', () => headers(`W/${etag}`)],
    ['If-Match that is empty', () => headers('')],
    ['If-None-Match with *', () => headers(undefined, '*')],
    ['If-None-Match with the tag', () => headers(undefined, etag)],
    ['If-None-Match with the tag as a weak one', () => headers(undefined, `W/${etag}`)],
    ['If-None-Match with a list that has the tag', () => headers(undefined, `"x,y", ${etag}`)],
    ['an If-Match that holds and an If-None-Match that does not', () => headers(etag, '*')],
  ])('%s: 412, and nothing is changed', async (_title, given) => {
    expect((await change(given())).status).toBe(412);
    expect((await world.get('a')).headers['etag']).toBe(etag);
  });

  it.each<[string, () => Record<string, string>]>([
    ['If-Match with *', () => headers('*')],
    ['If-Match with a list that has the tag', () => headers(`"x,y",${etag} , W/"z"`)],
    ['If-None-Match with other tags', () => headers(undefined, '"x", W/"y"')],
    ['both, and both hold', () => headers(etag, '"x"')],
  ])('%s: the change is made', async (_title, given) => {
    expect((await change(given())).status).toBeLessThan(300);
  });
});

test.each<[string, () => Record<string, string>, number]>([
  ['the tag', () => headers(undefined, etag), 304],
  ['the tag as a weak one', () => headers(undefined, `W/${etag}`), 304],
  ['a list that has it', () => headers(undefined, `"x", ${etag}`), 304],
  ['*', () => headers(undefined, '*'), 304],
  ['another tag', () => headers(undefined, '"x"'), 200],
  ['an If-Match that holds', () => headers(etag), 200],
  ['an If-Match that does not hold, which comes first', () => headers('"x"', etag), 412],
  ['both hold', () => headers(etag, '"x"'), 200],
  ['an If-Match that holds, and the tag', () => headers('*', etag), 304],
])('GET with %s', async (_, given, status) => {
  const answered = await world.get('a', { headers: given() });
  expect(answered.status).toBe(status);
  if (status === 304) expect([answered.body, answered.headers['etag']]).toEqual([undefined, etag]);
});

test('a change of a job that does not exist is 404, whatever it requires', async () => {
  expect((await world.patch('b', { name: 'x' }, { headers: headers('*') })).status).toBe(404);
  expect((await world.remove('b', { headers: headers(undefined, '*') })).status).toBe(404);
});
