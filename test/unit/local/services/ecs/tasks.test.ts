import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  DescribeTasksCommand,
  ECSClient,
  ListTasksCommand,
  RunTaskCommand,
  type RunTaskCommandInput,
  StopTaskCommand,
} from '@aws-sdk/client-ecs';

import { endOfTask } from '../../../../../lambdas/core/delivery/errands/ecs-end';
import { startAwsEndpoint } from '../../../../../local/services/aws-endpoint';
import { Callers } from '../../../../../local/services/callers';
import { ecs } from '../../../../../local/services/ecs/ecs';
import { parseTaskScript } from '../../../../../local/services/ecs/scripts';
import { EcsTasks } from '../../../../../local/services/ecs/tasks';
import { ExternalResources } from '../../../../../local/services/external-resources';
import type { EndEvent } from '../../../../../local/services/step-functions/execution';

const HERE = 'arn:aws:ecs:us-east-1:000000000000';
const clock = { nowMs: () => Date.now() };
const HOUR_MS = 3_600_000;
const requestOf = (name: string, more: object = {}) => ({
  cluster: `${HERE}:cluster/jobs`,
  taskDefinition: `${HERE}:task-definition/report:3`,
  clientToken: name,
  startedBy: name,
  overrides: {
    containerOverrides: [{ name: 'app', environment: [{ name: 'QUARTERJACK_ERRAND', value: name }] }],
  },
  ...more,
});

let folder: string;
let path: string;
let events: EndEvent[];
let opened: EcsTasks[];
beforeEach(() => {
  jest.useFakeTimers({ now: 1_000 });
  folder = mkdtempSync(join(tmpdir(), 'tasks-'));
  path = join(folder, 'ecs-tasks.jsonl');
  events = [];
  opened = [];
});
afterEach(() => {
  for (const one of opened) one.stop();
  jest.useRealTimers();
  rmSync(folder, { recursive: true });
});

let ids = 0;
function open(...scripts: string[]): EcsTasks {
  const tasks = new EcsTasks({
    clock,
    newId: () => `id-${++ids}`,
    scripts: scripts.map(parseTaskScript),
    path,
    publish: async (event) => void events.push(event),
  });
  opened.push(tasks);
  return tasks;
}

const arnOf = (run: ReturnType<EcsTasks['run']>): string => ('task' in run ? run.task.arn : run.conflict);
const endsOf = () => events.map(({ detail }) => endOfTask(detail)?.how);

test('a task waits, then exits with 0, and its event is one that ECS would send', () => {
  const tasks = open();
  const arn = arnOf(tasks.run(requestOf('qj-1')));
  expect(arn).toMatch(/^arn:aws:ecs:us-east-1:000000000000:task\/jobs\/id\d+$/);
  jest.advanceTimersByTime(4_999);
  expect(tasks.get(arn)?.status).toBe('RUNNING');
  jest.advanceTimersByTime(1);
  expect(events).toEqual([
    expect.objectContaining({
      source: 'aws.ecs',
      'detail-type': 'ECS Task State Change',
      account: '000000000000',
      region: 'us-east-1',
      resources: [arn],
      detail: expect.objectContaining({
        taskArn: arn,
        clusterArn: `${HERE}:cluster/jobs`,
        taskDefinitionArn: `${HERE}:task-definition/report:3`,
        startedBy: 'qj-1',
        lastStatus: 'STOPPED',
        stopCode: 'EssentialContainerExited',
        stoppedAt: new Date(6_000).toISOString(),
        containers: [expect.objectContaining({ name: 'app', exitCode: 0 })],
      }),
    }),
  ]);
  expect(endsOf()).toEqual(['succeeded']);
});

test('a script says how long the tasks of a family take, and how they end in turn', () => {
  const tasks = open('*=1s', 'report=20s,exit-7,spot,no-start');
  for (const name of ['a', 'b', 'c', 'd']) tasks.run(requestOf(name));
  tasks.run(requestOf('e', { taskDefinition: `${HERE}:task-definition/other` }));
  jest.advanceTimersByTime(1_000);
  expect(endsOf()).toEqual(['succeeded']);
  jest.advanceTimersByTime(19_000);
  expect(endsOf()).toEqual(['succeeded', 'failed', 'lost', 'failed', 'failed']);
});

test.each(['report', 'report=', 'report=5', 'report=21d', 'report=5s,exit-256', 'report=5s,well'])(
  '%s is no script',
  (text) => expect(() => parseTaskScript(text)).toThrow('--ecs-task is'),
);

test('a token means its first answer, a refusal too, until an hour after the task', () => {
  const tasks = open('report=10s,no-room,exit-0');
  const refused = tasks.run(requestOf('qj-1'));
  expect(refused).toMatchObject({ task: { status: 'REFUSED' }, isNew: true });
  expect(tasks.run(requestOf('qj-1'))).toMatchObject({ task: { status: 'REFUSED' }, isNew: false });
  const first = tasks.run(requestOf('qj-2'));
  expect(tasks.run(requestOf('qj-2'))).toMatchObject({ task: { arn: arnOf(first) }, isNew: false });
  expect(tasks.run(requestOf('qj-2', { launchType: 'EC2' }))).toEqual({ conflict: arnOf(first) });
  jest.advanceTimersByTime(10_000 + HOUR_MS - 1);
  expect(tasks.run(requestOf('qj-2'))).toMatchObject({ isNew: false });
  jest.advanceTimersByTime(1);
  expect(tasks.get(arnOf(first))).toBeUndefined();
  expect(tasks.run(requestOf('qj-2'))).toMatchObject({ isNew: true });
});

