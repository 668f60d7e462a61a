import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

import type { TargetResult } from '../../../../../lambdas/core/domain/target-result';
import type { AwsTarget } from '../../../../../lambdas/core/domain/target';
import { callerOf } from '../../../../../lambdas/core/delivery/call/call-target';
import { AWS_POLICY } from '../../../../support/aws-policy';
import { noSecrets } from '../../../../support/surroundings';
import { mockedClient } from '../../../../support/mocked-client';

const HERE = 'eu-central-1:111122223333';
const TARGETS = {
  lambda: { type: 'lambda', functionArn: `arn:aws:lambda:${HERE}:function:target-f` },
  sqs: { type: 'sqs', queueUrl: 'https://sqs.eu-central-1.amazonaws.com/111122223333/target-q' },
  sns: { type: 'sns', topicArn: `arn:aws:sns:${HERE}:target-t` },
  eventbridge: { type: 'eventbridge', eventBusName: 'target-b', source: 'shop', detailType: 'Order' },
  stepfunctions: { type: 'stepfunctions', stateMachineArn: `arn:aws:states:${HERE}:stateMachine:target-m` },
} satisfies Record<string, AwsTarget>;

const clients = {
  lambda: mockedClient(LambdaClient),
  sqs: mockedClient(SQSClient),
  sns: mockedClient(SNSClient),
  eventbridge: mockedClient(EventBridgeClient),
  stepfunctions: mockedClient(SFNClient),
};
beforeEach(() => Object.values(clients).forEach((client) => client.reset()));

const IDS = {
  'quarterjack-project': 'billing',
  'webhook-id': 'f00d',
  'quarterjack-job': 'report',
  'quarterjack-execution': '20261201T083000.000Z',
  'quarterjack-attempt': '2',
  'quarterjack-fence': '3',
  'quarterjack-due': '2026-12-01T08:30:00.000Z',
  'quarterjack-hop': '1',
  traceparent: '00-1-2-01',
};
const { 'quarterjack-project': _, ...sent } = IDS;
const headers = {
  ...sent,
  'webhook-signature': 'v1,secret',
  'quarterjack-callback': 'https://api/v1/attempts',
  'quarterjack-token': 'token',
};
interface Client {
  config: { credentials(): Promise<object> };
}
const NOTHING = Symbol('no payload');
const deliveryOf = (payload: unknown, project = 'billing') => ({
  project,
  body: Buffer.from(payload === NOTHING ? '' : JSON.stringify(payload)),
  headers,
});
const settingsOf = (aws = AWS_POLICY) => ({
  http: { policy: 'public' as const, nowMs: () => 0 },
  secrets: noSecrets,
  aws,
});
const call = (target: AwsTarget, payload: unknown = { a: 1 }, policy = AWS_POLICY): Promise<TargetResult> =>
  callerOf(settingsOf(policy))(target, deliveryOf(payload), new AbortController().signal);

const ATTRIBUTES = Object.fromEntries(
  Object.entries(IDS).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
);
/** The SDK does not export its class for payloads. Only the bytes are read. */
const payloadOf = (text: string) => Buffer.from(text) as never;
const ok = { $metadata: { httpStatusCode: 200 } };

test('lambda, mode sync: the payload is the event, the ids are client context, the response is the result', async () => {
  clients.lambda
    .on(InvokeCommand)
    .resolves({ ...ok, StatusCode: 200, Payload: payloadOf('"x"'.padEnd(300)) });
  expect(await call(TARGETS.lambda)).toEqual({
    outcome: 'succeeded',
    statusCode: 200,
    body: '"x"'.padEnd(256),
  });
  const { input } = clients.lambda.commandCalls(InvokeCommand)[0]!.args[0];
  expect(input).toMatchObject({
    FunctionName: TARGETS.lambda.functionArn,
    InvocationType: 'RequestResponse',
  });
  expect(Buffer.from(input.Payload as Uint8Array).toString()).toBe('{"a":1}');
  const context = JSON.parse(Buffer.from(input.ClientContext!, 'base64').toString()) as unknown;
  const { 'webhook-signature': _signature, ...observed } = headers;
  expect(context).toEqual({ custom: { ...IDS, ...observed } });
});

