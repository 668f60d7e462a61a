import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

import { listenerOf, localPages } from '../../../../local/pages/local-pages';
import { listenOnLoopback, type LoopbackServer } from '../../../support/loopback-server';

let server: LoopbackServer;
const errors: string[] = [];

beforeAll(async () => {
  const data = { dashboard: () => ({ panels: [] }), events: () => ['of alice'], external: () => ['a token'] };
  const pages = localPages(data, (line) => errors.push(line));
  server = await listenOnLoopback(listenerOf(pages, (_, response) => response.end('the api')));
});
afterAll(() => server.stop());

/** Like `curl -H 'Host: …'`, which is what a browser sends for a name that was rebound to this machine. */
async function get(path: string, host: string): Promise<{ status: number; body: string }> {
  const sent = request(server.url + path, { headers: { host } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, body: await text(response) };
}
const PAGES = ['events', 'elsewhere', 'dashboard.json', 'dashboard', 'dashboard.mjs', 'nothing'];

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
  expect(await get('/v1/health', 'tunnel.example')).toEqual({ status: 200, body: 'the api' });
  expect(errors).toEqual([]);
});
