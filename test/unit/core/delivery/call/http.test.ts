import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

import { callHttp } from '../../../../../lambdas/core/delivery/call/http';
import type { Resolve } from '../../../../../lambdas/core/delivery/checked-lookup';
import type { HttpTarget } from '../../../../../lambdas/core/domain/target';

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

async function target(listener: RequestListener, path = '/hook'): Promise<HttpTarget> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return {
    type: 'http',
    url,
    method: 'POST',
    headers: { 'x-own': '1', 'webhook-id': 'forged' },
    timeout: '30s',
  };
}

const delivery = {
  body: Buffer.from('{"a":1}'),
  headers: { 'webhook-id': 'id-1', 'content-type': 'application/json' },
};
const settings = { policy: 'loopback' as const, nowMs: () => 0 };
const never = new AbortController().signal;

test('calls only hosts that the deployment allows', async () => {
  let calls = 0;
  const to = await target((_, response) => (calls++, response.end()));
  const only = (host: string) => callHttp(to, delivery, never, { ...settings, allowedHosts: [host] });
  expect(await only('example.com')).toMatchObject({
    outcome: 'fatal',
    reason: 'blocked-target',
    error: 'target.url must lead to a host that this deployment allows: example.com',
  });
  expect(calls).toBe(0);
  expect(await only('127.0.0.1')).toMatchObject({ outcome: 'succeeded' });
});

test('sends the exact bytes and the headers of the job; headers of the delivery win', async () => {
  let seen: { headers: IncomingMessage['headers']; body: string } | undefined;
  const to = await target((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      response.end('thanks');
    });
  });
  expect(await callHttp(to, delivery, never, settings)).toMatchObject({
    outcome: 'succeeded',
    statusCode: 200,
    body: 'thanks',
  });
  expect(seen).toMatchObject({
    body: '{"a":1}',
    headers: { 'x-own': '1', 'webhook-id': 'id-1', 'content-length': '7' },
  });
});

test.each([
  [204, 'succeeded'],
  [301, 'fatal'],
  [400, 'fatal'],
  [408, 'retriable'],
  [410, 'fatal'],
  [425, 'retriable'],
  [429, 'retriable'],
  [500, 'retriable'],
  [503, 'retriable'],
])('status %i is %s', async (status, outcome) => {
  const to = await target((_, response) =>
    response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(),
  );
  expect(await callHttp(to, delivery, never, settings)).toMatchObject({ outcome, statusCode: status });
});

test.each([
  [204, 'succeeded'],
  [302, 'fatal'],
  [408, 'fatal'],
  [409, 'retriable'],
  [429, 'fatal'],
  [503, 'retriable'],
])('with retry.on of 409 and 5xx, status %i is %s', async (status, outcome) => {
  const to = await target((_, response) => response.writeHead(status, { 'retry-after': '7' }).end());
  const retryOn = [409, '5xx' as const];
  expect(await callHttp(to, { ...delivery, retryOn }, never, settings)).toMatchObject({
    outcome,
    statusCode: status,
    retryAfterMs: 7_000,
  });
});

test.each([
  [503, 'unknown-job', { outcome: 'retriable', reason: 'unknown-job' }],
  [422, 'bad-payload', { outcome: 'fatal', reason: 'bad-payload' }],
  [422, 'unknown-job', { outcome: 'fatal', reason: 'unknown-job' }],
  [503, 'bad-payload', { outcome: 'retriable', reason: 'bad-payload' }],
  [503, 'blocked-target', { outcome: 'retriable', reason: undefined }],
  [503, 'Unknown-Job', { outcome: 'retriable', reason: undefined }],
  [422, 'bad-payload, unknown-job', { outcome: 'fatal', reason: undefined }],
  [200, 'bad-payload', { outcome: 'succeeded', reason: undefined }],
])('a %i with the reason %s', async (status, reason, expected) => {
  const to = await target((_, response) =>
    response.writeHead(status, { 'quarterjack-reason': reason }).end(),
  );
  const result = await callHttp(to, delivery, never, settings);
  expect({ outcome: result.outcome, reason: result.reason }).toEqual(expected);
});

test('with an empty retry.on, a status is fatal, and a network error is retriable', async () => {
  const none = { ...delivery, retryOn: [] };
  const failing = await target((_, response) => response.writeHead(500).end());
  expect(await callHttp(failing, none, never, settings)).toMatchObject({ outcome: 'fatal' });
  const silent = await target((request) => request.socket.destroy());
  expect(await callHttp(silent, none, never, settings)).toMatchObject({ outcome: 'retriable' });
});

test.each([
  [200, 'succeeded'],
  [202, 'accepted'],
  [204, 'succeeded'],
  [404, 'fatal'],
  [503, 'retriable'],
])('with mode async, status %i is %s', async (status, outcome) => {
  const to = await target((_, response) => response.writeHead(status).end());
  const answer = await callHttp({ ...to, mode: 'async' }, delivery, never, settings);
  expect(answer).toMatchObject({ outcome, statusCode: status });
  expect(answer.error === undefined).toBe(status < 300);
});

