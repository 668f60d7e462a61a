import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';

import { makeIdentity } from '../../bench/support/certificate';
import { apiCaller } from '../support/api-caller';
import { eventually } from '../support/eventually';
import { type RunningSystem, startSystem } from '../support/local-run';
import { listenOnLoopback } from '../support/loopback-server';
import { filesOf, runCommand } from '../support/programs';

let dataDir: string;
let system: RunningSystem;
let token: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'quarterjack-tls-'));
  system = await startSystem('--port', '0', '--data', dataDir);
  token = await system.token('alice', 'jobs:read jobs:write project:admin');
});
afterAll(async () => {
  await system?.end();
  rmSync(dataDir, { recursive: true, force: true });
});

const quarterjack = (args: string[], stdin?: string) =>
  runCommand(args, { QUARTERJACK_URL: system.url, QUARTERJACK_TOKEN: token }, stdin);

/** Runs a job at once, and gives its execution when it has ended. */
async function ended(jobId: string, target: object): Promise<Record<string, unknown>> {
  const api = apiCaller(system.url, token);
  const created = await api('POST', '/v1/jobs', {
    ...{ jobId, schedule: { type: 'delay', delay: '1h' }, retry: { maxAttempts: 1 } },
    target: { type: 'http', ...target },
  });
  expect([created.status, created.body]).toEqual([201, expect.anything()]);
  const { execId } = (await api('POST', `/v1/jobs/${jobId}/run`)).body as { execId: string };
  return eventually(
    async () => (await api('GET', `/v1/jobs/${jobId}/executions/${execId}`)).body as Record<string, unknown>,
    ({ status }) => status === 'succeeded' || status === 'failed',
  );
}

test('a handshake proves the client of a job, and nothing of its key is kept', async () => {
  const [server, client] = [makeIdentity(Date.now()), makeIdentity(Date.now())];
  const proved: string[] = [];
  const bank = await listenOnLoopback(
    (request, response) => {
      proved.push((request.socket as TLSSocket).getPeerCertificate().fingerprint256);
      response.end('paid');
    },
    { identity: server, clients: client.ca },
  );
  const set = (name: string, value: string) =>
    quarterjack(['secrets', 'set', name, '--pem', '--host', '127.0.0.1'], value);
  for (const [name, value] of Object.entries({ cert: client.cert, key: client.key, ca: server.ca }))
    expect((await set(name, value)).stderr).toBe('');
  expect((await quarterjack(['secrets', 'list'])).stdout).toMatch(/^cert +pem until \d{4}-\d\d-\d\d/m);

  const tls = { certificate: '{{ secrets.cert }}', key: '{{ secrets.key }}', ca: '{{ secrets.ca }}' };
  const paid = await ended('pay', { url: `${bank.url}/pay`, tls });
  expect(paid).toMatchObject({
    status: 'succeeded',
    attempts: [{ statusCode: 200 }],
    result: { body: 'paid' },
  });
  const unproved = await ended('pay-unproved', { url: bank.url, tls: { ca: tls.ca } });
  expect(unproved).toMatchObject({ status: 'failed', attempts: [{ error: expect.any(String) }] });
  const distrusted = await ended('pay-distrusted', { url: bank.url });
  expect(distrusted).toMatchObject({
    status: 'failed',
    attempts: [{ error: expect.stringMatching(/CERT/) }],
  });
  expect(proved).toEqual([new X509Certificate(client.cert).fingerprint256]);

  const line = client.key.split('\n')[5]!;
  const kept = filesOf(dataDir).filter((path) => readFileSync(path, 'latin1').includes(line));
  expect([kept, JSON.stringify([paid, unproved]).includes(line), system.denials()]).toEqual([[], false, []]);
  bank.stop();
});
