import { gunzipSync, gzipSync } from 'node:zlib';

import { systemClock } from '../../../lambdas/core/clock/system-clock';
import { collector } from '../../../lambdas/exporter/collector';
import { FakeClock } from '../../support/fake-clock';
import { listenOnLoopback, type LoopbackServer } from '../../support/loopback-server';

const BODY = gzipSync('{"resourceSpans":[]}');
const MEGABYTE = 1_000_000;

let server: LoopbackServer;
let seen: { path: string; headers: Record<string, unknown>; body: Buffer }[];

beforeAll(async () => {
  server = await listenOnLoopback((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      seen.push({ path: url, headers, body: Buffer.concat(chunks) });
      if (url.startsWith('/large')) return response.end('x'.repeat(MEGABYTE));
      if (url.startsWith('/moved')) return response.writeHead(307, { location: '/elsewhere' }).end();
      if (url.startsWith('/busy')) return response.writeHead(503, { 'retry-after': '7' }).end();
      return response.end('{}');
    });
  });
});
beforeEach(() => {
  seen = [];
});
afterAll(() => server.stop());

const post = (path: string, policy: 'public' | 'loopback' = 'loopback', headers = {}) =>
  collector(
    server.url + path,
    async () => headers,
    { policy, nowMs: () => systemClock.nowMs() },
    systemClock,
  )(BODY);

test('posts JSON in gzip below the base URL, with the headers of the operator', async () => {
  expect(await post('/base', 'loopback', { 'x-api-key': 'k1', 'content-type': 'text/plain' })).toEqual({
    ...{ status: 200, body: '{}', retryAfterMs: undefined },
  });
  const [{ path, headers, body } = seen[0]!] = seen;
  expect(path).toBe('/base/v1/traces');
  expect(headers).toMatchObject({
    ...{ 'x-api-key': 'k1', 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  expect(gunzipSync(body).toString()).toBe('{"resourceSpans":[]}');
});

test('reads 64 KB of an answer of a megabyte', async () => {
  expect((await post('/large')).body).toHaveLength(65_536);
});

test('follows no redirect', async () => {
  expect((await post('/moved')).status).toBe(307);
  expect(seen.map(({ path }) => path)).toEqual(['/moved/v1/traces']);
});

test('knows how long the collector asks to be left alone', async () => {
  expect(await post('/busy')).toMatchObject({ status: 503, retryAfterMs: 7_000 });
});

test('calls no address that no target may have', async () => {
  await expect(post('', 'public')).rejects.toThrow('otlp.endpoint');
  expect(seen).toEqual([]);
});

test('a collector that hangs is given up after 5 s', async () => {
  const hanging = await listenOnLoopback(() => undefined);
  const clock = new FakeClock();
  const settings = { policy: 'loopback', nowMs: () => clock.nowMs() } as const;
  const call = collector(hanging.url, async () => ({}), settings, clock)(BODY);
  await Promise.all([expect(call).rejects.toThrow('no answer within 5 s'), clock.advance(5_000)]);
  hanging.stop();
});
