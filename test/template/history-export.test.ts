import prod from '../../config/prod.json';
import { parseConfig } from '../../lib/config/parse-config';
import { listOf, type Statement } from './statements';
import { createStackOf, ofType, type Resource, resourcesIn, targetOf, variablesOf } from './synth';

const configOf = (historyExport: object) =>
  parseConfig({ ...prod, stage: 'prod', historyExport }, 'prod with an export');
const deploymentWith = (historyExport: object): Map<string, Resource> =>
  resourcesIn(createStackOf(configOf(historyExport)));

const followerIn = (resources: Map<string, Resource>) =>
  ofType(resources, 'AWS::Lambda::Function').find(([id]) => id.startsWith('StagesFollower'))![1];

describe('a deployment that exports what has ended, without a journal', () => {
  const resources = deploymentWith({ bucket: 'history-of-jobs', prefix: 'jobs/prod/' });
  const follower = followerIn(resources);

  test('lets the follower write objects below the prefix alone, and no row', () => {
    const role = resources.get(targetOf(follower.Properties.Role))!;
    const policies = role.Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[];
    const permitted = policies
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter(({ Action }) => !listOf(Action).some((one) => one.startsWith('logs:')));
    expect(permitted.map(({ Action }) => listOf(Action)[0])).toEqual([
      'dynamodb:DescribeStream',
      'sqs:SendMessage',
      'secretsmanager:GetSecretValue',
      's3:PutObject',
    ]);
    const { Resource: objects } = permitted.at(-1)!;
    expect(JSON.stringify(objects)).toContain(':s3:::history-of-jobs/jobs/prod/ends/*"');
  });

  test('says where lines go, and has a stream', () => {
    expect(variablesOf(resources, follower)).toMatchObject({
      JOURNAL: 'off',
      HISTORY_EXPORT: JSON.stringify({
        to: 's3://history-of-jobs/jobs/prod/',
        partitionBy: 'none',
        include: [],
      }),
    });
    const tables = ofType(resources, 'AWS::DynamoDB::GlobalTable');
    expect(tables.filter(([, { Properties }]) => 'StreamSpecification' in Properties)).toHaveLength(1);
  });
});

test.each([
  [{ bucket: 'No_Bucket' }, /historyExport\.bucket = .*: expected the name of a bucket/],
  [{ bucket: 'history', prefix: 'a/../b/' }, /historyExport\.prefix = .*: expected folders/],
  [{ bucket: 'history', prefix: '/a/' }, /historyExport\.prefix = .*: expected folders/],
  [{ bucket: 'history', include: ['result'] }, /historyExport\.include/],
])('%j is refused', (historyExport, message) => {
  expect(() => configOf(historyExport)).toThrow(message);
});
