import prod from '../../config/prod.json';
import { TERMINAL_STATUSES } from '../../lambdas/core/contracts/execution-statuses';
import { parseConfig } from '../../lib/config/parse-config';
import { listOf, type Statement } from './statements';
import { createStackOf, ofType, type Resource, resourcesIn, targetOf } from './synth';

type Resources = Map<string, Resource>;

const deploymentWith = (more: object): Resources =>
  resourcesIn(createStackOf(parseConfig({ ...prod, stage: 'prod', ...more }, 'prod with a journal')));

const tableOf = (resources: Resources) =>
  ofType(resources, 'AWS::DynamoDB::GlobalTable').find(([id]) => id.startsWith('TablesExecutions'))!;

describe('a deployment without the journal', () => {
  const resources = deploymentWith({});

  test('has no stream, and nothing of the follower', () => {
    expect(tableOf(resources)[1].Properties).not.toHaveProperty('StreamSpecification');
    expect([...resources.keys()].filter((id) => /Follow|DeadEnds|EndsUnread|Export|Spans/.test(id))).toEqual(
      [],
    );
  });
});

describe('a deployment with the journal', () => {
  const resources = deploymentWith({ journal: true });
  const [tableId, table] = tableOf(resources);
  const [, follower] = ofType(resources, 'AWS::Lambda::Function').find(([id]) =>
    id.startsWith('StagesFollower'),
  )!;
  const [queueId] = ofType(resources, 'AWS::SQS::Queue').find(([id]) => id.startsWith('DeadEnds'))!;
  const stream = { 'Fn::GetAtt': [tableId, 'StreamArn'] };

  test('has the stream of executions alone, with both images', () => {
    expect(table.Properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
    const others = ofType(resources, 'AWS::DynamoDB::GlobalTable').filter(([id]) => id !== tableId);
    for (const [, { Properties }] of others) expect(Properties).not.toHaveProperty('StreamSpecification');
  });

  test('invokes the follower with ended executions alone; what fails comes again for almost a day', () => {
    const mappings = ofType(resources, 'AWS::Lambda::EventSourceMapping');
    const [[, mapping] = []] = mappings.filter(([id]) => id.includes('Follower'));
    expect(mapping!.Properties).toEqual({
      EventSourceArn: stream,
      FunctionName: expect.anything(),
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 1_000,
      MaximumBatchingWindowInSeconds: 10,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRecordAgeInSeconds: 23 * 3_600,
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [queueId, 'Arn'] } } },
      FilterCriteria: { Filters: [{ Pattern: expect.any(String) }] },
      Tags: expect.anything(),
    });
    const { Pattern } = mapping!.Properties.FilterCriteria.Filters[0] as { Pattern: string };
    expect(JSON.parse(Pattern)).toEqual({
      dynamodb: { NewImage: { status: { S: [...TERMINAL_STATUSES] } } },
    });
  });

  test('lets it read the stream, tell of what it gave up, and write rows of the journal alone', () => {
    const role = resources.get(targetOf(follower.Properties.Role))!;
    const policies = role.Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[];
    const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    expect(statements.filter(({ Action }) => !listOf(Action).some((one) => one.startsWith('logs:')))).toEqual(
      [
        {
          Effect: 'Allow',
          Action: 'dynamodb:PutItem',
          Resource: { 'Fn::GetAtt': [tableId, 'Arn'] },
          Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['#ends*', '#tag*'] } },
        },
        {
          Effect: 'Allow',
          Action: [
            'dynamodb:DescribeStream',
            'dynamodb:GetRecords',
            'dynamodb:GetShardIterator',
            'dynamodb:ListStreams',
          ],
          Resource: stream,
        },
        { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: { 'Fn::GetAtt': [queueId, 'Arn'] } },
      ],
    );
  });

  test('has alarms for ends that come late, or never', () => {
    const ids = ofType(resources, 'AWS::CloudWatch::Alarm').map(([id]) => id);
    for (const name of ['FollowerLag', 'DeadLettersFollower', 'EndsUnread'])
      expect(ids.filter((id) => id.startsWith(`Alarms${name}`))).toHaveLength(1);
  });
});
