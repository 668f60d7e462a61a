import type { IncomingHttpHeaders } from 'node:http';

import { openIssuer } from '../../../local/issuer/issuer';
import { ISSUER_DIR } from '../../../local/machine/paths';
import { synthesize } from '../../../local/template/synthesize';
import { eventually } from '../../support/eventually';
import { Host } from '../../support/local/host';
import { SEVERAL_PROJECTS } from '../../support/local/several-projects';
import { listenOnLoopback, type LoopbackServer } from '../../support/loopback-server';

/* The policies of the template are enforced: the executor assumes the role for actions, under a policy. */

let host: Host;
let assembly: string;
let receiver: LoopbackServer;
let token: string;
const received: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  receiver = await listenOnLoopback((request, response) => {
    received.push(request.headers);
    response.end(JSON.stringify(request.headers));
  });
  assembly = await synthesize({ settings: SEVERAL_PROJECTS });
  host = await Host.start({ port: 0, dataDir: undefined, assembly });
  const issuer = await openIssuer(ISSUER_DIR);
  token = await issuer.token({
    ...{ user: 'carol', scope: 'jobs:read jobs:write', ttlSec: 600, nowMs: Date.now() },
  });
});

afterAll(async () => {
  receiver.stop();
  await host?.stop();
});

const call = async (method: string, path: string, body?: object) => {
  const response = await host.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- what it holds is what the tests are about
  return { status: response.status, body: (await response.json()) as any };
};
const job = (jobId: string, url: string) => ({
  ...{ jobId, schedule: { type: 'delay', delay: '1s' }, payload: { amount: 7 } },
  target: { type: 'http', url, auth: { type: 'aws', service: 'execute-api', region: 'us-east-1' } },
});

test('a delivery is signed under the role for actions, and its session is not kept', async () => {
  expect(await call('POST', '/v1/jobs', job('pay', `${receiver.url}/prod/pay`))).toMatchObject({
    status: 201,
  });
  const execution = await eventually(
    async () => (await call('GET', '/v1/jobs/pay/executions')).body.items?.[0],
    (one) => one?.status === 'succeeded' || one?.status === 'failed',
  );
  expect(execution.status).toBe('succeeded');
  const [headers] = received;
  expect(headers!.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=\w+\/\d{8}\/us-east-1\/execute-api\/aws4_request, SignedHeaders=/,
  );
  const session = String(headers!['x-amz-security-token']);
  expect(session.length).toBeGreaterThan(8);
  expect(JSON.stringify(execution)).not.toContain(session);
  const assumed = (await host.decisions()).filter(
    ({ action, resource, principal }) =>
      action === 'sts:AssumeRole' && resource.includes('Actions') && 'roleArn' in principal,
  );
  expect(assumed).toMatchObject([{ result: 'allowed' }]);
});

test('no signature goes to a stranger', async () => {
  const before = received.length;
  const { status, body } = await call(
    'POST',
    '/v1/jobs',
    job('steal', receiver.url.replace('127.0.0.1', 'localhost')),
  );
  expect([status, body.errors]).toMatchObject([400, [{ path: 'target.auth' }]]);
  expect(received).toHaveLength(before);
});
