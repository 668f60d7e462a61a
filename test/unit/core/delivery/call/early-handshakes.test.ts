import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
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

async function secureServer(given: ServerIdentity) {
  const seen: string[] = [];
  const server = createServer({ key: given.key, cert: given.cert }, (request, response) => {
    seen.push(`request ${request.url}`);
    response.end();
  });
  server.on('secureConnection', () => seen.push('handshake'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => void server.close());
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, seen, secured: () => once(server, 'secureConnection') };
}

const settings = { policy: 'loopback' as const, nowMs: () => 0 };
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
  expect(seen).toEqual(['handshake']);
  expect(await call(origin)).toMatchObject({ outcome: 'succeeded' });
  expect(seen).toEqual(['handshake', 'request /hook']);
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
