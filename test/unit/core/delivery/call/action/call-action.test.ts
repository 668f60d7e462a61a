import { buffer } from 'node:stream/consumers';

import type { AllowedAction } from '../../../../../../lambdas/core/contracts/allowed-actions';
import type { SessionRight } from '../../../../../../lambdas/core/contracts/session-rights';
import { callerOf } from '../../../../../../lambdas/core/delivery/call/call-target';
import { serviceUrl } from '../../../../../../lambdas/core/delivery/call/action/call-action';
import type { ActionTarget } from '../../../../../../lambdas/core/domain/target';
import { AWS_POLICY } from '../../../../../support/aws-policy';
import { listenOnLoopback, type LoopbackServer } from '../../../../../support/loopback-server';
import { noSecrets } from '../../../../../support/surroundings';
import { hasSignature, type SignedRequest } from '../../../../../support/verify-signature';

const NOW_MS = Date.UTC(2026, 10, 29, 12);
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const credentials = {
  ...{ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET, sessionToken: 'session' },
  expiration: new Date(NOW_MS + 3_600_000),
};
const STREAM = 'arn:aws:kinesis:eu-central-1:111122223333:stream/orders';
const ROLE = 'arn:aws:iam::111122223333:role/etl';
const put: ActionTarget = {
  type: 'aws',
  action: 'kinesis:PutRecord',
  input: { StreamName: 'orders', PartitionKey: 'a', Data: 'hi' },
};
const run: ActionTarget = {
  type: 'aws',
  action: 'emrserverless:StartJobRun',
  input: { applicationId: 'app 1', executionRoleArn: ROLE },
};
const ALLOWED: readonly AllowedAction[] = [
  { action: put.action, resources: [STREAM] },
  { action: run.action, resources: ['*'], passRoles: [ROLE] },
  { action: 'ec2:StopInstances', resources: ['*'] },
  { action: 'sfn:StartSyncExecution', resources: ['*'] },
];

