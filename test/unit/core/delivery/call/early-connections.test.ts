import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';

import { callerOf } from '../../../../../lambdas/core/delivery/call/call-target';
import { earlyConnections } from '../../../../../lambdas/core/delivery/call/early-connections';
import type { HttpSettings } from '../../../../../lambdas/core/delivery/call/http';
import type { HttpTarget } from '../../../../../lambdas/core/domain/target';
import { AWS_POLICY } from '../../../../support/aws-policy';
import { eventually } from '../../../../support/eventually';
import { noSecrets } from '../../../../support/surroundings';

const SETTINGS: HttpSettings = { policy: 'loopback', nowMs: () => 7 };
const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

const delivery = (project = 'alice') => ({
  ...{ project, body: Buffer.from('{"a":1}'), headers: { 'webhook-id': 'id-1' } },
});
const targetAt = (origin: string, path = '/hook?a=b'): HttpTarget => ({
  ...{ type: 'http', url: origin + path, method: 'PUT', headers: { 'x-own': '1' }, timeout: '30s' },
});

/** An executor as far as calls go. */
function executor(settings = SETTINGS) {
  const early = earlyConnections(settings);
  const call = callerOf({ http: settings, early, secrets: noSecrets, aws: AWS_POLICY });
  const never = new AbortController().signal;
  return {
    connect: early.connect,
    call: (target: HttpTarget, project?: string, signal = never) => call(target, delivery(project), signal),
  };
}

/** A server that counts its connections. */
async function server() {
  const requests: { request: IncomingMessage; body: string }[] = [];
  const sockets: Socket[] = [];
  const listening = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      requests.push({ request, body });
      response.end('thanks');
    });
  });
  listening.on('connection', (socket) => sockets.push(socket));
  return {
    ...(await originOf(listening)),
    requests,
    sockets,
    connected: () => once(listening, 'connection'),
  };
}

async function originOf(listening: Server) {
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  stops.push(() => void listening.close());
  return { origin: `http://127.0.0.1:${(listening.address() as AddressInfo).port}` };
}

test('a call sends all of its request on the connection that was made before it', async () => {
  const { origin, requests, sockets, connected } = await server();
  const { connect, call } = executor();
  const connecting = connected();
  const close = connect('alice', origin);
  await connecting;
  expect(requests).toEqual([]);
  expect(await call(targetAt(origin))).toMatchObject({ outcome: 'succeeded', body: 'thanks', sentAtMs: 7 });
  close();
  expect(sockets).toHaveLength(1);
  const { request, body } = requests[0]!;
  expect([request.method, request.url, body]).toEqual(['PUT', '/hook?a=b', '{"a":1}']);
  const host = origin.slice('http://'.length);
  expect(request.headers).toMatchObject({ host, 'x-own': '1', 'webhook-id': 'id-1', 'content-length': '7' });
});

test('a call does not wait for the connection to be there: it takes one that is being made', async () => {
  const { origin, sockets } = await server();
  const { connect, call } = executor();
  connect('alice', origin);
  expect(await call(targetAt(origin))).toMatchObject({ outcome: 'succeeded' });
  expect(sockets).toHaveLength(1);
});

test('of two calls, each has a connection of its own', async () => {
  const { origin, sockets } = await server();
  const { connect, call } = executor();
  connect('alice', origin);
  const results = await Promise.all([call(targetAt(origin)), call(targetAt(origin))]);
  expect(results.map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded']);
  expect(sockets).toHaveLength(2);
});

test('neither another origin nor another project has it, and what nothing takes is closed', async () => {
  const [one, other] = [await server(), await server()];
  const { connect, call } = executor();
  const connecting = one.connected();
  const close = connect('alice', one.origin);
  await connecting;
  expect(await call(targetAt(other.origin))).toMatchObject({ outcome: 'succeeded' });
  expect(await call(targetAt(one.origin), 'bob')).toMatchObject({ outcome: 'succeeded' });
  expect([one.sockets.length, other.sockets.length]).toEqual([2, 1]);
  const closed = once(one.sockets[0]!, 'close');
  close();
  await closed;
  expect(one.requests).toHaveLength(1);
});

test.each<[string, Partial<HttpSettings>]>([
  ['an address', { policy: 'public' }],
  ['a host', { allowedHosts: ['example.com'] }],
])('nothing connects to %s that the policy forbids', async (_what, settings) => {
  const { origin, sockets } = await server();
  const { connect, call } = executor({ ...SETTINGS, ...settings });
  connect('alice', origin);
  expect(await call(targetAt(origin))).toMatchObject({ outcome: 'fatal', reason: 'blocked-target' });
  const later = connectTcp(Number(new URL(origin).port), '127.0.0.1');
  await once(later, 'connect');
  const { localPort } = later;
  // A server has its connections in their order.
  await eventually(
    () => sockets.map(({ remotePort }) => remotePort),
    (ports) => ports.includes(localPort),
  );
  for (const socket of [later, ...sockets]) socket.destroy();
  expect(sockets).toHaveLength(1);
});

test('nothing connects to a name with an address that the policy forbids', async () => {
  const { origin, sockets } = await server();
  const named = origin
    .replace('127.0.0.1', 'example.com')
    .replace(/:\d+$/, ':8443')
    .replace('http:', 'https:');
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return [{ address: '127.0.0.1', family: 4 }];
  };
  const { connect, call } = executor({ ...SETTINGS, policy: 'public', resolve });
  connect('alice', named);
  await new Promise(setImmediate);
  expect(await call(targetAt(named))).toMatchObject({
    reason: 'blocked-target',
    error: expect.stringContaining('an address that the target policy does not allow'),
  });
  expect(asked.length).toBeGreaterThan(0);
  expect(sockets).toEqual([]);
});

