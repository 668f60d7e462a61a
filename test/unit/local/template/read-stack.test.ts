import { join } from 'node:path';

import { type Assembly, readAssembly } from '../../../../local/template/assembly';
import { readStack } from '../../../../local/template/read-stack';

const PLACE = {
  region: 'us-east-1',
  accountId: '000000000000',
  apiUrl: 'http://127.0.0.1:1111',
  awsUrl: 'http://127.0.0.1:2222',
};

/** The fixture's assembly, with a change to its template. */
function assembly(
  change: (resources: Record<string, { Type: string; Properties: any }>) => void = () => undefined,
) {
  const fixture = readAssembly(join(__dirname, '../../../support/local/assembly'));
  change(fixture.template.Resources);
  return fixture;
}
const read = (from: Assembly = assembly()) => readStack(from, PLACE);

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
  expect(api).toMatchObject({ timeoutSec: 2, roleArn: 'arn:aws:iam::000000000000:role/Fixture-Role' });
  expect(stack.mappings).toMatchObject([{ batchSize: 10, maxConcurrency: 4, reportsItemFailures: true }]);
  expect(stack.httpApi.routes.find(({ routeKey }) => routeKey === 'GET /scoped')).toMatchObject({
    scopes: ['jobs:read'],
    authorizer: { issuer: 'https://issuer.quarterjack.local', audience: ['quarterjack'] },
  });
});

test('a queue keeps its attributes, and its dead-letter queue by ARN', () => {
  const queue = read().queues.find(({ logicalId }) => logicalId === 'Queue');
  expect(queue?.attributes).toEqual({
    VisibilityTimeout: '1',
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:Fixture-DeadLetters',
      maxReceiveCount: 2,
    }),
  });
});

test.each<[string, Parameters<typeof assembly>[0], string]>([
  [
    'resource type',
    (resources) => void (resources.Bucket = { Type: 'AWS::S3::Bucket', Properties: {} }),
    'Bucket: the local run does not know the resource type AWS::S3::Bucket',
  ],
  [
    'property that could change what the stack does',
    (resources) => void (resources.Queue!.Properties.FifoQueue = true),
    'Queue (AWS::SQS::Queue): the local run does not know the property FifoQueue',
  ],
  [
    'attribute',
    (resources) => void (resources.Tick!.Properties.Target.Arn = { 'Fn::GetAtt': ['Ticker', 'Version'] }),
    'Tick.Target.Arn: Fn::GetAtt names Ticker.Version, which the local run does not know',
  ],
  [
    'reference',
    (resources) => void (resources.Tick!.Properties.Target.Arn = { Ref: 'Elsewhere' }),
    'Tick.Target.Arn: Ref names Elsewhere, which the local run has no value for',
  ],
  [
    'intrinsic, even in a resource that does nothing here',
    (resources) => void (resources.Role!.Properties.Path = { 'Fn::ImportValue': 'x' }),
    'Role.Path: the local run does not know the intrinsic Fn::ImportValue',
  ],
  [
    'value out of range',
    (resources) => void (resources.Queue!.Properties.VisibilityTimeout = 43_201),
    'Queue (AWS::SQS::Queue): VisibilityTimeout: ',
  ],
  [
    'asset',
    (resources) => void (resources.Ticker!.Properties.Code.S3Key = 'gone.zip'),
    'has no asset for gone.zip',
  ],
  [
    'dead-letter queue',
    (resources) => void (resources.Queue!.Properties.RedrivePolicy.deadLetterTargetArn = 'arn:aws:sqs:x'),
    'Queue: its dead-letter queue arn:aws:sqs:x is not in the stack',
  ],
])('an unknown %s is an error that names it', (_, change, message) => {
  expect(() => read(assembly(change))).toThrow(message);
});
