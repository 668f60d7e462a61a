import {
  ConflictException,
  DescribeTasksCommand,
  ECSClient,
  ListTasksCommand,
  RunTaskCommand,
  StopTaskCommand,
} from '@aws-sdk/client-ecs';

import { ecs } from '../../../../../lambdas/core/delivery/errands/ecs';
import type { ErrandStart } from '../../../../../lambdas/core/delivery/errands/errand-kind';
import { mockedClient } from '../../../../support/mocked-client';

const HERE = 'arn:aws:ecs:eu-central-1:111122223333';
const CLUSTER = `${HERE}:cluster/jobs`;
const FAMILY = `${HERE}:task-definition/report`;
const TASK = `${HERE}:task/jobs/c13b4cb40f1f4fe4a2971f76ae5a47ad`;
const NAME = `qj-0a1b2c-${'f'.repeat(40)}-0`;

const client = mockedClient(ECSClient);
beforeEach(() => client.reset());

const target = {
  type: 'ecs' as const,
  taskDefinitionArn: FAMILY,
  clusterArn: CLUSTER,
  container: 'app',
  environment: { MODE: 'full' },
};
const start: ErrandStart = {
  type: 'ecs',
  name: NAME,
  resource: FAMILY,
  runsIn: CLUSTER,
  target,
  input: '{"day":"2026-12-01"}',
  limitMs: 3_600_000,
  run: {
    deliveryId: 'f'.repeat(40),
    jobKey: 'billing/report',
    execId: '20261201T083000.000Z',
    dueAtMs: Date.UTC(2026, 11, 1, 8, 30),
  },
};
const call = { region: 'eu-central-1', role: undefined, signal: new AbortController().signal };
const asked = { name: NAME, resource: FAMILY, runsIn: CLUSTER, firstStartAtMs: 0 };
const sent = () => client.commandCalls(RunTaskCommand)[0]!.args[0].input;

test('a task is started under its name, which is its token, with what names the execution', async () => {
  client.on(RunTaskCommand).resolves({ tasks: [{ taskArn: TASK }], failures: [] });
  expect(await ecs.start(start, call)).toEqual({ how: 'started', id: TASK });
  expect(sent()).toEqual({
    cluster: CLUSTER,
    taskDefinition: FAMILY,
    count: 1,
    clientToken: NAME,
    startedBy: NAME,
    tags: [{ key: 'quarterjack:job', value: 'report' }],
    overrides: {
      containerOverrides: [
        {
          name: 'app',
          environment: [
            { name: 'MODE', value: 'full' },
            { name: 'QUARTERJACK_DUE', value: '2026-12-01T08:30:00.000Z' },
            { name: 'QUARTERJACK_ERRAND', value: NAME },
            { name: 'QUARTERJACK_EXECUTION', value: '20261201T083000.000Z' },
            { name: 'QUARTERJACK_ID', value: 'f'.repeat(40) },
            { name: 'QUARTERJACK_JOB', value: 'report' },
            { name: 'QUARTERJACK_PAYLOAD', value: '{"day":"2026-12-01"}' },
          ],
        },
      ],
    },
  });
  expect(NAME.length).toBeLessThanOrEqual(64);
});

test('the configuration of the cluster says where it runs, and no job', async () => {
  client.on(RunTaskCommand).resolves({ tasks: [{ taskArn: TASK }] });
  const launch = {
    capacityProviders: ['FARGATE_SPOT'],
    subnets: ['subnet-0a'],
    securityGroups: ['sg-0a'],
    assignPublicIp: true,
  };
  await ecs.start(start, { ...call, ecsClusters: { [CLUSTER]: launch } });
  expect(sent()).toMatchObject({
    capacityProviderStrategy: [{ capacityProvider: 'FARGATE_SPOT', weight: 1 }],
    networkConfiguration: {
      awsvpcConfiguration: { subnets: ['subnet-0a'], securityGroups: ['sg-0a'], assignPublicIp: 'ENABLED' },
    },
  });
  expect(sent()).not.toHaveProperty('launchType');
});

