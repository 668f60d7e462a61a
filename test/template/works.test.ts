import { App, Stack } from 'aws-cdk-lib';
import {
  EcsFargateContainerDefinition,
  EcsJobDefinition,
  FargateComputeEnvironment,
  JobQueue,
} from 'aws-cdk-lib/aws-batch';
import { BuildSpec, Project } from 'aws-cdk-lib/aws-codebuild';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { CfnJob } from 'aws-cdk-lib/aws-glue';
import { Size } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';

import prod from '../../config/prod.json';
import { parseConfig } from '../../lib/config/parse-config';
import { Quarterjack } from '../../lib/quarterjack';
import { listOf, type Statement, statementsOf } from './statements';
import { createStackOf, ofType, QUICK, resourcesIn, stubBundles, targetOf } from './synth';

// Jobs of Batch, runs of Glue jobs and builds of CodeBuild.

const HERE = (service: string) => `arn:aws:${service}:eu-central-1:111122223333`;
const DEFINITION = `${HERE('batch')}:job-definition/report:*`;
const QUEUE = `${HERE('batch')}:job-queue/spot`;
const GLUE = `${HERE('glue')}:job/etl-*`;
const PROJECT = `${HERE('codebuild')}:project/site`;

const configWith = (...allowedTargetArns: string[]) =>
  parseConfig({ ...prod, stage: 'prod', allowedTargetArns }, 'prod with works');

type Resources = ReturnType<typeof resourcesIn>;

function grantsOf(resources: Resources, stage: 'Executor' | 'Watcher'): Statement[] {
  const [, { Properties }] = ofType(resources, 'AWS::Lambda::Function').find(([id]) =>
    id.includes(`Stages${stage}Function`),
  )!;
  return statementsOf(resources, targetOf(Properties.Role)).filter(({ Action }) =>
    listOf(Action).some((action) => /^(?:batch|glue|codebuild|iam):/.test(action)),
  );
}
const patternsOf = (resources: Resources) =>
  ofType(resources, 'AWS::Events::Rule').map(([, { Properties }]) => Properties.EventPattern);

describe('a configuration that allows them', () => {
  const resources = resourcesIn(createStackOf(configWith(DEFINITION, QUEUE, GLUE, PROJECT)));

  test('lets the executor start them, and pass no role', () => {
    const allowed = (Action: string, Resource: unknown) => ({ Effect: 'Allow', Action, Resource });
    expect(grantsOf(resources, 'Executor')).toEqual([
      allowed('glue:StartJobRun', GLUE),
      allowed('codebuild:StartBuild', PROJECT),
      allowed('batch:SubmitJob', [DEFINITION, QUEUE]),
    ]);
  });

  test('lets the watcher read and stop them, and start none', () => {
    expect(grantsOf(resources, 'Watcher')).toEqual([
      { Effect: 'Allow', Action: ['batch:DescribeJobs', 'batch:ListJobs'], Resource: '*' },
      { Effect: 'Allow', Action: 'batch:TerminateJob', Resource: `${HERE('batch')}:job/*` },
      {
        Effect: 'Allow',
        Action: ['glue:BatchStopJobRun', 'glue:GetJob', 'glue:GetJobRun', 'glue:GetJobRuns'],
        Resource: GLUE,
      },
      {
        Effect: 'Allow',
        Action: ['codebuild:BatchGetBuilds', 'codebuild:ListBuildsForProject', 'codebuild:StopBuild'],
        Resource: PROJECT,
      },
    ]);
  });

  test('passes the ends of errands to the watcher: of Glue, all those of the allowed jobs', () => {
    expect(patternsOf(resources)).toEqual([
      {
        source: ['aws.batch'],
        'detail-type': ['Batch Job State Change'],
        detail: { jobName: [{ prefix: 'qj-' }], status: ['SUCCEEDED', 'FAILED'] },
      },
      {
        source: ['aws.glue'],
        'detail-type': ['Glue Job State Change'],
        detail: { jobName: [{ prefix: 'etl-' }], state: ['SUCCEEDED', 'FAILED', 'TIMEOUT', 'STOPPED'] },
      },
      {
        source: ['aws.codebuild'],
        'detail-type': ['CodeBuild Build State Change'],
        detail: {
          'build-status': ['SUCCEEDED', 'FAILED', 'FAULT', 'STOPPED', 'TIMED_OUT'],
          'additional-information': {
            environment: {
              'environment-variables': { name: ['QUARTERJACK_ERRAND'], value: [{ prefix: 'qj-' }] },
            },
          },
        },
      },
    ]);
  });
});

