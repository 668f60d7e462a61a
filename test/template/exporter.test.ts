import prod from '../../config/prod.json';
import { parseConfig } from '../../lib/config/parse-config';
import { listOf, type Statement } from './statements';
import { createStackOf, ofType, type Resource, resourcesIn, targetOf, variablesOf } from './synth';

const SECRET = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:otel-a1B2c3';
const OTLP = { endpoint: 'https://otel.example.com', headersSecretArn: SECRET, sampleRatio: 0.1 };

const deploymentWith = (otlp: object) =>
  resourcesIn(createStackOf(parseConfig({ ...prod, stage: 'prod', otlp }, 'prod with spans')));

const functionIn = (resources: Map<string, Resource>, id: string) =>
  ofType(resources, 'AWS::Lambda::Function').find(([one]) => one.startsWith(id))![1];

/** What the role of a function permits beside its logs: actions, resources, and rows. */
function permittedTo(resources: Map<string, Resource>, id: string): unknown[] {
  const role = resources.get(targetOf(functionIn(resources, id).Properties.Role))!;
  const policies = role.Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[];
  return policies
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Action }) => !listOf(Action).some((one) => one.startsWith('logs:')))
    .map(({ Action, Resource }) => [listOf(Action), Resource]);
}

describe('a deployment that sends spans, without a journal', () => {
  const resources = deploymentWith(OTLP);
  const arnOf = (type: string, id: string) => {
    const [logicalId] = ofType(resources, type).find(([one]) => one.startsWith(id))!;
    return { 'Fn::GetAtt': [logicalId, type === 'AWS::DynamoDB::GlobalTable' ? expect.anything() : 'Arn'] };
  };
  const spans = arnOf('AWS::SQS::Queue', 'Spans');

  test('lets the exporter take spans and read the headers, and do nothing else', () => {
    expect(permittedTo(resources, 'StagesExporter')).toEqual([
      [['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'], spans],
      [['secretsmanager:GetSecretValue'], SECRET],
    ]);
    expect(permittedTo(resources, 'StagesExecutor').flatMap((one) => JSON.stringify(one))).not.toEqual(
      expect.arrayContaining([expect.stringContaining(SECRET)]),
    );
  });

  test('lets the follower read what spans are made of and send them, and write no row', () => {
    const permitted = permittedTo(resources, 'StagesFollower') as [actions: string[], resource: unknown][];
    expect(permitted.map(([actions]) => actions)).toEqual([
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      ['sqs:SendMessage'],
      ['dynamodb:BatchGetItem'],
      ['dynamodb:BatchGetItem', 'dynamodb:GetItem'],
      ['secretsmanager:GetSecretValue'],
    ]);
    expect(permitted[1]![1]).toEqual(expect.arrayContaining([spans, arnOf('AWS::SQS::Queue', 'DeadEnds')]));
  });

  test('bounds what a collector that is down costs', () => {
    const [, queue] = ofType(resources, 'AWS::SQS::Queue').find(([id]) => id.startsWith('Spans'))!;
    expect(queue.Properties).toMatchObject({ MessageRetentionPeriod: 7_200, VisibilityTimeout: 180 });
    expect(queue.Properties).not.toHaveProperty('RedrivePolicy');
    const [, mapping] = ofType(resources, 'AWS::Lambda::EventSourceMapping').find(([id]) =>
      id.startsWith('StagesExporter'),
    )!;
    expect(mapping.Properties).toMatchObject({
      BatchSize: 5,
      ScalingConfig: { MaximumConcurrency: 5 },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });

  test('has an alarm for spans that are lost', () => {
    const alarms = ofType(resources, 'AWS::CloudWatch::Alarm').filter(([id]) =>
      id.startsWith('AlarmsSpansLost'),
    );
    expect(alarms).toHaveLength(1);
    const text = JSON.stringify(alarms[0]![1].Properties.Metrics);
    expect(['OtlpDropped', 'OtlpRejected'].filter((name) => text.includes(name))).toHaveLength(2);
  });
});

test('without headers, the exporter may read no secret', () => {
  const resources = deploymentWith({ endpoint: OTLP.endpoint });
  expect(permittedTo(resources, 'StagesExporter')).toHaveLength(1);
  expect(variablesOf(resources, functionIn(resources, 'StagesExporter')).OTLP_HEADERS_SECRET_ARN).toBe('');
});

test.each([
  [{ endpoint: 'http://otel.example.com' }, /otlp\.endpoint.*expected https/],
  [{ endpoint: 'https://otel.example.com/' }, /otlp\.endpoint.*slash at its end/],
  [{ endpoint: 'https://user:x@otel.example.com' }, /otlp\.endpoint/],
  [{ endpoint: 'https://otel.example.com?key=x' }, /otlp\.endpoint/],
  [{ ...OTLP, headersSecretArn: 'x-api-key' }, /otlp\.headersSecretArn.*ARN of a secret/],
  [{ ...OTLP, sampleRatio: 1.5 }, /otlp\.sampleRatio.*number from 0 to 1/],
  [{ ...OTLP, maxSampledPerMinute: 0 }, /otlp\.maxSampledPerMinute.*from 1 to 100000/],
  [{ ...OTLP, headers: {} }, /otlp.*headers/],
])('%j is refused', (otlp, message) => {
  expect(() => deploymentWith(otlp)).toThrow(message);
});
