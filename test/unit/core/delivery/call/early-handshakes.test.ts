import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer } from 'node:net';
import type * as NodeTls from 'node:tls';

import { makeIdentity, type ServerIdentity } from '../../../../../bench/support/certificate';
import { callerOf } from '../../../../../lambdas/core/delivery/call/call-target';
import { earlyConnections } from '../../../../../lambdas/core/delivery/call/early-connections';
import type { HttpTarget } from '../../../../../lambdas/core/domain/target';
import { AWS_POLICY } from '../../../../support/aws-policy';
import { noSecrets } from '../../../../support/surroundings';

const identity = makeIdentity(Date.now());
const stranger = makeIdentity(Date.now());
const mockTrusted = { ca: identity.ca };
jest.mock('node:tls', () => {
  const tls = jest.requireActual<typeof NodeTls>('node:tls');
  // Without options, it has the roots of the system: here one more.
  return { ...tls, createSecureContext: () => tls.createSecureContext(mockTrusted) };
});

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

const originAt = (port: number): string => `https://127.0.0.1:${port}`;

async function secureServer(given: ServerIdentity) {
  const seen: string[] = [];
  const offers = { ALPNProtocols: ['h2', 'http/1.1'] };
  const server = createServer({ key: given.key, cert: given.cert, ...offers }, (request, response) => {
    seen.push(`request ${request.url}`);
    response.end();
  });
  // A client that offers no protocol speaks HTTP/1.1.
  server.on('secureConnection', ({ alpnProtocol }) =>
    seen.push(`handshake for ${alpnProtocol || 'http/1.1'}`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { origin: originAt(port), port, seen, secured: () => once(server, 'secureConnection') };
}

let nowMs = 0;
const settings = { policy: 'loopback' as const, nowMs: () => nowMs };
const early = earlyConnections(settings);
const call = (origin: string) => {
  const target: HttpTarget = {
    type: 'http',
    url: `${origin}/hook`,
    method: 'POST',
    headers: {},
    timeout: '30s',
  };
  const delivery = { project: 'alice', body: Buffer.from('1'), headers: {} };
  const caller = callerOf({ http: settings, early, secrets: noSecrets, aws: AWS_POLICY });
  return caller(target, delivery, new AbortController().signal);
};

test('a handshake is over before the call, which makes none', async () => {
  const { origin, seen, secured } = await secureServer(identity);
  const securing = secured();
  early.connect('alice', origin);
  await securing;
  expect(seen).toEqual(['handshake for http/1.1']);
  expect(await call(origin)).toMatchObject({ outcome: 'succeeded' });
  expect(seen).toEqual(['handshake for http/1.1', 'request /hook']);
});

test('a request that waits for its handshake has left when that is over', async () => {
  const { port, seen } = await secureServer(identity);
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const gate = createTcpServer((socket) => {
    const behind = connectTcp(port, '127.0.0.1');
    for (const one of [socket, behind]) one.on('error', () => undefined);
    void opened.then(() => socket.pipe(behind).pipe(socket));
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  stops.push(() => void gate.close());
  const origin = originAt((gate.address() as AddressInfo).port);
  const connecting = once(gate, 'connection');
  early.connect('alice', origin);
  await connecting;
  const calling = call(origin);
  await new Promise(setImmediate);
  expect(seen).toEqual([]);
  nowMs = 400;
  open();
  expect(await calling).toMatchObject({ outcome: 'succeeded', sentAtMs: 400 });
});

test('a certificate that is not trusted fails the call, and nothing is sent', async () => {
  const { origin, seen } = await secureServer(stranger);
  early.connect('alice', origin);
  expect(await call(origin)).toMatchObject({
    outcome: 'retriable',
    error: expect.stringMatching(/CERT_|UNABLE_TO/),
  });
  expect(seen.filter((what) => what.startsWith('request'))).toEqual([]);
});