test.each([301, 302, 303, 307, 308])('a redirect is not followed: %i', async (status) => {
  let followed = 0;
  const elsewhere = await target((_, response) => (followed++, response.end()));
  const to = await target((_, response) => response.writeHead(status, { location: elsewhere.url }).end());
  expect(await callHttp(to, delivery, never, settings)).toMatchObject({
    outcome: 'fatal',
    statusCode: status,
  });
  for (const location of ['http://169.254.169.254/', 'file:///etc/passwd', to.url, '//x']) {
    const there = await target((_, response) => response.writeHead(status, { location }).end());
    expect(await callHttp(there, delivery, never, settings)).toMatchObject({ statusCode: status });
  }
  expect(followed).toBe(0);
});

test('a name that changes between two lookups is checked with the address of the connection', async () => {
  let calls = 0;
  const to = await target((_, response) => (calls++, response.end()));
  const answers = ['127.0.0.1', '10.0.0.1', '169.254.169.254'];
  let asked = 0;
  const resolve = async () => [{ address: answers[asked++ % answers.length]!, family: 4 }];
  const rebound = { ...to, url: to.url.replace('127.0.0.1', 'app.localhost') };
  const call = () => callHttp(rebound, delivery, never, { ...settings, resolve });
  expect(await call()).toMatchObject({ outcome: 'succeeded' });
  expect(await call()).toMatchObject({ outcome: 'fatal', reason: 'blocked-target' });
  expect(await call()).toMatchObject({ outcome: 'fatal', reason: 'blocked-target' });
  expect({ calls, asked }).toEqual({ calls: 1, asked: 3 });
});

test('an endless body is cut: 256 bytes of a success, 2 KB of a failure', async () => {
  const endless =
    (status: number): RequestListener =>
    (_, response) => {
      response.writeHead(status);
      const more = () => response.write('x'.repeat(1_000), () => response.destroyed || setImmediate(more));
      more();
    };
  expect((await callHttp(await target(endless(200)), delivery, never, settings)).body).toHaveLength(256);
  expect((await callHttp(await target(endless(500)), delivery, never, settings)).body).toHaveLength(2_048);
});

test('a call to a silent target ends with the signal, and is retriable', async () => {
  const stop = new AbortController();
  const to = await target(() => stop.abort());
  expect(await callHttp(to, delivery, stop.signal, settings)).toMatchObject({
    outcome: 'retriable',
    error: 'call aborted, phase: headers of the response',
  });
});

test('a refused connection is retriable', async () => {
  const to = { ...(await target(() => undefined)), url: 'http://127.0.0.1:1/' };
  expect(await callHttp(to, delivery, never, settings)).toMatchObject({
    outcome: 'retriable',
    error: expect.stringContaining('ECONNREFUSED'),
  });
});

test('the error names each address that was tried', async () => {
  const to = { ...(await target(() => undefined)), url: 'http://localhost:1/' };
  const resolve: Resolve = async () => [
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
  ];
  const { error } = await callHttp(to, delivery, never, { ...settings, resolve });
  expect(error).toContain('ECONNREFUSED 127.0.0.1:1');
  expect(error).toContain('ECONNREFUSED 127.0.0.2:1');
});

test('a target that the policy rejects is never called', async () => {
  let calls = 0;
  const to = await target((_, response) => (calls++, response.end()));
  const answer = await callHttp(to, delivery, never, { ...settings, policy: 'public' });
  expect(answer).toMatchObject({ outcome: 'fatal', reason: 'blocked-target' });
  expect(calls).toBe(0);
});

test('does not connect to a name that resolves to a private address at delivery', async () => {
  const to: HttpTarget = {
    type: 'http',
    url: 'https://rebound.example.com/',
    method: 'POST',
    headers: {},
    timeout: '1s',
  };
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  expect(await callHttp(to, delivery, never, { policy: 'public', nowMs: () => 0, resolve })).toMatchObject({
    outcome: 'fatal',
    reason: 'blocked-target',
  });
});

/**
 * Accepts no connection for 700 ms. While its queue of two is full, it drops the first packet of a new
 * connection. The client repeats that packet after a second.
 */
const FAR_AWAY = `
  const server = require('node:http').createServer((_, response) => response.end('from afar'));
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    process.send(server.address().port, () =>
      process.once('message', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)));
  });`;

test('an address that takes a second to connect is not given up for an address that cannot be reached', async () => {
  const child = spawn(process.execPath, ['-e', FAR_AWAY], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const fillers: Socket[] = [];
  try {
    const [port] = (await once(child, 'message')) as [number];
    child.send('stand still');
    for (let count = 0; count < 3; count++)
      fillers.push(connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(fillers.slice(0, 2).map((filler) => once(filler, 'connect')));
    const far: HttpTarget = {
      type: 'http',
      url: `http://localhost:${port}/`,
      method: 'POST',
      headers: {},
      timeout: '30s',
    };
    const resolve: Resolve = async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '2600:1f18::1', family: 6 },
    ];
    expect(await callHttp(far, delivery, never, { ...settings, resolve })).toMatchObject({
      outcome: 'succeeded',
      body: 'from afar',
    });
  } finally {
    for (const filler of fillers) filler.destroy();
    child.kill();
  }
});