test('an event can be lost, be doubled, and be sent again', () => {
  const tasks = open();
  const [lost, twice] = ['qj-1', 'qj-2'].map((name) => arnOf(tasks.run(requestOf(name))));
  tasks.deliver(lost!, 'lost');
  tasks.deliver(twice!, 'twice');
  jest.advanceTimersByTime(5_000);
  expect(events.map(({ detail }) => detail.startedBy)).toEqual(['qj-2', 'qj-2']);
  tasks.deliver(lost!, 'twice');
  expect(events.map(({ detail }) => detail.startedBy)).toEqual(['qj-2', 'qj-2', 'qj-1']);
});

test('after a run was killed, what ran goes on, and what had ended stays', () => {
  const before = open();
  before.run(requestOf('qj-1'));
  before.end(arnOf(before.run(requestOf('qj-2'))), { stopCode: 'UserInitiated' });
  before.stop();
  events = [];
  appendFileSync(path, '{"arn":"arn:aws:ec');
  const after = open();
  expect(after.list().map(({ request, status }) => [request.startedBy, status])).toEqual([
    ['qj-2', 'STOPPED'],
    ['qj-1', 'RUNNING'],
  ]);
  jest.advanceTimersByTime(5_000);
  expect(endsOf()).toEqual(['succeeded']);
});

describe('the API', () => {
  let client: ECSClient;
  let stop: () => Promise<void>;
  beforeEach(async () => {
    jest.useRealTimers();
    const callers = new Callers();
    const endpoint = await startAwsEndpoint(callers, () => undefined);
    const external = new ExternalResources({ clock, newId: () => 'id', onFirst: () => undefined });
    endpoint.serve(ecs(open('*=1h', 'full=1h,no-room'), external));
    client = new ECSClient({ endpoint: endpoint.url, region: 'us-east-1', credentials: callers.issue() });
    stop = () => endpoint.stop();
  });
  afterEach(async () => {
    client.destroy();
    await stop();
  });

  const run = (more: Partial<RunTaskCommandInput> = {}) =>
    client.send(new RunTaskCommand({ ...requestOf('qj-1'), count: 1, ...more }));
  const cluster = `${HERE}:cluster/jobs`;

  test('a repeated start is the running task; one with other parameters names it', async () => {
    const { tasks: [task] = [] } = await run();
    expect((await run()).tasks?.[0]?.taskArn).toBe(task!.taskArn);
    await expect(run({ launchType: 'EC2' })).rejects.toMatchObject({
      name: 'ConflictException',
      resourceIds: [task!.taskArn],
    });
  });

  test('a start that finds no room is no task', async () => {
    const taskDefinition = `${HERE}:task-definition/full`;
    expect(await run({ taskDefinition })).toMatchObject({
      tasks: [],
      failures: [{ reason: 'RESOURCE:MEMORY' }],
    });
  });

  test('a task is listed, described, stopped and described again', async () => {
    const { tasks: [task] = [] } = await run();
    const taskArn = task!.taskArn!;
    const list = async (desiredStatus: 'RUNNING' | 'STOPPED') =>
      (await client.send(new ListTasksCommand({ cluster, startedBy: 'qj-1', desiredStatus }))).taskArns;
    const describe = async () =>
      (await client.send(new DescribeTasksCommand({ cluster, tasks: [taskArn] }))).tasks?.[0];
    expect([await list('RUNNING'), await list('STOPPED')]).toEqual([[taskArn], []]);
    expect(await describe()).toMatchObject({ lastStatus: 'RUNNING', startedBy: 'qj-1' });
    await client.send(new StopTaskCommand({ cluster, task: taskArn, reason: 'enough' }));
    expect([await list('RUNNING'), await list('STOPPED')]).toEqual([[], [taskArn]]);
    const stopped = await describe();
    expect(stopped).toMatchObject({ stopCode: 'UserInitiated', stoppedReason: 'enough' });
    expect(stopped?.stoppedAt).toBeInstanceOf(Date);
    expect(endOfTask(stopped!)).toMatchObject({ how: 'stopped' });
  });

  test('a task that does not exist is missing, and is not stopped', async () => {
    const missing = `${HERE}:task/jobs/none`;
    expect(await client.send(new DescribeTasksCommand({ cluster, tasks: [missing] }))).toMatchObject({
      tasks: [],
      failures: [{ arn: missing, reason: 'MISSING' }],
    });
    await expect(client.send(new StopTaskCommand({ cluster, task: missing }))).rejects.toMatchObject({
      name: 'InvalidParameterException',
    });
  });
});
