import { App, Stack } from 'aws-cdk-lib';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import {
  Cluster,
  ContainerImage,
  Ec2TaskDefinition,
  FargateTaskDefinition,
  LogDriver,
} from 'aws-cdk-lib/aws-ecs';

import prod from '../../config/prod.json';
import type { AddEcsOptions } from '../../lib';
import { parseConfig } from '../../lib/config/parse-config';
import { Quarterjack } from '../../lib/quarterjack';
import { listOf, type Statement, statementsOf } from './statements';
import { createStackOf, ofType, QUICK, resourcesIn, stubBundles, targetOf } from './synth';

const HERE = 'arn:aws:ecs:eu-central-1:111122223333';
const CLUSTER = `${HERE}:cluster/jobs`;
const FAMILY = `${HERE}:task-definition/report:*`;
const ROLE = 'arn:aws:iam::111122223333:role/report-task';

const configWith = (more: object) => parseConfig({ ...prod, stage: 'prod', ...more }, 'prod with ECS');

type Resources = ReturnType<typeof resourcesIn>;

const functionIn = (resources: Resources, stage: 'Executor' | 'Watcher') =>
  ofType(resources, 'AWS::Lambda::Function').find(([id]) => id.includes(`Stages${stage}Function`))![1];

function grantsOf(resources: Resources, stage: 'Executor' | 'Watcher'): Statement[] {
  const role = targetOf(functionIn(resources, stage).Properties.Role);
  return statementsOf(resources, role).filter(({ Action }) =>
    listOf(Action).some((action) => /^(?:ecs|iam):/.test(action)),
  );
}

describe('a configuration that allows tasks of ECS', () => {
  const resources = resourcesIn(
    createStackOf(
      configWith({ allowedTargetArns: [FAMILY, CLUSTER], errands: { ecs: { passRoles: [ROLE] } } }),
    ),
  );

  test('lets the executor start them in these clusters, tag them, and pass their roles to ECS alone', () => {
    expect(grantsOf(resources, 'Executor')).toEqual([
      {
        Effect: 'Allow',
        Action: 'ecs:RunTask',
        Resource: FAMILY,
        Condition: { ArnLike: { 'ecs:cluster': [CLUSTER] } },
      },
      {
        Effect: 'Allow',
        Action: 'ecs:TagResource',
        Resource: `${HERE}:task/jobs/*`,
        Condition: { StringEquals: { 'ecs:CreateAction': 'RunTask' } },
      },
      {
        Effect: 'Allow',
        Action: 'iam:PassRole',
        Resource: ROLE,
        Condition: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
      },
    ]);
  });

  test('lets the watcher describe, list and stop them, and start none', () => {
    expect(grantsOf(resources, 'Watcher')).toEqual([
      { Effect: 'Allow', Action: ['ecs:DescribeTasks', 'ecs:StopTask'], Resource: `${HERE}:task/jobs/*` },
      {
        Effect: 'Allow',
        Action: 'ecs:ListTasks',
        Resource: '*',
        Condition: { ArnLike: { 'ecs:cluster': [CLUSTER] } },
      },
    ]);
  });

  test('passes the ends of its tasks, and of no other, to the queue of the watcher', () => {
    expect(
      ofType(resources, 'AWS::Events::Rule').map(([, { Properties }]) => Properties.EventPattern),
    ).toEqual([
      {
        source: ['aws.ecs'],
        'detail-type': ['ECS Task State Change'],
        detail: { startedBy: [{ prefix: 'qj-' }], lastStatus: ['STOPPED'] },
      },
    ]);
  });
});

test.each([
  ['clusters', { clusters: { 'arn:aws:ecs:x:1:service/a': {} } }, /expected the ARN of a cluster/],
  ['subnets', { clusters: { [CLUSTER]: { subnets: ['a'] } } }, /expected the id of a subnet/],
  ['groups', { clusters: { [CLUSTER]: { securityGroups: ['sg-0a1b2c3d'] } } }, /expected only with subnets/],
  [
    'both',
    { clusters: { [CLUSTER]: { launchType: 'EC2', capacityProviders: ['a'] } } },
    /expected only without launchType/,
  ],
  ['roles', { passRoles: ['*'] }, /expected the ARN of an IAM role/],
])('a configuration with wrong %s is refused', (_, ecs, message) => {
  expect(() => configWith({ errands: { ecs } })).toThrow(message);
});

describe('a task of the stack’s program', () => {
  function shop(options: AddEcsOptions = {}, kind: 'fargate' | 'ec2' = 'fargate') {
    const app = new App(QUICK);
    const stack = new Stack(app, 'Shop');
    const jobs = new Quarterjack(stack, 'Jobs', { bundlesDir: stubBundles() });
    const cluster = new Cluster(stack, 'Cluster', { vpc: new Vpc(stack, 'Vpc') });
    const task =
      kind === 'fargate' ? new FargateTaskDefinition(stack, 'It') : new Ec2TaskDefinition(stack, 'It');
    task.addContainer('app', { image: ContainerImage.fromRegistry('x'), memoryLimitMiB: 64 });
    const target = jobs.addEcsTarget(task, cluster, options);
    // This gives it an execution role, after the target was added.
    task.addContainer('logs', {
      image: ContainerImage.fromRegistry('x'),
      memoryLimitMiB: 64,
      logging: LogDriver.awsLogs({ streamPrefix: 's' }),
    });
    return { target, stack, resources: resourcesIn({ app, stack }) };
  }
  const clustersIn = (resources: Resources): string =>
    JSON.stringify(functionIn(resources, 'Executor').Properties.Environment.Variables.ADDED_ECS_CLUSTERS);

  test('is a target with its container; both of its roles may be passed, and it runs in private subnets', () => {
    const { target, resources } = shop();
    expect(target).toMatchObject({ type: 'ecs', container: 'app' });
    const passing = grantsOf(resources, 'Executor').find(({ Action }) => Action === 'iam:PassRole');
    expect(listOf(passing!.Resource)).toHaveLength(2);
    expect(passing).toMatchObject({
      Condition: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
    });
    expect(clustersIn(resources)).toMatch(/launchType.*FARGATE.*subnets.*PrivateSubnet1/);
    expect(clustersIn(resources)).not.toContain('PublicSubnet');
    const watching = JSON.stringify(grantsOf(resources, 'Watcher'));
    expect(watching).toContain('ecs:StopTask');
    expect(watching).toContain(':task/');
  });

  test('on instances, the cluster decides', () => {
    expect(clustersIn(shop({}, 'ec2').resources)).not.toMatch(/launchType|subnets/);
    expect(clustersIn(shop({ capacityProviders: ['spot'] }).resources)).toMatch(/capacityProviders.*spot/);
  });
});
