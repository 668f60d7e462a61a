import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';

import { makeIdentity } from '../../../bench/support/certificate';

const NOW_MS = Date.UTC(2026, 10, 23);
const { key, cert, ca } = makeIdentity(NOW_MS);

test('the certificate is signed by the authority, and the authority by itself', () => {
  const [server, authority] = [cert, ca].map((pem) => new X509Certificate(pem));
  expect(authority!.ca).toBe(true);
  expect(authority!.verify(authority!.publicKey)).toBe(true);
  expect(server!.verify(authority!.publicKey)).toBe(true);
  expect(server!.checkIssued(authority!)).toBe(true);
  expect(server!.subjectAltName).toBe('IP Address:127.0.0.1');
  expect([server!.validFrom, server!.validTo].map((text) => new Date(text).toISOString())).toEqual([
    '2026-11-22T00:00:00.000Z',
    '2026-11-24T00:00:00.000Z',
  ]);
});

test('a client that trusts the authority connects, and another one does not', async () => {
  const today = makeIdentity(Date.now());
  const server = createServer({ key: today.key, cert: today.cert }, (socket) => socket.end());
  server.on('tlsClientError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (trusted: string): Promise<boolean> => {
    const socket: TLSSocket = connect({ host: '127.0.0.1', port, ca: trusted });
    try {
      await once(socket, 'secureConnect');
      return socket.authorized;
    } finally {
      socket.destroy();
    }
  };
  expect(await open(today.ca)).toBe(true);
  await expect(open(ca)).rejects.toMatchObject({ code: expect.stringMatching(/VERIFY|SIGNATURE|CERT/) });
  expect(key).toContain('PRIVATE KEY');
  server.close();
});