test.each(['live', '7', '$LATEST'])('lambda: %s is called as a part of the ARN', async (qualifier) => {
  clients.lambda.on(InvokeCommand).resolves({ ...ok, StatusCode: 200 });
  const functionArn = `${TARGETS.lambda.functionArn}:${qualifier}`;
  expect(await call({ type: 'lambda', functionArn })).toMatchObject({ outcome: 'succeeded' });
  const { input } = clients.lambda.commandCalls(InvokeCommand)[0]!.args[0];
  expect(input).toMatchObject({ FunctionName: functionArn });
  expect(input).not.toHaveProperty('Qualifier');
});

test('lambda, mode async: the event has the callback and the token', async () => {
  clients.lambda.on(InvokeCommand).resolves({ StatusCode: 202 });
  expect(await call({ ...TARGETS.lambda, mode: 'async' })).toEqual({ outcome: 'accepted', statusCode: 202 });
  const { input } = clients.lambda.commandCalls(InvokeCommand)[0]!.args[0];
  expect(input.InvocationType).toBe('Event');
  expect(JSON.parse(Buffer.from(input.Payload as Uint8Array).toString())).toEqual({
    quarterjack: { ...IDS, callback: 'https://api/v1/attempts', token: 'token' },
    payload: { a: 1 },
  });
});

test('sqs: one message with the payload as body and the ids as attributes', async () => {
  clients.sqs.on(SendMessageCommand).resolves({ ...ok, MessageId: 'm-1' });
  expect(await call(TARGETS.sqs)).toEqual({ outcome: 'succeeded', statusCode: 200, body: 'm-1' });
  expect(clients.sqs.commandCalls(SendMessageCommand)[0]!.args[0].input).toEqual({
    QueueUrl: TARGETS.sqs.queueUrl,
    MessageBody: '{"a":1}',
    MessageAttributes: ATTRIBUTES,
  });
});

test('sqs, FIFO: one group for each job of each project, and an execution is delivered once', async () => {
  clients.sqs.on(SendMessageCommand).resolves(ok);
  await call({ type: 'sqs', queueUrl: `${TARGETS.sqs.queueUrl}.fifo` });
  expect(clients.sqs.commandCalls(SendMessageCommand)[0]!.args[0].input).toMatchObject({
    MessageGroupId: 'billing/report',
    MessageDeduplicationId: 'f00d',
  });
});

test('sns: one message with the payload as body and the ids as attributes', async () => {
  clients.sns.on(PublishCommand).resolves({ ...ok, MessageId: 'm-1' });
  expect(await call(TARGETS.sns)).toEqual({ outcome: 'succeeded', statusCode: 200, body: 'm-1' });
  expect(clients.sns.commandCalls(PublishCommand)[0]!.args[0].input).toEqual({
    TopicArn: TARGETS.sns.topicArn,
    Message: '{"a":1}',
    MessageAttributes: ATTRIBUTES,
  });
});

describe('eventbridge', () => {
  test('one event with the payload as detail and the ids as resources', async () => {
    clients.eventbridge.on(PutEventsCommand).resolves({ ...ok, Entries: [{ EventId: 'e-1' }] });
    expect(await call(TARGETS.eventbridge)).toEqual({ outcome: 'succeeded', statusCode: 200, body: 'e-1' });
    expect(clients.eventbridge.commandCalls(PutEventsCommand)[0]!.args[0].input.Entries).toEqual([
      {
        EventBusName: 'target-b',
        Source: 'shop',
        DetailType: 'Order',
        Detail: '{"a":1}',
        Resources: Object.entries(IDS).map(([name, value]) => `${name}=${value}`),
      },
    ]);
  });

  test.each([
    ['ThrottlingException', 'retriable'],
    ['InternalFailure', 'retriable'],
    ['NotAuthorizedForSourceException', 'fatal'],
  ])('an entry that failed inside a 200 response: %s is %s', async (ErrorCode, outcome) => {
    clients.eventbridge
      .on(PutEventsCommand)
      .resolves({ ...ok, FailedEntryCount: 1, Entries: [{ ErrorCode, ErrorMessage: 'no' }] });
    expect(await call(TARGETS.eventbridge)).toEqual({
      outcome,
      statusCode: 200,
      error: `${ErrorCode}: no`,
    });
  });

  test('a manual run with a payload that is no object is fatal, without a call', async () => {
    expect(await call(TARGETS.eventbridge, [1])).toMatchObject({ outcome: 'fatal' });
    expect(clients.eventbridge.calls()).toHaveLength(0);
  });
});

