import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { openIssuer } from '../../../local/issuer/issuer';
import { ISSUER_DIR } from '../../../local/machine/paths';
import { synthesize } from '../../../local/template/synthesize';
import { eventually } from '../../support/eventually';
import { Host } from '../../support/local/host';
import { INSIDE, METADATA, REBOUND, SEVERAL_PROJECTS } from '../../support/local/several-projects';

/*
 * A run with a pool in a VPC. It has no VPC, and applies the pool's rules. `inside` is an address in the
 * networks of the pool, which leads to no machine here. A rebound name is one that resolves to an address
 * outside them: that of this machine.
 */

let host: Host;
let assembly: string;
const tokens: Record<string, string> = {};
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(String(request.headers.host));
  response.end();
});

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  assembly = await synthesize({ settings: SEVERAL_PROJECTS });
  host = await Host.start({ port: 0, dataDir: undefined, assembly });
  const issuer = await openIssuer(ISSUER_DIR);
  for (const user of ['dave', 'bob'])
    tokens[user] = await issuer.token({
      ...{ user, scope: 'jobs:read jobs:write', ttlSec: 600, nowMs: Date.now() },
    });
});

afterAll(async () => {
  server.close();
  await host?.stop();
});

const call = async (user: string, method: string, path: string, body?: object) => {
  const response = await host.fetch(path, {
    method,
    headers: { authorization: `Bearer ${tokens[user]}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- what it holds is what the tests are about
  return { status: response.status, body: (await response.json()) as any };
};

const create = (jobId: string, url: string, pool: string | undefined, user = 'dave') =>
  call(user, 'POST', '/v1/jobs', {
    ...{ jobId, pool, schedule: { type: 'delay', delay: '1s' }, retry: { maxAttempts: 1 } },
    target: { type: 'http', url, timeout: '2s' },
  });

const ended = (jobId: string) =>
  eventually(
    async () => (await call('dave', 'GET', `/v1/jobs/${jobId}/executions`)).body.items?.[0],
    (execution) => ['succeeded', 'failed'].includes(execution?.status),
  );

test('a private host is dialled from its pool alone', async () => {
  const refused = await create('outside', `http://${INSIDE}:8080/`, undefined);
  expect(refused).toMatchObject({ status: 400 });
  expect(refused.body.errors).toContainEqual({
    path: 'pool',
    message: `must be a pool in a VPC, one of inner: ${INSIDE} is a private host`,
  });
  expect(await create('inside', `http://${INSIDE}:8080/`, 'inner')).toMatchObject({ status: 201 });
  // What answers there depends on the network: what counts is that a connection was tried.
  const execution = await ended('inside');
  expect(execution).toMatchObject({ status: 'failed', attempts: [{ error: expect.any(String) }] });
  expect(execution.reason).not.toBe('blocked-target');
});

test('metadata, an address of another network, and a host of another project are refused', async () => {
  for (const [user, url] of [
    ['dave', `http://${METADATA}/latest/meta-data/`],
    ['dave', 'http://10.1.2.3/'],
    ['bob', `http://${INSIDE}:8080/`],
  ] as const)
    expect(await create('refused', url, 'inner', user)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'target.url' }] },
    });
});

test('a private name that leads to this machine is not called', async () => {
  const { port } = server.address() as AddressInfo;
  const url = `http://${REBOUND}:${port}/`;
  expect(await create('rebound', url, 'inner')).toMatchObject({ status: 201 });
  expect(await ended('rebound')).toMatchObject({ status: 'failed', reason: 'blocked-target' });
  expect(asked).toEqual([]);
});
