import { join } from 'node:path';

import { readAssembly } from '../../../../local/template/assembly';
import { readStack } from '../../../../local/template/read-stack';

const AWS = {
  region: 'us-east-1',
  accountId: '000000000000',
  apiUrl: 'http://127.0.0.1:1111',
  awsUrl: 'http://127.0.0.1:2222',
};

/** Reads the fixture's stack. With a path, that property of the resources is first set to `value`. */
function read(path?: string, value?: unknown) {
  const assembly = readAssembly(join(__dirname, '../../../support/local/assembly'));
  const names = path?.split('.') ?? [];
  const last = names.pop();
  if (last !== undefined) {
    const holder = names.reduce<unknown>(
      (at, name) => (at as Record<string, unknown>)[name],
      assembly.template.Resources,
    );
    (holder as Record<string, unknown>)[last] = value;
  }
  return readStack(assembly, AWS);
}

test('a stack becomes local names, ARNs and loopback URLs', () => {
  const stack = read();
  expect(stack.queues.map(({ name, arn, url }) => ({ name, arn, url }))).toContainEqual({
    name: 'Fixture-Queue',
    arn: 'arn:aws:sqs:us-east-1:000000000000:Fixture-Queue',
    url: 'http://127.0.0.1:2222/000000000000/Fixture-Queue',
  });
  const api = stack.functions.find(({ logicalId }) => logicalId === 'ApiFunction');
  expect(api?.environment).toMatchObject({
    QUEUE_URL: 'http://127.0.0.1:2222/000000000000/Fixture-Queue',
    TABLE: 'Fixture-Table',
    API_URL: 'http://127.0.0.1:1111/',
  });
  expect(api).toMatchObject({ timeoutSec: 2, roleArn: 'arn:aws:iam::000000000000:role/Fixture-ApiRole' });
  expect(stack.mappings).toMatchObject([{ batchSize: 10, maxConcurrency: 4, reportsItemFailures: true }]);
  expect(stack.httpApi.routes.find(({ routeKey }) => routeKey === 'GET /caller')).toMatchObject({
    authorizer: {
      functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Fixture-AuthorizerFunction',
      header: 'authorization',
      ttlSec: 60,
    },
  });
});

test('a variable with the path of a file of a layer has its path on this machine', () => {
  const assembly = readAssembly(join(__dirname, '../../../support/local/assembly'));
  const { ApiFunction } = assembly.template.Resources;
  const { S3Bucket, S3Key } = ApiFunction!.Properties.Code as { S3Bucket: string; S3Key: string };
  assembly.template.Resources.Layer = {
    Type: 'AWS::Lambda::LayerVersion',
    Properties: { Content: { S3Bucket, S3Key } },
  };
  ApiFunction!.Properties.Layers = [{ Ref: 'Layer' }];
  const { Variables } = ApiFunction!.Properties.Environment as { Variables: Record<string, string> };
  Object.assign(Variables, { FILE: '/opt/index.mjs', NO_FILE: '/opt/none.json' });
  const api = readStack(assembly, AWS).functions.find(({ logicalId }) => logicalId === 'ApiFunction');
  expect(api?.environment).toMatchObject({
    FILE: join(assembly.assetPath(S3Key), 'index.mjs'),
    NO_FILE: '/opt/none.json',
  });
});

test('a mapping keeps its provisioned pollers, and ten batches of each of them', () => {
  const pollers = { MinimumPollers: 3, MaximumPollers: 7 };
  expect(read('ConsumerMapping.Properties.ProvisionedPollerConfig', pollers).mappings).toMatchObject([
    { minPollers: 3, maxConcurrency: 70 },
  ]);
});

test('a queue keeps its attributes, and its dead-letter queue by ARN', () => {
  const queue = read().queues.find(({ logicalId }) => logicalId === 'Queue');
  expect(queue?.attributes).toEqual({
    VisibilityTimeout: '4',
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:Fixture-DeadLetters',
      maxReceiveCount: 2,
    }),
  });
});