test('a target without a container overrides nothing', async () => {
  client.on(RunTaskCommand).resolves({ tasks: [{ taskArn: TASK }] });
  const { container: _, environment: _also, ...bare } = target;
  await ecs.start({ ...start, target: bare }, call);
  expect(sent()).not.toHaveProperty('overrides');
});

test('overrides that ECS would refuse are not sent', async () => {
  const answer = await ecs.start({ ...start, input: JSON.stringify('x'.repeat(8_000)) }, call);
  expect(answer).toMatchObject({
    how: 'refused',
    result: {
      outcome: 'fatal',
      reason: 'bad-input',
      error: expect.stringMatching(/overrides of 8\d\d\d characters; ECS allows 8192/) as string,
    },
  });
  expect(client.calls()).toEqual([]);
});

test('a refusal for want of room is retriable, and says what ECS says', async () => {
  client.on(RunTaskCommand).resolves({
    tasks: [],
    failures: [{ arn: 'arn:aws:ecs:x', reason: 'RESOURCE:MEMORY', detail: 'all full' }],
  });
  expect(await ecs.start(start, call)).toEqual({
    how: 'refused',
    result: { outcome: 'retriable', error: 'not started: RESOURCE:MEMORY: all full' },
  });
});

const errorOf = (name: string, message: string, httpStatusCode: number | undefined) =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });

test.each([
  ['ClientException', 'Capacity is unavailable at this time.', 400, 'refused', 'retriable'],
  ['ClientException', 'You’ve reached the limit on the number of tasks', 400, 'refused', 'retriable'],
  ['ClientException', 'TaskDefinition is inactive', 400, 'refused', 'fatal'],
  ['AccessDeniedException', 'no', 400, 'refused', 'fatal'],
  ['ThrottlingException', 'Rate exceeded', 400, 'refused', 'retriable'],
  ['ServerException', 'oops', 500, 'unknown', undefined],
  ['TimeoutError', 'socket', undefined, 'unknown', undefined],
])('%s: %s', async (name, message, status, how, outcome) => {
  client.on(RunTaskCommand).rejects(errorOf(name, message, status));
  const answer = await ecs.start(start, call);
  expect(answer).toMatchObject({ how, ...(outcome && { result: { outcome } }) });
});

test('a token that has started a task with other parameters has started a task', async () => {
  const conflict = new ConflictException({ message: 'used', $metadata: { httpStatusCode: 400 } });
  conflict.resourceIds = [TASK];
  client.on(RunTaskCommand).rejects(conflict);
  expect(await ecs.start(start, call)).toEqual({ how: 'started', id: TASK });
});

test('a task whose id is known is described by it', async () => {
  client.on(DescribeTasksCommand).resolves({ tasks: [{ taskArn: TASK, lastStatus: 'RUNNING' }] });
  expect(await ecs.probe({ ...asked, id: TASK }, call)).toEqual({ state: 'running', id: TASK });
  expect(client.commandCalls(ListTasksCommand)).toHaveLength(0);
  expect(client.commandCalls(DescribeTasksCommand)[0]!.args[0].input).toEqual({
    cluster: CLUSTER,
    tasks: [TASK],
  });
});

test('several are described by one call, and each gets its own answer', async () => {
  const [ended, unknown] = [`${TASK}2`, `${TASK}3`];
  client.on(DescribeTasksCommand).resolves({
    tasks: [
      { taskArn: ended, lastStatus: 'STOPPED', containers: [{ name: 'app', exitCode: 0 }] },
      { taskArn: TASK, lastStatus: 'RUNNING' },
    ],
    failures: [{ arn: unknown, reason: 'MISSING' }],
  });
  const all = [TASK, ended, unknown].map((id) => ({ ...asked, id }));
  expect(await ecs.probeMany!(all, call)).toEqual([
    { state: 'running', id: TASK },
    { state: 'ended', end: expect.objectContaining({ how: 'succeeded' }) as object },
    { state: 'none' },
  ]);
  expect(client.commandCalls(DescribeTasksCommand).map(({ args }) => args[0].input)).toEqual([
    { cluster: CLUSTER, tasks: [TASK, ended, unknown] },
  ]);
  client.on(DescribeTasksCommand).rejects(errorOf('ThrottlingException', 'Rate exceeded', 400));
  const throttled = { state: 'unknown', isThrottled: true };
  expect(await ecs.probeMany!(all, call)).toMatchObject([throttled, throttled, throttled]);
});

