import { synthesize } from '../../../local/template/synthesize';
import { Host } from '../../support/local/host';
import { SEVERAL_PROJECTS, SHOP } from '../../support/local/several-projects';

let host: Host;
let assembly: string;

beforeAll(async () => {
  assembly = await synthesize({ settings: SEVERAL_PROJECTS });
  host = await Host.start({ port: 0, dataDir: undefined, assembly });
});

afterAll(async () => {
  await host?.stop();
});

const preflight = (path: string, origin: string) =>
  host.fetch(path, {
    method: 'OPTIONS',
    headers: {
      ...{ origin, 'access-control-request-method': 'POST' },
      'access-control-request-headers': 'authorization',
    },
  });

const get = (path: string, origin: string) =>
  host.fetch(path, { headers: { authorization: `Bearer ${host.run.token}`, origin } });

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

test.each(['/v1/jobs', '/v1/work/claim', '/v1/health', '/nowhere'])(
  'a preflight of an allowed page to %s needs no token',
  async (path) => {
    const reply = await preflight(path, SHOP);
    expect(reply.status).toBe(204);
    expect(corsOf(reply)).toEqual({
      'access-control-allow-origin': SHOP,
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE',
      'access-control-allow-headers': expect.stringMatching(/^authorization,.*quarterjack-project/),
      'access-control-expose-headers': expect.stringContaining('etag'),
      'access-control-max-age': '3600',
    });
  },
);

test.each(['/v1/jobs', '/v1/jobs/none'])('an allowed page reads the response of %s', async (path) => {
  expect(corsOf(await get(path, SHOP))).toEqual({
    'access-control-allow-origin': SHOP,
    'access-control-expose-headers': expect.stringContaining('quarterjack-request-id'),
  });
});

test.each([`${SHOP}.evil.example`, 'http://shop.example.com', 'null'])(
  'a page of %s reads nothing',
  async (origin) => {
    expect(corsOf(await preflight('/v1/jobs', origin))).toEqual({});
    expect(corsOf(await get('/v1/jobs', origin))).toEqual({});
  },
);

test('an OPTIONS that is no preflight names the methods of a path', async () => {
  const reply = await host.fetch('/v1/jobs', { method: 'OPTIONS' });
  expect([reply.status, reply.headers.get('allow')]).toEqual([204, 'POST, GET, HEAD']);
  expect(reply.headers.get('quarterjack-request-id')).toBe(reply.headers.get('apigw-requestid'));
});