test.each([
  [
    'resource type',
    'Bucket',
    { Type: 'AWS::S3::Bucket', Properties: {} },
    'Bucket: the local run does not support the resource type AWS::S3::Bucket',
  ],
  [
    'property that could change the behavior of the stack',
    'Queue.Properties.FifoQueue',
    true,
    'Queue (AWS::SQS::Queue): the local run does not support the property FifoQueue',
  ],
  [
    'attribute',
    'Tick.Properties.Target.Arn',
    { 'Fn::GetAtt': ['Ticker', 'Version'] },
    'Tick.Target.Arn: Fn::GetAtt names Ticker.Version, which the local run does not support',
  ],
  [
    'reference',
    'Tick.Properties.Target.Arn',
    { Ref: 'Missing' },
    'Tick.Target.Arn: Ref names Missing, for which the local run has no value',
  ],
  [
    'intrinsic, even in a resource without effect here',
    'TickRole.Properties.Path',
    { 'Fn::ImportValue': 'x' },
    'TickRole.Path: the local run does not support the intrinsic Fn::ImportValue',
  ],
  [
    'condition',
    'Queue.Condition',
    'Sometimes',
    'Queue: it has the condition Sometimes; the local run does not support conditions',
  ],
  [
    'value out of range',
    'Queue.Properties.VisibilityTimeout',
    43_201,
    'Queue (AWS::SQS::Queue): VisibilityTimeout: ',
  ],
  ['asset', 'Ticker.Properties.Code.S3Key', 'gone.zip', 'has no asset for gone.zip'],
  [
    'dead-letter queue',
    'Queue.Properties.RedrivePolicy.deadLetterTargetArn',
    'arn:aws:sqs:x',
    'Queue: its dead-letter queue arn:aws:sqs:x is not in the stack',
  ],
  [
    'permission to redrive',
    'DeadLetters.Properties.RedriveAllowPolicy',
    { redrivePermission: 'byQueue', sourceQueueArns: ['arn:aws:sqs:x'] },
    'DeadLetters: its RedriveAllowPolicy does not allow Queue',
  ],
  [
    'managed policy',
    'ApiRole.Properties.ManagedPolicyArns',
    ['arn:aws:iam::aws:policy/AdministratorAccess'],
    'ApiRole: the local run does not support policies outside the stack, such as arn:aws:iam::aws:policy/AdministratorAccess',
  ],
  [
    'condition operator',
    'TickRole.Properties.AssumeRolePolicyDocument.Statement.0.Condition',
    { IpAddress: { 'aws:SourceArn': '10.0.0.0/8' } },
    'TickRole: the local run does not support the condition operator IpAddress',
  ],
  [
    'function',
    'Tick.Properties.Target.Arn',
    'arn:aws:lambda:x',
    'Tick: it names arn:aws:lambda:x, which is not a function of the stack',
  ],
])('an unsupported or missing %s is an error that names it', (_, path, value, message) => {
  expect(() => read(path, value)).toThrow(message);
});

describe('a rule of the default bus', () => {
  const PATTERN = {
    source: ['aws.states'],
    'detail-type': ['Step Functions Execution Status Change'],
    detail: { name: [{ prefix: 'qj-' }], status: ['SUCCEEDED'] },
  };
  const queue = { Id: 'Queue', Arn: { 'Fn::GetAtt': ['Queue', 'Arn'] } };
  const rule = (properties: object) =>
    read('Rule', {
      Type: 'AWS::Events::Rule',
      Properties: { EventPattern: PATTERN, Targets: [queue], ...properties },
    });

  test('has queues of the stack as targets', () => {
    expect(rule({}).eventRules).toEqual([
      {
        logicalId: 'Rule',
        name: 'Fixture-Rule',
        arn: 'arn:aws:events:us-east-1:000000000000:rule/Fixture-Rule',
        enabled: true,
        pattern: PATTERN,
        queueArns: ['arn:aws:sqs:us-east-1:000000000000:Fixture-Queue'],
      },
    ]);
  });

  test.each([
    ['events that the local run does not make', { EventPattern: { ...PATTERN, source: ['aws.ec2'] } }],
    ['a further condition', { EventPattern: { ...PATTERN, account: ['000000000000'] } }],
    [
      'another filter',
      { EventPattern: { ...PATTERN, detail: { ...PATTERN.detail, name: [{ suffix: '-1' }] } } },
    ],
    ['a bus', { EventBusName: 'Fixture-Bus' }],
    ['a changed event', { Targets: [{ ...queue, InputPath: '$.detail' }] }],
    ['a target outside the stack', { Targets: [{ Id: 'F', Arn: 'arn:aws:lambda:us-east-1:0:function:f' }] }],
  ])('with %s is an error', (_, properties) => {
    expect(() => rule(properties)).toThrow(/Rule/);
  });
});
