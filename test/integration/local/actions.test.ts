import { openIssuer } from '../../../local/issuer/issuer';
import { ISSUER_DIR } from '../../../local/machine/paths';
import type { ExternalRequest } from '../../../local/services/external-resources';
import { readAssembly } from '../../../local/template/assembly';
import { readStack } from '../../../local/template/read-stack';
import { synthesize } from '../../../local/template/synthesize';
import { eventually } from '../../support/eventually';
import { Host } from '../../support/local/host';
import { PASSED_ROLE as ROLE, SEVERAL_PROJECTS } from '../../support/local/several-projects';

/* Calls of targets of type `aws` end at a stand-in, and the policies of the template are enforced. */

const AWS = { region: 'us-east-1', accountId: '000000000000', apiUrl: 'http://127.0.0.1:1', awsUrl: '' };
const HERE = 'us-east-1:000000000000';

let host: Host;
let assembly: string;
let token: string;

beforeAll(async () => {
  assembly = await synthesize({ settings: SEVERAL_PROJECTS });
  host = await Host.start({ port: 0, dataDir: undefined, assembly });
  const issuer = await openIssuer(ISSUER_DIR);
  token = await issuer.token({
    ...{ user: 'carol', scope: 'jobs:read jobs:write', ttlSec: 600, nowMs: Date.now() },
  });
});

afterAll(async () => {
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
const sent = async (): Promise<ExternalRequest[]> =>
  ((await (await host.fetch('/_local/elsewhere')).json()) as { sent: ExternalRequest[] }).sent;

async function executed(jobId: string, action: string, input: object, fields: object = {}) {
  const target = { type: 'aws', action, input };
  const job = {
    jobId,
    schedule: { type: 'delay', delay: '1s' },
    retry: { maxAttempts: 1 },
    target,
    ...fields,
  };
  expect(await call('POST', '/v1/jobs', job)).toMatchObject({ status: 201 });
  const execution = await eventually(
    async () => (await call('GET', `/v1/jobs/${jobId}/executions`)).body.items?.[0],
    (one) => one?.status === 'succeeded' || one?.status === 'failed',
  );
  return (await call('GET', `/v1/jobs/${jobId}/executions/${execution.execId}`)).body;
}
const errorOf = (execution: { attempts: { error: string | null }[] }) => execution.attempts[0]?.error;

test.each<[string, object, unknown]>([
  [
    'kinesis:PutRecord',
    { StreamName: 'target-orders', PartitionKey: '{{ run.id }}', Data: 'hi' },
    { StreamName: 'target-orders', PartitionKey: expect.stringMatching(/^\S{10,}$/), Data: 'aGk=' },
  ],
  [
    'ec2:StopInstances',
    { InstanceIds: ['i-1'] },
    { Action: 'StopInstances', Version: '2016-11-15', 'InstanceId.1': 'i-1' },
  ],
  [
    'emrserverless:StartJobRun',
    { applicationId: 'app1', executionRoleArn: ROLE },
    { body: { clientToken: expect.stringMatching(/^[0-9a-f-]{36}$/), executionRoleArn: ROLE } },
  ],
  [
    'sfn:StartSyncExecution',
    { stateMachineArn: `arn:aws:states:${HERE}:stateMachine:flow` },
    { stateMachineArn: `arn:aws:states:${HERE}:stateMachine:flow` },
  ],
])('%s is listed as it arrived', async (action, input, expected) => {
  const jobId = action.replace(':', '-');
  const execution = await executed(jobId, action, input, { templates: true });
  expect([execution.status, errorOf(execution)]).toEqual(['succeeded', null]);
  expect((await sent()).find(({ resource }) => resource === action)).toMatchObject({
    request: { action, region: 'us-east-1', input: expected },
  });
});

test('all of them were made under the role for actions', async () => {
  const decisions = await host.decisions();
  const principals = decisions
    .filter(({ action }) => /^(?:kinesis|ec2|emr-serverless|iam):/.test(action))
    .map(({ principal }) => ('roleArn' in principal ? principal.roleArn : ''));
  expect(principals.length).toBeGreaterThan(3);
  for (const one of principals) expect(one).toMatch(/Actions/);
});

/* Attack 14 of the design. */
test.each<[string, string, object]>([
  [
    'a stream that is not allowed',
    'kinesis:PutRecord',
    { StreamName: 'other', PartitionKey: 'a', Data: 'x' },
  ],
  ['another application', 'emrserverless:StartJobRun', { applicationId: 'app2', executionRoleArn: ROLE }],
])('%s is refused by IAM', async (what, action, input) => {
  const execution = await executed(what.replaceAll(' ', '-'), action, input);
  expect([execution.status, errorOf(execution)]).toEqual([
    'failed',
    expect.stringMatching(/^AccessDeniedException: User: .*Actions.* is not authorized to perform/),
  ]);
});

test('a table of the deployment is refused, whatever the configuration allows', async () => {
  const own = readStack(readAssembly(assembly), AWS).tables[0]!.name;
  const execution = await executed('own', 'dynamodb:PutItem', { TableName: own, Item: { pk: { S: 'x' } } });
  expect([execution.status, errorOf(execution)]).toEqual([
    'failed',
    expect.stringMatching(/with an explicit deny in an identity-based policy/),
  ]);
});