test('one whose id is not known is found by its name, running or stopped', async () => {
  client.on(ListTasksCommand, { desiredStatus: 'RUNNING' }).resolves({ taskArns: [] });
  client.on(ListTasksCommand, { desiredStatus: 'STOPPED' }).resolves({ taskArns: [TASK] });
  client.on(DescribeTasksCommand).resolves({
    tasks: [{ taskArn: TASK, lastStatus: 'STOPPED', containers: [{ name: 'app', exitCode: 0 }] }],
  });
  expect(await ecs.probe(asked, call)).toMatchObject({ state: 'ended', end: { how: 'succeeded' } });
  const lists = client.commandCalls(ListTasksCommand).map(({ args }) => args[0].input);
  expect(lists).toMatchObject([{ startedBy: NAME }, { startedBy: NAME, desiredStatus: 'STOPPED' }]);
});

test('none is none, and no answer is no end', async () => {
  client.on(ListTasksCommand).resolves({ taskArns: [] });
  expect(await ecs.probe(asked, call)).toEqual({ state: 'none' });
  client.on(DescribeTasksCommand).resolves({ tasks: [], failures: [{ arn: TASK, reason: 'MISSING' }] });
  expect(await ecs.probe({ ...asked, id: TASK }, call)).toEqual({ state: 'none' });
  client.on(DescribeTasksCommand).rejects(errorOf('ThrottlingException', 'Rate exceeded', 400));
  expect(await ecs.probe({ ...asked, id: TASK }, call)).toMatchObject({
    state: 'unknown',
    isThrottled: true,
  });
});

test('a task is stopped by its id, or by that which its name leads to', async () => {
  client.on(ListTasksCommand).resolves({ taskArns: [TASK] });
  client.on(DescribeTasksCommand).resolves({ tasks: [{ taskArn: TASK, lastStatus: 'RUNNING' }] });
  client.on(StopTaskCommand).resolves({});
  await ecs.stop(asked, 'its time is over', call);
  await ecs.stop({ ...asked, id: TASK }, 'its time is over', call);
  for (const { args } of client.commandCalls(StopTaskCommand))
    expect(args[0].input).toEqual({ cluster: CLUSTER, task: TASK, reason: 'its time is over' });
  expect(client.commandCalls(StopTaskCommand)).toHaveLength(2);
});

const event = (detail: object) => ({
  source: 'aws.ecs',
  account: '111122223333',
  region: 'eu-central-1',
  detail: {
    clusterArn: CLUSTER,
    taskArn: TASK,
    taskDefinitionArn: `${FAMILY}:7`,
    startedBy: NAME,
    lastStatus: 'STOPPED',
    containers: [{ name: 'app', exitCode: 0 }],
    ...detail,
  },
});

test('the event of a stopped task names the errand; that of a running one is no end', () => {
  expect(ecs.ofEvent(event({}))).toMatchObject({
    name: NAME,
    resource: `${FAMILY}:7`,
    id: TASK,
    end: { how: 'succeeded' },
  });
  expect(ecs.ofEvent(event({ lastStatus: 'DEPROVISIONING' }))).toBeUndefined();
});

test('an event of a revision is that of its family, and of no other revision', () => {
  expect(ecs.isSame?.(FAMILY, `${FAMILY}:7`)).toBe(true);
  expect(ecs.isSame?.(`${FAMILY}:7`, `${FAMILY}:7`)).toBe(true);
  expect(ecs.isSame?.(`${FAMILY}:6`, `${FAMILY}:7`)).toBe(false);
  expect(ecs.isSame?.(FAMILY, `${FAMILY}s:7`)).toBe(false);
});