test('a definition without a queue can start nothing, and nothing is watched', () => {
  const resources = resourcesIn(createStackOf(configWith(DEFINITION)));
  expect(grantsOf(resources, 'Executor')).toEqual([]);
  expect(patternsOf(resources)).toEqual([]);
});

test.each([
  ['any name', [`${HERE('glue')}:job/*`]],
  ['more names than a rule takes', Array.from({ length: 21 }, (_, at) => `${HERE('glue')}:job/job-${at}`)],
])('with %s, the events of all Glue jobs come in', (_, entries) => {
  const [pattern] = patternsOf(resourcesIn(createStackOf(configWith(...entries))));
  expect(Object.keys(pattern.detail)).toEqual(['state']);
});

test('a Glue job that Glue runs again by itself is warned of', () => {
  const app = new App(QUICK);
  const stack = new Stack(app, 'Shop');
  const jobs = new Quarterjack(stack, 'Jobs', { bundlesDir: stubBundles() });
  const command = { name: 'glueetl' };
  jobs.addGlueJobTarget(new CfnJob(stack, 'Etl', { command, role: 'role', maxRetries: 2 }));
  jobs.addGlueJobTarget(new CfnJob(stack, 'Once', { command, role: 'role', maxRetries: 0 }));
  const warnings = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('MaxRetries is'));
  expect(warnings.map(({ id }) => id)).toEqual(['/Shop/Etl']);
});

test('those of the stack’s program are targets, with the rights that each needs', () => {
  const app = new App(QUICK);
  const stack = new Stack(app, 'Shop');
  const jobs = new Quarterjack(stack, 'Jobs', { bundlesDir: stubBundles() });
  const queue = new JobQueue(stack, 'Queue', {
    computeEnvironments: [
      {
        computeEnvironment: new FargateComputeEnvironment(stack, 'Fargate', { vpc: new Vpc(stack, 'Vpc') }),
        order: 1,
      },
    ],
  });
  const definition = new EcsJobDefinition(stack, 'Report', {
    container: new EcsFargateContainerDefinition(stack, 'Container', {
      image: ContainerImage.fromRegistry('x'),
      cpu: 0.25,
      memory: Size.mebibytes(512),
    }),
  });
  const etl = new CfnJob(stack, 'Etl', { command: { name: 'glueetl' }, role: 'role' });
  const site = new Project(stack, 'Site', { buildSpec: BuildSpec.fromObject({ version: '0.2' }) });
  expect([
    jobs.addBatchTarget(definition, queue).type,
    jobs.addGlueJobTarget(etl).type,
    jobs.addCodeBuildTarget(site).type,
  ]).toEqual(['batch', 'glue', 'codebuild']);
  const resources = resourcesIn({ app, stack });
  const actionsOf = (stage: 'Executor' | 'Watcher') =>
    grantsOf(resources, stage)
      .flatMap(({ Action }) => listOf(Action))
      .toSorted();
  expect(actionsOf('Executor')).toEqual(['batch:SubmitJob', 'codebuild:StartBuild', 'glue:StartJobRun']);
  expect(actionsOf('Watcher')).toEqual([
    'batch:DescribeJobs',
    'batch:ListJobs',
    'batch:TerminateJob',
    'codebuild:BatchGetBuilds',
    'codebuild:ListBuildsForProject',
    'codebuild:StopBuild',
    'glue:BatchStopJobRun',
    'glue:GetJob',
    'glue:GetJobRun',
    'glue:GetJobRuns',
  ]);
  const glue = patternsOf(resources).find(({ source }) => source[0] === 'aws.glue');
  expect(glue.detail.jobName).toEqual([{ Ref: expect.stringMatching(/^Etl/) as string }]);
});
