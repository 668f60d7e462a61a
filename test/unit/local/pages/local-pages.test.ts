import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

import { listenerOf, localPages } from '../../../../local/pages/local-pages';
import { listenOnLoopback, type LoopbackServer } from '../../../support/loopback-server';

let server: LoopbackServer;
const acts: unknown[] = [];
const errors: string[] = [];

beforeAll(async () => {
  const data = {
    dashboard: () => ({ panels: [] }),
    events: () => ['of alice'],
    external: () => ['a token'],
    machines: {
      read: () => ({ executions: [] }),
      act: (body: unknown) => void acts.push(body),
    },
    keySet: () => ({ keys: [] }),
    metrics: () => 'x 1\n',
  };
  const pages = localPages(data, (line) => errors.push(line));
  server = await listenOnLoopback(
    listenerOf(
      pages,
      (_, response) => response.end('the sign-in'),
      (_, response) => response.end('the api'),
    ),
  );
});
afterAll(() => server.stop());

/** Like `curl -H 'Host: …'`, which is what a browser sends for a name that was rebound to this machine. */
async function get(path: string, host: string, method = 'GET') {
  const sent = request(server.url + path, { method, headers: { host } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status, headers } = response;
  return { status, location: headers.location, body: await text(response) };
}
const PAGES = [
  '',
  'machines',
  'machines.json',
  'machines.mjs',
  'events',
  'elsewhere',
  'metrics',
  'dashboard.json',
  'dashboard',
  'dashboard.mjs',
  'nothing',
];

describe.each(PAGES)('/_local/%s', (page) => {
  test.each([
    'evil.example',
    'evil.example:8787',
    'localhost.evil.example',
    '127.0.0.1.evil.example:80',
    '127.0.0.1@evil.example',
    '10.0.0.1:8787',
    '[::2]',
  ])('is refused under the name %j', async (host) => {
    const { status, body } = await get(`/_local/${page}`, host);
    expect(status).toBe(421);
    expect(body).not.toMatch(/alice|token|panels/);
  });

  test.each(['127.0.0.1:8787', '127.0.0.1', 'localhost:9000', 'LOCALHOST', '[::1]:8787'])(
    'is served under the name %s',
    async (host) => {
      const { status } = await get(`/_local/${page}`, host);
      expect(status).toBe(page === 'nothing' ? 404 : 200);
    },
  );
});

test('the API itself is for any name: it asks for a token', async () => {
  expect(await get('/v1/health', 'tunnel.example')).toMatchObject({ status: 200, body: 'the api' });
  expect(errors).toEqual([]);
});

describe('the list of the pages', () => {
  test('names every page that a person reads', async () => {
    const { body } = await get('/_local/', 'localhost');
    const links = [...body.matchAll(/href="(\/_local\/[a-z]+)"/g)].map(([, path]) => path!);
    expect(links.toSorted()).toEqual([
      '/_local/dashboard',
      '/_local/elsewhere',
      '/_local/events',
      '/_local/machines',
      '/_local/metrics',
    ]);
    for (const link of links) expect(await get(link, 'localhost')).toMatchObject({ status: 200 });
    expect((await get('/_local/nothing', 'localhost')).body).toContain('/_local/');
  });

  test.each(['/_local', '/_local?x=1'])('%s leads to it', async (path) => {
    expect(await get(path, '127.0.0.1:8787')).toMatchObject({ status: 302, location: '/_local/' });
    expect(await get(path, 'evil.example')).toMatchObject({ status: 421 });
  });

  test.each([
    ['/', 'GET'],
    ['/', 'POST'],
    ['/', 'HEAD'],
    ['/nothing', 'GET'],
    ['/v2', 'GET'],
    ['/_localhost', 'GET'],
  ])('%s %s is the API’s, as on AWS', async (path, method) => {
    const body = method === 'HEAD' ? '' : 'the api';
    expect(await get(path, 'localhost', method)).toMatchObject({ status: 200, body });
  });
});

describe('a button of a state machine', () => {
  const press = (headers: Record<string, string>, body = '{"arn":"a","act":"end well"}') =>
    fetch(`${server.url}/_local/machines/act`, { method: 'POST', headers, body });
  const JSON_TYPE = { 'content-type': 'application/json' };
  beforeEach(() => void (acts.length = 0));

  test('is pressed by a page of this machine', async () => {
    // The fake knows no execution.
    expect((await press({ ...JSON_TYPE, origin: server.url })).status).toBe(404);
    expect(acts).toEqual([{ arn: 'a', act: 'end well' }]);
  });

  test.each([
    ['another site', { ...JSON_TYPE, origin: 'https://evil.example' }],
    [
      'a site whose name begins with this machine’s',
      { ...JSON_TYPE, origin: 'http://localhost.evil.example' },
    ],
    ['a sandboxed page', { ...JSON_TYPE, origin: 'null' }],
    ['a form', { 'content-type': 'text/plain' }],
  ])('is not pressed by %s', async (_, headers) => {
    expect((await press(headers)).status).toBe(403);
    expect(acts).toEqual([]);
  });

  test('what is no JSON, or too long, presses nothing', async () => {
    expect((await press(JSON_TYPE, '{')).status).toBe(404);
    expect((await press(JSON_TYPE, JSON.stringify('x'.repeat(5_000)))).status).toBe(404);
    expect(acts.filter((body) => body !== undefined)).toEqual([]);
  });
});