let server: LoopbackServer;
let calls: SignedRequest[];
let answer: { status: number; headers?: Record<string, string>; body: string };
let asked: [project: string, rights: readonly SessionRight[]][];
beforeEach(async () => {
  calls = [];
  asked = [];
  answer = { status: 200, body: '{"ShardId":"0"}' };
  server = await listenOnLoopback((request, response) => {
    void buffer(request).then((body) => {
      calls.push({ method: request.method!, url: request.url!, headers: request.headers, body });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
});
afterEach(() => server.stop());

function call(
  target: ActionTarget,
  { project = 'shop', id = 'id-1', keepsOutput = false, hasRole = true } = {},
) {
  const invoke = callerOf({
    http: { policy: 'public', nowMs: () => NOW_MS },
    secrets: noSecrets,
    aws: { ...AWS_POLICY, actions: { ...AWS_POLICY.actions!, allowed: { shop: ALLOWED } } },
    actions: {
      endpoint: server.url,
      boundRoleFor(of, rights) {
        asked.push([of, rights]);
        return hasRole ? { id: 'Actions', credentials: async () => credentials } : undefined;
      },
    },
  });
  const body = Buffer.from('{}');
  const headers = { 'webhook-id': id };
  return invoke(
    target,
    { project, body, headers, ...(keepsOutput && { keepsOutput: true as const }) },
    new AbortController().signal,
  );
}

test('the service gets the call as its client would write it, with a signature of the session', async () => {
  expect(await call(put)).toEqual({ outcome: 'succeeded', statusCode: 200, body: '{"ShardId":"0"}' });
  const [sent] = calls;
  expect(sent).toMatchObject({ method: 'POST', url: '/' });
  expect(sent!.headers).toMatchObject({
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'Kinesis_20131202.PutRecord',
    'x-amz-security-token': 'session',
    authorization: expect.stringContaining('/20261129/eu-central-1/kinesis/aws4_request'),
  });
  expect(JSON.parse(sent!.body.toString())).toEqual({ ...put.input, Data: 'aGk=' });
  expect(hasSignature(sent!, SECRET)).toBe(true);
});

test('the session may do this action with these resources, and nothing else', async () => {
  await call(put);
  await call(run);
  expect(asked).toEqual([
    ['shop', [{ actions: ['kinesis:PutRecord'], resources: [STREAM] }]],
    [
      'shop',
      [
        { actions: ['emr-serverless:StartJobRun'], resources: ['*'] },
        { actions: ['iam:PassRole'], resources: [ROLE] },
      ],
    ],
  ]);
});

test('all attempts have one token of idempotency, and each execution has its own', async () => {
  for (const id of ['id-1', 'id-1', 'id-2']) await call(run, { id });
  const tokens = calls.map(
    ({ body }) => (JSON.parse(body.toString()) as { clientToken: string }).clientToken,
  );
  expect(tokens[0]).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(tokens[1]).toBe(tokens[0]);
  expect(tokens[2]).not.toBe(tokens[0]);
  expect(calls[0]!.url).toBe('/applications/app%201/jobruns');
  expect(hasSignature(calls[0]!, SECRET)).toBe(true);
});

test('where all services are at one endpoint, none has a name in front of it', async () => {
  const target = {
    ...put,
    action: 'sfn:StartSyncExecution',
    input: { stateMachineArn: 'arn:aws:states:eu-central-1:111122223333:express:a:b' },
  };
  expect(await call(target)).toMatchObject({ outcome: 'succeeded' });
  expect(calls[0]!.headers['x-amz-target']).toBe('AWSStepFunctions.StartSyncExecution');
});

test.each<[string, string, string | undefined]>([
  ['kinesis:PutRecord', 'https://kinesis.eu-central-1.amazonaws.com', undefined],
  ['kinesis:PutRecord', 'https://kinesis.cn-north-1.amazonaws.com.cn', 'cn-north-1'],
  ['sesv2:SendEmail', 'https://email.us-west-2.amazonaws.com', 'us-west-2'],
])('%s is called at %s', (action, url, region = 'eu-central-1') => {
  const service = AWS_POLICY.actions!.of(action.split(':')[0]!)!;
  expect(serviceUrl(service, region)).toBe(url);
});

test('an output is what the service answers, up to 32 KB', async () => {
  expect(await call(put, { keepsOutput: true })).toMatchObject({ output: { json: '{"ShardId":"0"}' } });
  answer = { status: 200, body: JSON.stringify('x'.repeat(40_000)) };
  expect(await call(put, { keepsOutput: true })).toMatchObject({ output: 'too-large' });
});

test.each<[string, typeof answer, string, string]>([
  [
    'a limit of throughput',
    {
      status: 400,
      body: '{"__type":"com.amazonaws.kinesis#ProvisionedThroughputExceededException","message":"slow"}',
    },
    'retriable',
    'ProvisionedThroughputExceededException: slow',
  ],
  [
    'a limit of requests in XML',
    {
      status: 503,
      body: '<Response><Errors><Error><Code>RequestLimitExceeded</Code><Message>a &lt; b</Message></Error></Errors></Response>',
    },
    'retriable',
    'RequestLimitExceeded: a < b',
  ],
  [
    'a code in a header',
    {
      status: 400,
      headers: { 'x-amzn-errortype': 'ValidationException:http://x/' },
      body: '{"Message":"no"}',
    },
    'fatal',
    'ValidationException: no',
  ],
  [
    'a transaction that is under way',
    { status: 400, body: '{"__type":"TransactionInProgressException"}' },
    'retriable',
    'TransactionInProgressException: answered 400',
  ],
  ['a fault', { status: 500, body: '' }, 'retriable', 'ServiceError: answered 500'],
  [
    'a refusal',
    { status: 403, body: '{"__type":"AccessDeniedException","message":"no"}' },
    'fatal',
    'AccessDeniedException: no',
  ],
])('%s', async (_, given, outcome, error) => {
  answer = given;
  expect(await call(put)).toMatchObject({ outcome, error, statusCode: given.status });
});

test('a wait that the service asks for is kept', async () => {
  answer = { status: 429, headers: { 'retry-after': '7' }, body: '{"__type":"TooManyRequestsException"}' };
  expect(await call(put)).toMatchObject({ outcome: 'retriable', retryAfterMs: 7_000 });
});

/* Attack 14 of the design: a project calls what it may not, or under a role that reads all tables. */
describe('nothing is sent', () => {
  afterEach(() => expect(calls).toEqual([]));

  test.each<[string, ActionTarget, object, object]>([
    [
      'for a project that may not',
      put,
      { project: 'bank' },
      { reason: 'blocked-target', error: /allowedActions/ },
    ],
    [
      'for an action that is not allowed',
      { ...put, action: 'kinesis:DeleteStream' },
      {},
      { reason: 'blocked-target', error: /is not among the actions/ },
    ],
    [
      'without a role for actions',
      put,
      { hasRole: false },
      { reason: 'blocked-target', error: /has no role/ },
    ],
    [
      'with a role that must not be passed on',
      { ...run, input: { ...run.input, executionRoleArn: `${ROLE}-admin` } },
      {},
      { reason: 'bad-input', error: /^target\.input\.executionRoleArn .* must not be passed on/ },
    ],
    [
      'with an input that does not fit once it is rendered',
      { ...put, input: { ...put.input, PartitionKey: 7 } },
      {},
      { reason: 'bad-input', error: /^target\.input\.PartitionKey must be a text/ },
    ],
  ])('%s', async (_, target, given, { error, ...expected }: { error?: RegExp }) => {
    const result = await call(target, given);
    expect(result).toMatchObject({ outcome: 'fatal', ...expected });
    expect(result.error).toMatch(error!);
  });
});
