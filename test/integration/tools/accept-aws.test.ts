import {
  CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand,
  DescribeStackResourceDriftsCommand,
  DescribeStacksCommand,
  DetectStackDriftCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import {
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
  type UserPoolClientType,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  GetMetricStatisticsCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
} from '@aws-sdk/client-lambda';
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { mockClient } from 'aws-sdk-client-mock';

import type { CheckOnAws } from '../../../scripts/accept/check';
import { awsClients } from '../../../scripts/accept/site/aws-site';
import { STEPS } from '../../../scripts/accept/steps';
import { aStack, resourcesOfType } from '../../support/accept/aws-answers';
import { anAwsSite, START_MS } from '../../support/accept/aws-site';

// Answers as AWS's API references describe them: the fields that matter here, and no others.

const cloudFormation = mockClient(CloudFormationClient);
const cloudWatch = mockClient(CloudWatchClient);
const cognito = mockClient(CognitoIdentityProviderClient);
const lambda = mockClient(LambdaClient);
const scheduler = mockClient(SchedulerClient);

let clients: ReturnType<typeof awsClients>;
beforeAll(() => {
  process.env.AWS_REGION = 'eu-central-1';
  clients = awsClients();
});
beforeEach(() => {
  for (const mock of [cloudFormation, cloudWatch, cognito, lambda, scheduler]) mock.reset();
});

const CHECKS = STEPS.flatMap(({ checks }) => checks);

/** Makes one check of AWS. */
function check(name: string, overrides: Parameters<typeof anAwsSite>[0] = {}) {
  const found = CHECKS.find((one): one is CheckOnAws => one.name === name && one.on === 'aws');
  return found!.run(anAwsSite({ clients, ...overrides }));
}

const resources = (type: string, ...ids: string[]) =>
  cloudFormation.on(ListStackResourcesCommand).resolves(resourcesOfType(type, ...ids));

test('the checks that only AWS has are these', () => {
  expect(CHECKS.filter(({ on }) => on === 'aws').map(({ name }) => name)).toEqual([
    ...['preflight/identity', 'preflight/bootstrap', 'preflight/concurrency'],
    ...['preflight/cognito-prefix', 'preflight/stack'],
    ...['as-designed/stack', 'as-designed/mappings'],
    ...['as-designed/functions', 'as-designed/schedules'],
    ...['front-door/sign-in', 'front-door/throttle'],
    ...['substrate/dynamodb', 'substrate/sqs', 'substrate/delay-precision'],
    ...['delivery/lateness', 'delivery/lone'],
    ...['history/slow-target', 'history/dead-letter-alarm', 'history/silence'],
    ...['watching/alarms', 'watching/alarm-mail', 'watching/drift', 'watching/canary'],
    ...['change/same', 'change/shards', 'change/commit-before', 'change/nothing-lost'],
    'memory/lateness',
  ]);
  expect(new Set(CHECKS.map(({ name }) => name)).size).toBe(CHECKS.length);
  for (const { name, checks } of STEPS)
    expect(checks.every((one) => one.name.startsWith(`${name}/`))).toBe(true);
});

test('a stage without a canary is not asked for its metrics', async () => {
  resources('AWS::CloudWatch::Alarm', 'Quarterjack-small-AlarmsCursorLag1234ABCD-x');
  expect(await check('watching/canary')).toEqual({ holds: true, detail: 'the stage has none' });
});

describe('as designed', () => {
  const detected = (StackDriftStatus: 'IN_SYNC' | 'DRIFTED') => {
    const status = { StackId: 's', StackDriftDetectionId: 'd', Timestamp: new Date(START_MS) };
    cloudFormation.on(DetectStackDriftCommand).resolves({ StackDriftDetectionId: 'd' });
    cloudFormation
      .on(DescribeStackDriftDetectionStatusCommand)
      .resolvesOnce({ ...status, DetectionStatus: 'DETECTION_IN_PROGRESS' })
      .resolves({ ...status, DetectionStatus: 'DETECTION_COMPLETE', StackDriftStatus });
  };

  test('drift is waited for, and names what has drifted', async () => {
    detected('IN_SYNC');
    expect(await check('watching/drift')).toEqual({ holds: true, detail: 'IN_SYNC' });
    detected('DRIFTED');
    cloudFormation.on(DescribeStackResourceDriftsCommand).resolves({
      StackResourceDrifts: [
        {
          ...{ StackId: 's', LogicalResourceId: 'ScanSchedule', ResourceType: 'AWS::Scheduler::Schedule' },
          ...{ StackResourceDriftStatus: 'MODIFIED', Timestamp: new Date(START_MS) },
        },
      ],
    });
    expect(await check('watching/drift')).toEqual({ holds: false, detail: 'ScanSchedule is MODIFIED' });
  });

  test('lists in another order, and an alias of a key by its other name, are no drift; another value is', async () => {
    const client = {
      AllowedOAuthScopes: ['openid', 'email', 'profile'],
      Key: 'arn:aws:kms:eu-central-1:111122223333:alias/aws/sns',
    };
    const actual = { Key: 'alias/aws/sns', AllowedOAuthScopes: ['email', 'openid', 'profile'] };
    const driftOf = (actualProperties: object) => {
      detected('DRIFTED');
      cloudFormation.on(DescribeStackResourceDriftsCommand).resolves({
        StackResourceDrifts: [
          {
            ...{ StackId: 's', LogicalResourceId: 'Client', ResourceType: 'AWS::Cognito::UserPoolClient' },
            ...{ StackResourceDriftStatus: 'MODIFIED', Timestamp: new Date(START_MS) },
            ExpectedProperties: JSON.stringify(client),
            ActualProperties: JSON.stringify(actualProperties),
            PropertyDifferences: [
              {
                ...{ PropertyPath: '/AllowedOAuthScopes/0', DifferenceType: 'NOT_EQUAL' },
                ...{ ExpectedValue: 'openid', ActualValue: 'email' },
              },
            ],
          },
        ],
      });
      return check('watching/drift');
    };
    expect(await driftOf(actual)).toEqual({
      holds: true,
      detail: 'only the order or the form of values differs: Client is MODIFIED at /AllowedOAuthScopes/0',
    });
    const fewer = { ...actual, AllowedOAuthScopes: ['email', 'openid'] };
    expect((await driftOf(fewer)).holds).toBe(false);
    expect(STEPS.filter(({ isCondition }) => isCondition).flatMap(({ checks }) => checks)).not.toContainEqual(
      expect.objectContaining({ name: expect.stringContaining('drift') as string }),
    );
  });

  test('a mapping that is disabled, and one that is gone', async () => {
    resources('AWS::Lambda::EventSourceMapping', 'a', 'b', 'c');
    lambda.on(ListEventSourceMappingsCommand).resolves({
      EventSourceMappings: [
        { UUID: 'a', State: 'Enabled' },
        { UUID: 'b', State: 'Disabled' },
      ],
    });
    expect(await check('as-designed/mappings')).toEqual({
      holds: false,
      detail: 'b is Disabled; c is not there',
    });
  });

  test('functions are active on the runtime, and schedules enabled', async () => {
    resources('AWS::Lambda::Function', 'api');
    lambda.on(GetFunctionConfigurationCommand).resolves({ State: 'Active', Runtime: 'nodejs24.x' });
    expect((await check('as-designed/functions')).holds).toBe(true);
    lambda.on(GetFunctionConfigurationCommand).resolves({ State: 'Failed', Runtime: 'nodejs24.x' });
    expect((await check('as-designed/functions')).detail).toBe('api is Failed on nodejs24.x');
    resources('AWS::Scheduler::Schedule', 'scan');
    scheduler.on(GetScheduleCommand).resolves({ State: 'DISABLED' });
    expect((await check('as-designed/schedules')).detail).toBe('scan is DISABLED');
  });
});

describe('sign-in', () => {
  const console = {
    ...{ ClientName: 'console', CallbackURLs: ['https://jobs.example.com/console/'], ExplicitAuthFlows: [] },
    RefreshTokenRotation: { Feature: 'ENABLED' as const },
  };
  const cli: UserPoolClientType = {
    ...{ ClientName: 'cli', CallbackURLs: ['http://localhost:8788/callback'] },
    ExplicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'],
  };
  const found = (...clientsOfPool: UserPoolClientType[]) => {
    cognito.reset();
    resources('AWS::Cognito::UserPoolClient', ...clientsOfPool.map(({ ClientName }) => ClientName!));
    cloudFormation.on(DescribeStacksCommand).resolves(aStack('CREATE_COMPLETE', { UserPoolId: 'pool' }));
    for (const UserPoolClient of clientsOfPool)
      cognito
        .on(DescribeUserPoolClientCommand, { UserPoolId: 'pool', ClientId: UserPoolClient.ClientName })
        .resolves({ UserPoolClient });
    return check('front-door/sign-in');
  };

  test('is by the page alone, and tokens of the console rotate', async () => {
    expect(await found(cli, console)).toMatchObject({ holds: true });
    expect(await found(cli)).toMatchObject({ holds: true });
  });

  test('without rotation, or with a flow that takes passwords, the check fails', async () => {
    expect(await found(cli, { ...console, RefreshTokenRotation: { Feature: 'DISABLED' } })).toEqual({
      holds: false,
      detail: 'console does not rotate its tokens',
    });
    const { RefreshTokenRotation: _none, ...without } = console;
    expect((await found(without)).holds).toBe(false);
    expect(await found({ ...cli, ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH'] })).toEqual({
      holds: false,
      detail: 'cli has ALLOW_USER_SRP_AUTH',
    });
  });

  test('with an issuer of its own there is nothing to ask', async () => {
    expect(await found()).toMatchObject({ applies: false });
  });
});

test('the precision of delays is a finding, with the lead to set', async () => {
  const late = { sent: 4, offsetsMs: [-100, 20, 30, 450], twice: 0 };
  const once = <T>() => Promise.resolve(late as T);
  expect(await check('substrate/delay-precision', { once })).toMatchObject({
    holds: false,
    detail: 'p1 -100 ms, p50 20 ms, p99 450 ms; set the lead to 750 ms',
  });
});

describe('watching', () => {
  const states = (...all: ('OK' | 'ALARM')[]) => {
    resources('AWS::CloudWatch::Alarm', 'Canary', 'Lateness');
    const alarm = { AlarmActions: ['arn:aws:sns:eu-central-1:111122223333:Alarms'] };
    cloudWatch.on(DescribeAlarmsCommand).resolves({
      MetricAlarms: all.map((StateValue, index) => ({
        ...{ ...alarm, StateValue, AlarmName: ['Canary', 'Lateness'][index]! },
      })),
    });
  };

  test('an alarm that is on, and one that is gone', async () => {
    states('OK', 'OK');
    expect(await check('watching/alarms')).toEqual({ holds: true, detail: '2 exist, none is on' });
    states('ALARM');
    expect(await check('watching/alarms')).toEqual({
      holds: false,
      detail: 'Canary is on; Lateness does not exist',
    });
  });

  const sums = (delivered: number, failed: number) => {
    for (const [MetricName, Sum] of Object.entries({
      NumberOfNotificationsDelivered: delivered,
      NumberOfNotificationsFailed: failed,
    }))
      cloudWatch
        .on(GetMetricStatisticsCommand, { Namespace: 'AWS/SNS', MetricName })
        .resolves({ Datapoints: Sum > 0 ? [{ Sum }] : [] });
  };
  test.each([
    [1, 0, true],
    [0, 1, false],
    [0, 0, false],
  ])('of an alarm that is set off, %i mails arrive and %i fail', async (delivered, failed, holds) => {
    states('OK', 'OK');
    cloudWatch.on(SetAlarmStateCommand).resolves({});
    sums(delivered, failed);
    const { holds: found, detail } = await check('watching/alarm-mail');
    expect([found, detail]).toEqual([
      holds,
      `Alarms: ${delivered} delivered, ${failed} failed, after Canary was set off`,
    ]);
  });
});
