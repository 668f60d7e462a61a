import type { TLSSocket } from 'node:tls';

import { makeIdentity } from '../../../../../bench/support/certificate';
import { tlsAgents } from '../../../../../lambdas/core/delivery/call/tls-agents';
import type { OpenSecret } from '../../../../../lambdas/core/delivery/secrets/secret-values';
import { listenOnLoopback, type LoopbackServer } from '../../../../support/loopback-server';
import { aProcess } from '../../../../support/secret-calls';

const server = makeIdentity(Date.now());
const client = makeIdentity(Date.now());
const stranger = makeIdentity(Date.now());
const MINUTE_MS = 60_000;

/** Serial numbers of the certificates that clients have proved, one a request. */
let proved: string[];
let listening: LoopbackServer;
beforeEach(async () => {
  proved = [];
  listening = await listenOnLoopback(
    (request, response) => {
      proved.push((request.socket as TLSSocket).getPeerCertificate().serialNumber);
      response.end('ok');
    },
    { identity: server, clients: client.ca },
  );
});
afterEach(() => listening.stop());

const TLS = { certificate: '{{ secrets.cert }}', key: '{{ secrets.key }}', ca: '{{ secrets.ca }}' };

async function withPem(given: { cert?: string; key?: string; ca?: string } = {}) {
  const process = aProcess(listening.url);
  const { cert = client.cert, key = client.key, ca = server.ca } = given;
  const put = (name: string, value: string) => process.put(name, value, ['127.0.0.1'], 'pem');
  await put('cert', cert);
  await put('key', key);
  await put('ca', ca);
  return { ...process, putPem: put };
}

test('a call proves its client, and trusts the given authority', async () => {
  const { call } = await withPem();
  expect(await call({ tls: TLS })).toMatchObject({ outcome: 'succeeded', body: 'ok' });
  expect(proved).toEqual([expect.stringMatching(/^01/)]);
});

test('an authority counts for its own calls alone, and it replaces the public roots', async () => {
  const { call, putPem } = await withPem();
  expect(await call({ tls: TLS })).toMatchObject({ outcome: 'succeeded' });
  const { ca: _, ...withoutCa } = TLS;
  for (const tls of [withoutCa, undefined])
    expect(await call({ tls })).toMatchObject({
      outcome: 'retriable',
      error: expect.stringMatching(/CERT_|UNABLE_TO/),
    });
  await putPem('other', stranger.ca);
  const result = await call({ tls: { ...TLS, ca: '{{ secrets.other }}' } });
  expect(result).toMatchObject({ outcome: 'retriable' });
  expect(proved).toHaveLength(1);
});

test('a call without a certificate, or with a strange one, does not get through', async () => {
  const { call, putPem } = await withPem();
  expect(await call({ tls: { ca: TLS.ca } })).toMatchObject({ outcome: 'retriable' });
  await putPem('strange', stranger.cert + stranger.key);
  const strange = { ...TLS, certificate: '{{ secrets.strange }}', key: '{{ secrets.strange }}' };
  expect(await call({ tls: strange })).toMatchObject({ outcome: 'retriable' });
  expect(proved).toEqual([]);
});

test('a replaced certificate counts within a minute, without a session of the one before', async () => {
  const { call, putPem, clock } = await withPem({ cert: stranger.cert, key: stranger.key });
  expect(await call({ tls: TLS })).toMatchObject({ outcome: 'retriable' });
  await putPem('cert', client.cert);
  await putPem('key', client.key);
  await clock.advance(MINUTE_MS);
  expect(await call({ tls: TLS })).toMatchObject({ outcome: 'succeeded' });
  await putPem('cert', stranger.cert);
  await putPem('key', stranger.key);
  await clock.advance(MINUTE_MS);
  expect(await call({ tls: TLS })).toMatchObject({ outcome: 'retriable' });
  expect(proved).toHaveLength(1);
});

test('a removed key is used for a minute at most', async () => {
  const { call, remove, clock } = await withPem();
  expect(await call({ tls: TLS })).toMatchObject({ outcome: 'succeeded' });
  await remove('key');
  await clock.advance(MINUTE_MS);
  expect(await call({ tls: TLS })).toMatchObject({ outcome: 'fatal', reason: 'bad-input' });
  expect(proved).toHaveLength(1);
});

test('what cannot be a handshake is no call', async () => {
  const { call, putPem, put } = await withPem();
  await putPem('strange', stranger.key);
  expect(await call({ tls: { ...TLS, key: '{{ secrets.strange }}' } })).toMatchObject({
    reason: 'bad-input',
    error: 'the secrets of target.tls do not fit each other: ERR_OSSL_X509_KEY_VALUES_MISMATCH',
  });
  const plain = listening.url.replace('https:', 'http:');
  expect(await call({ url: plain, tls: TLS })).toMatchObject({
    reason: 'bad-input',
    error: 'tls needs a target.url that starts with https://',
  });
  await put('key', client.key, ['bank.example'], 'pem');
  // As it was read a moment ago.
  expect(await call({ tls: { ...TLS } })).toMatchObject({ outcome: 'succeeded' });
  expect(proved).toHaveLength(1);
});

test('a key goes to its hosts alone, and into no header', async () => {
  const { call, put } = await withPem();
  await put('far', client.key, ['bank.example'], 'pem');
  expect(await call({ tls: { ...TLS, key: '{{ secrets.far }}' } })).toMatchObject({
    reason: 'blocked-target',
    error: "the target's host is not one of the hosts of secret far",
  });
  expect(await call({ tls: TLS, headers: { 'x-key': '{{ secrets.key }}' } })).toMatchObject({
    reason: 'bad-input',
    error: 'secret key is of kind pem: only tls may name it',
  });
  expect(proved).toEqual([]);
});

describe('agents', () => {
  const open = (name: string, version = '1', keyVersion = 'k1'): OpenSecret => ({
    ...{ name, version, keyVersion, kind: 'pem', hosts: ['127.0.0.1'] },
    value: server.ca,
  });
  const of = (project: string, ca = open('ca')) => ({ project, ca });

  test('are kept by project and versions, and made anew for what is replaced or sealed anew', () => {
    const agents = tlsAgents();
    const first = agents(of('alice'));
    expect(agents(of('alice'))).toBe(first);
    expect(agents(of('bob'))).not.toBe(first);
    expect(agents(of('alice', open('ca', '2')))).not.toBe(first);
    expect(agents(of('alice'))).not.toBe(first); // the newer one has taken its place
    const before = agents(of('alice', open('ca', '2', 'k1')));
    expect(agents(of('alice', open('ca', '2', 'k2')))).not.toBe(before);
  });

  test('are fifty at most: the one that was used the longest time ago goes first', () => {
    const agents = tlsAgents();
    const [first, second] = [agents(of('p0')), agents(of('p1'))];
    for (let count = 2; count < 50; count++) agents(of(`p${count}`));
    expect(agents(of('p0'))).toBe(first);
    agents(of('p50'));
    expect(agents(of('p0'))).toBe(first);
    expect(agents(of('p1'))).not.toBe(second);
  });
});