test.each<[string, (socket: Socket) => void]>([
  ['closes', (socket) => socket.end()],
  ['resets', (socket) => socket.resetAndDestroy()],
  ['answers before anything was sent', (socket) => socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n')],
])('if the server %s, the call makes a connection of its own', async (_what, first) => {
  let connections = 0;
  let isGone = (): void => undefined;
  const gone = new Promise<void>((resolve) => (isGone = resolve));
  const listening = createTcpServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.once('close', isGone);
    if (connections === 1) return first(socket);
    socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'));
  });
  const { origin } = await originOf(listening);
  const { connect, call } = executor();
  connect('alice', origin);
  await gone;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await call(targetAt(origin))).toMatchObject({ outcome: 'succeeded', statusCode: 204 });
  expect(connections).toBe(2);
});

test('a connection that breaks under its request fails the call: nothing is sent a second time', async () => {
  const received: string[] = [];
  let connections = 0;
  const listening = createTcpServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received.push(data.toString());
      socket.resetAndDestroy();
    });
  });
  const { origin } = await originOf(listening);
  const { connect, call } = executor();
  const connecting = once(listening, 'connection');
  connect('alice', origin);
  await connecting;
  expect(await call(targetAt(origin))).toMatchObject({ outcome: 'retriable' });
  expect([connections, received.length]).toEqual([1, 1]);
  expect(received[0]).toMatch(/^PUT \/hook\?a=b HTTP\/1\.1\r\n/);
});

test('an address that changes after the check is not called, whatever was there before it', async () => {
  const { origin, requests, connected } = await server();
  const named = origin.replace('127.0.0.1', 'target.localhost');
  const addresses = ['127.0.0.1', '10.0.0.1'];
  const resolve = async () => [{ address: addresses.shift()!, family: 4 }];
  const { connect, call } = executor({ ...SETTINGS, resolve });
  const connecting = connected();
  connect('alice', named);
  await connecting;
  // The socket has the address that was checked, and asks for no other one.
  expect(await call(targetAt(named))).toMatchObject({ outcome: 'succeeded' });
  expect(addresses).toEqual(['10.0.0.1']);
  expect(await call(targetAt(named))).toMatchObject({ outcome: 'fatal', reason: 'blocked-target' });
  expect(requests).toHaveLength(1);
});

test('if nothing listens, the call says so', async () => {
  const listening = createTcpServer();
  const { origin } = await originOf(listening);
  listening.close();
  const { connect, call } = executor();
  connect('alice', origin);
  expect(await call(targetAt(origin))).toMatchObject({
    outcome: 'retriable',
    error: expect.stringContaining('ECONNREFUSED'),
  });
});

test('an aborted call says what it waited for, whatever was there before it', async () => {
  const listening = createTcpServer();
  const { origin } = await originOf(listening);
  const { connect, call } = executor();
  const connecting = once(listening, 'connection');
  connect('alice', origin);
  const [socket] = (await connecting) as [Socket];
  stops.push(() => socket.destroy());
  const abort = new AbortController();
  socket.once('data', () => abort.abort());
  expect(await call(targetAt(origin), 'alice', abort.signal)).toMatchObject({
    outcome: 'retriable',
    phase: 'headers of the response',
  });
});
