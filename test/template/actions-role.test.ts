import { App, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';

import { Quarterjack } from '../../lib';
import { listOf, type Statement } from './statements';
import { ofType, QUICK, type Resource, resourcesIn, stubBundles, targetOf } from './synth';

/** A stack with another resource beside a deployment whose jobs may put records into a stream. */
function deployed() {
  const app = new App(QUICK);
  const stack = new Stack(app, 'Shop');
  const queue = new Queue(stack, 'Orders');
  const jobs = new Quarterjack(stack, 'Jobs', { bundlesDir: stubBundles() });
  jobs.deployment.actionsRole.permit({
    actions: ['kinesis:PutRecord'],
    resources: ['arn:aws:kinesis:eu-central-1:111122223333:stream/orders'],
  });
  return {
    resources: resourcesIn({ app, stack }),
    orders: stack.getLogicalId(queue.node.defaultChild as never),
  };
}

const { resources, orders } = deployed();
const [roleId, role] = ofType(resources, 'AWS::IAM::Role').find(([id]) => id.includes('Actions'))!;
const statementsOf = (rolesId: string): Statement[] =>
  ofType(resources, 'AWS::IAM::Policy')
    .filter(([, { Properties }]) => Properties.Roles.map(targetOf).includes(rolesId))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
const statements = statementsOf(roleId);
const denied = statements.filter(({ Effect }) => Effect === 'Deny');

test('the executor alone assumes the role, and may assume no other', () => {
  const executors = ofType(resources, 'AWS::IAM::Role').filter(([id]) => id.includes('StagesExecutorRole'));
  const [[executorId] = ['']] = executors;
  expect(role.Properties.AssumeRolePolicyDocument.Statement).toEqual([
    {
      Effect: 'Allow',
      Action: 'sts:AssumeRole',
      Principal: { AWS: { 'Fn::GetAtt': [executorId, 'Arn'] } },
    },
  ]);
  const assuming = ofType(resources, 'AWS::IAM::Policy').filter(([, { Properties }]) =>
    JSON.stringify(Properties).includes('sts:AssumeRole'),
  );
  expect(assuming.map(([, { Properties }]) => Properties.Roles.map(targetOf))).toEqual([[executorId]]);
  expect(statementsOf(executorId)).toContainEqual({
    Effect: 'Allow',
    Action: 'sts:AssumeRole',
    Resource: { 'Fn::GetAtt': [roleId, 'Arn'] },
  });
});

test('it allows what it was permitted, and denies to pass any role but itself, which nothing allows', () => {
  expect(statements.filter(({ Effect }) => Effect === 'Allow')).toEqual([
    {
      Effect: 'Allow',
      Action: 'kinesis:PutRecord',
      Resource: 'arn:aws:kinesis:eu-central-1:111122223333:stream/orders',
    },
  ]);
  expect(denied).toContainEqual({
    Effect: 'Deny',
    Action: 'iam:PassRole',
    NotResource: [{ 'Fn::GetAtt': [roleId, 'Arn'] }],
  });
});

const isOf = (id: string, text: string): boolean => text.includes(`"${id}"`);

test('it denies all that a call could do with the deployment, and with nothing else', () => {
  const texts = JSON.stringify(denied);
  const own = [...resources].filter(([id]) => id.startsWith('Jobs'));
  const ofTypes = (...types: string[]) =>
    own.filter(([, { Type }]: [string, Resource]) => types.includes(Type));
  const guarded = ofTypes(
    'AWS::DynamoDB::GlobalTable',
    'AWS::Lambda::Function',
    'AWS::SecretsManager::Secret',
    'AWS::SNS::Topic',
    'AWS::Events::EventBus',
    'AWS::Logs::LogGroup',
    'AWS::Cognito::UserPool',
    'AWS::Scheduler::Schedule',
  );
  expect(guarded.length).toBeGreaterThan(30);
  expect(guarded.filter(([id]) => !isOf(id, texts)).map(([id]) => id)).toEqual([]);
  expect(isOf(orders, texts)).toBe(false);
  const names = ofTypes('AWS::SQS::Queue').map(([, { Properties }]) => String(Properties.QueueName));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !name.startsWith('Shop-Jobs-'))).toEqual([]);
  expect(texts).toContain(':Shop-Jobs-*');
  expect(denied.flatMap(({ Action }) => listOf(Action))).toEqual(['*', 'iam:PassRole']);
});

test('a deployment that calls nothing so has no such role', () => {
  const app = new App(QUICK);
  const stack = new Stack(app, 'Shop');
  void new Quarterjack(stack, 'Jobs', { bundlesDir: stubBundles() });
  const without = resourcesIn({ app, stack });
  expect(ofType(without, 'AWS::IAM::Role').filter(([id]) => id.includes('Actions'))).toEqual([]);
  const [, executor] = ofType(without, 'AWS::Lambda::Function').find(([id]) =>
    id.includes('StagesExecutor'),
  )!;
  expect(executor.Properties.Environment.Variables.ACTIONS_ROLE_ARN).toBe('');
});