test('stepfunctions: the name of the execution is the id of the delivery', async () => {
  clients.stepfunctions.on(StartExecutionCommand).resolves({ ...ok, executionArn: 'arn' });
  expect(await call(TARGETS.stepfunctions)).toEqual({ outcome: 'succeeded', statusCode: 200, body: 'arn' });
  expect(clients.stepfunctions.commandCalls(StartExecutionCommand)[0]!.args[0].input).toEqual({
    stateMachineArn: TARGETS.stepfunctions.stateMachineArn,
    name: 'f00d',
    input: '{"a":1}',
  });
});

test('stepfunctions: an execution that an earlier attempt started is a success', async () => {
  const exists = Object.assign(new Error('exists'), {
    name: 'ExecutionAlreadyExists',
    $metadata: { httpStatusCode: 400 },
  });
  clients.stepfunctions.on(StartExecutionCommand).rejects(exists);
  expect(await call(TARGETS.stepfunctions)).toMatchObject({ outcome: 'succeeded' });
});

const FAILURES: [name: string, status: number | undefined, outcome: TargetResult['outcome']][] = [
  ['TooManyRequestsException', 429, 'retriable'],
  ['ThrottlingException', 400, 'retriable'],
  ['RequestThrottled', 403, 'retriable'],
  ['ExecutionLimitExceeded', 400, 'retriable'],
  ['ServiceException', 500, 'retriable'],
  ['ServiceUnavailable', 503, 'retriable'],
  ['ResourceConflictException', 409, 'retriable'],
  ['TimeoutError', undefined, 'retriable'],
  ['AccessDeniedException', 403, 'fatal'],
  ['ResourceNotFoundException', 404, 'fatal'],
  ['InvalidParameterValueException', 400, 'fatal'],
];

describe.each(Object.keys(TARGETS) as (keyof typeof TARGETS)[])('%s', (type) => {
  test.each(FAILURES)('%s, %s: %s', async (name, httpStatusCode, outcome) => {
    const error = Object.assign(new Error('no'), { name, $metadata: { httpStatusCode } });
    clients[type].rejects(error);
    expect(await call(TARGETS[type])).toEqual({ outcome, statusCode: httpStatusCode, error: `${name}: no` });
  });

  test('a missing payload is sent as an empty object', async () => {
    clients[type].resolves({ ...ok, StatusCode: 200, Entries: [{}] } as never);
    expect(await call(TARGETS[type], NOTHING)).toMatchObject({ outcome: 'succeeded' });
    const [sent] = clients[type].calls();
    const { Payload, ...input } = sent!.args[0].input as unknown as Record<string, unknown>;
    expect([JSON.stringify(input), Payload && Buffer.from(Payload as Buffer).toString()].join()).toContain(
      '{}',
    );
  });

  test('is called for the project that it is allowed to, and for no other', async () => {
    clients[type].resolves({ ...ok, StatusCode: 200, Entries: [{}] } as never);
    const policy = { ...AWS_POLICY, allowedArns: { billing: AWS_POLICY.allowedArns['*']!, other: [] } };
    expect(await call(TARGETS[type], {}, policy)).toMatchObject({ outcome: 'succeeded' });
    const { signal } = new AbortController();
    expect(await callerOf(settingsOf(policy))(TARGETS[type], deliveryOf({}, 'other'), signal)).toMatchObject({
      outcome: 'fatal',
      reason: 'blocked-target',
    });
    expect(clients[type].calls()).toHaveLength(1);
  });

  test('is called under the role of the project, or under none', async () => {
    clients[type].resolves({ ...ok, StatusCode: 200, Entries: [{}] } as never);
    const credentials = { accessKeyId: `${type}-key`, secretAccessKey: 's', sessionToken: 't' };
    const expiration = new Date(Date.now() + 3_600_000);
    const roleFor = (project: string) =>
      project === 'billing'
        ? { id: `role-of-${project}`, credentials: async () => ({ ...credentials, expiration }) }
        : undefined;
    const { signal } = new AbortController();
    for (const project of ['billing', 'other'])
      await callerOf({ ...settingsOf(), roleFor })(TARGETS[type], deliveryOf({}, project), signal);
    const [assumed, own] = clients[type].calls().map(({ thisValue }) => thisValue as Client);
    expect(assumed).not.toBe(own);
    expect(await assumed!.config.credentials()).toMatchObject(credentials);
  });

  test('is not called if the deployment no longer allows it', async () => {
    const result = await call(TARGETS[type], {}, { ...AWS_POLICY, allowedArns: {} });
    expect(result).toMatchObject({ outcome: 'fatal', reason: 'blocked-target' });
    expect(clients[type].calls()).toHaveLength(0);
  });
});
