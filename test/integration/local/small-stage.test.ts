import { openIssuer } from '../../../local/issuer/issuer';
import { ISSUER_DIR } from '../../../local/machine/paths';
import type { ExternalRequest } from '../../../local/services/external-resources';
import { synthesize } from '../../../local/template/synthesize';
import { eventually } from '../../support/eventually';
import { Host } from '../../support/local/host';

const FUNCTIONS = 'arn:aws:lambda:us-east-1:000000000000:function:';

let host: Host;
let assembly: string;
let token: string;

beforeAll(async () => {
  assembly = await synthesize({ settings: { stage: 'small', allowedTargetArns: [`${FUNCTIONS}report-*`] } });
  host = await Host.start({ port: 0, dataDir: undefined, assembly });
  token = await (
    await openIssuer(ISSUER_DIR)
  ).token({
    ...{ user: 'alice', scope: 'jobs:read jobs:write admin' },
    ...{ ttlSec: 600, nowMs: Date.now() },
  });
});
afterAll(async () => {
  await host?.stop();
});

const request = async (method: string, path: string, body?: object): Promise<Response> =>
  host.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

test('in the stage small, short and long calls of all priorities fire', async () => {
  const jobs = [
    { jobId: 'report-highest', priority: 'highest' },
    { jobId: 'report-lowest', priority: 'lowest' },
    { jobId: 'report-long', timeout: '5m' },
  ];
  for (const job of jobs) {
    const { jobId } = job;
    const target = { type: 'lambda', functionArn: FUNCTIONS + jobId };
    const created = await request('POST', '/v1/jobs', {
      ...{ ...job, target, schedule: { type: 'delay', delay: '1s' } },
    });
    expect([jobId, created.status]).toEqual([jobId, 201]);
  }
  const called = await eventually(
    async () => ((await (await host.fetch('/_local/elsewhere')).json()) as { sent: ExternalRequest[] }).sent,
    (sent) => sent.length >= jobs.length,
  );
  expect(called.map(({ resource }) => resource.slice(FUNCTIONS.length)).toSorted()).toEqual(
    jobs.map(({ jobId }) => jobId).toSorted(),
  );
});

test('an operator sees each queue once', async () => {
  const status = (await (await request('GET', '/v1/admin/status')).json()) as {
    queues: { name: string }[];
  };
  expect(status.queues.map(({ name }) => name)).toEqual([
    ...['default/highest', 'default/long', 'scan', 'sweep'],
  ]);
});
