import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';

import { startAwsEndpoint } from '../../../../../local/services/aws-endpoint';
import { Callers } from '../../../../../local/services/callers';
import { ExternalResources } from '../../../../../local/services/external-resources';
import type { EndEvent } from '../../../../../local/services/step-functions/execution';
import { MachineExecutions } from '../../../../../local/services/step-functions/machine-executions';
import { parseScript } from '../../../../../local/services/step-functions/scripts';
import { stepFunctions } from '../../../../../local/services/step-functions/step-functions';

const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:nightly';
const RUN = 'arn:aws:states:us-east-1:000000000000:execution:nightly:qj-1';
const clock = { nowMs: () => Date.now() };

let folder: string;
let path: string;
let events: EndEvent[];
let opened: MachineExecutions[];
beforeEach(() => {
  jest.useFakeTimers({ now: 1_000 });
  folder = mkdtempSync(join(tmpdir(), 'machines-'));
  path = join(folder, 'state-machines.jsonl');
  events = [];
  opened = [];
});
afterEach(() => {
  for (const one of opened) one.stop();
  jest.useRealTimers();
  rmSync(folder, { recursive: true });
});

function open(scripts: string[] = []): MachineExecutions {
  let ids = 0;
  const executions = new MachineExecutions({
    clock,
    newId: () => `event-${++ids}`,
    scripts: scripts.map(parseScript),
    path,
    publish: async (event) => void events.push(event),
  });
  opened.push(executions);
  return executions;
}

const statuses = () => events.map(({ detail }) => detail.status);

test('an execution waits, then succeeds with its input, and its event tells of it', () => {
  const executions = open();
  executions.start(MACHINE, 'qj-1', '{"n":1}');
  jest.advanceTimersByTime(4_999);
  expect(executions.get(RUN)?.status).toBe('RUNNING');
  jest.advanceTimersByTime(1);
  expect(executions.get(RUN)).toMatchObject({ status: 'SUCCEEDED', stoppedMs: 6_000 });
  expect(events).toEqual([
    expect.objectContaining({
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      account: '000000000000',
      region: 'us-east-1',
      detail: expect.objectContaining({
        executionArn: RUN,
        stateMachineArn: MACHINE,
        name: 'qj-1',
        status: 'SUCCEEDED',
        startDate: 1_000,
        stopDate: 6_000,
        output: '{"n":1}',
        outputDetails: { included: true },
        error: null,
      }),
    }),
  ]);
});

test('a script says how long the executions of a machine take, and how they end in turn', () => {
  const executions = open(['*=1s', 'nightly=20s,failed,timed-out']);
  for (const name of ['a', 'b', 'c']) executions.start(MACHINE, name, '{}');
  executions.start(`${MACHINE}-other`, 'd', '{}');
  jest.advanceTimersByTime(1_000);
  expect(statuses()).toEqual(['SUCCEEDED']);
  jest.advanceTimersByTime(19_000);
  expect(statuses()).toEqual(['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'TIMED_OUT']);
  expect(events[1]!.detail).toMatchObject({ output: null, error: 'StandIn' });
});

test('one that was ended by hand does not end once more', () => {
  const executions = open();
  executions.start(MACHINE, 'qj-1', '{}');
  executions.end(RUN, 'FAILED', { error: 'E', cause: 'why' });
  executions.end(RUN, 'SUCCEEDED');
  jest.advanceTimersByTime(10_000);
  expect(statuses()).toEqual(['FAILED']);
  expect(executions.get(RUN)).toMatchObject({ status: 'FAILED', error: 'E', cause: 'why', stoppedMs: 1_000 });
});

test('an event can be lost, be doubled, and be sent again', () => {
  const executions = open();
  for (const name of ['qj-1', 'qj-2']) executions.start(MACHINE, name, '{}');
  executions.deliver(RUN, 'lost');
  executions.deliver(RUN.replace('qj-1', 'qj-2'), 'twice');
  jest.advanceTimersByTime(5_000);
  expect(events.map(({ detail }) => detail.name)).toEqual(['qj-2', 'qj-2']);
  expect(events[0]).toEqual(events[1]);
  executions.deliver(RUN, 'twice');
  expect(events.map(({ detail }) => detail.name)).toEqual(['qj-2', 'qj-2', 'qj-1']);
});

describe('after a run was killed', () => {
  test('what ran goes on, what had ended stays, and a cut-off line is dropped', () => {
    const before = open();
    before.start(MACHINE, 'qj-1', '{}');
    before.start(MACHINE, 'qj-2', '{}');
    before.end(RUN, 'ABORTED');
    before.stop();
    events = [];
    appendFileSync(path, '{"arn":"arn:aws:st');
    const after = open();
    expect(after.list().map(({ name, status }) => [name, status])).toEqual([
      ['qj-2', 'RUNNING'],
      ['qj-1', 'ABORTED'],
    ]);
    jest.advanceTimersByTime(5_000);
    expect(events.map(({ detail }) => [detail.name, detail.status])).toEqual([['qj-2', 'SUCCEEDED']]);
  });

  test('one whose time was over in between ends at the start', () => {
    const before = open();
    before.start(MACHINE, 'qj-1', '{}');
    before.stop();
    jest.advanceTimersByTime(60_000);
    expect(events).toEqual([]);
    open();
    jest.advanceTimersByTime(0);
    expect(statuses()).toEqual(['SUCCEEDED']);
  });
});

describe('the API', () => {
  let sfn: SFNClient;
  let stop: () => Promise<void>;
  beforeEach(async () => {
    jest.useRealTimers();
    const callers = new Callers();
    const endpoint = await startAwsEndpoint(callers, () => undefined);
    const external = new ExternalResources({ clock, newId: () => 'id', onFirst: () => undefined });
    endpoint.serve(stepFunctions(open(['*=1h']), external));
    sfn = new SFNClient({ endpoint: endpoint.url, region: 'us-east-1', credentials: callers.issue() });
    stop = () => endpoint.stop();
  });
  afterEach(async () => {
    sfn.destroy();
    await stop();
  });

  const start = (input: string) =>
    sfn.send(new StartExecutionCommand({ stateMachineArn: MACHINE, name: 'qj-1', input }));

  test('a repeated start is the running execution; another input, or an ended one, is refused', async () => {
    const first = await start('{}');
    expect(first.executionArn).toBe(RUN);
    expect(await start('{}')).toMatchObject({ executionArn: RUN, startDate: first.startDate });
    await expect(start('{"n":1}')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    await sfn.send(new StopExecutionCommand({ executionArn: RUN, cause: 'enough' }));
    await expect(start('{}')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  });

  test('an execution is described, stopped and described again', async () => {
    await start('{"n":1}');
    const describe = () => sfn.send(new DescribeExecutionCommand({ executionArn: RUN }));
    expect(await describe()).toMatchObject({ status: 'RUNNING', input: '{"n":1}', stateMachineArn: MACHINE });
    await sfn.send(new StopExecutionCommand({ executionArn: RUN, cause: 'enough' }));
    expect(await describe()).toMatchObject({
      status: 'ABORTED',
      cause: 'enough',
      stopDate: expect.any(Date),
    });
    expect((await describe()).output).toBeUndefined();
  });

  test('an execution that does not exist is neither described nor stopped', async () => {
    const unknown = { executionArn: `${RUN}0` };
    for (const command of [new DescribeExecutionCommand(unknown), new StopExecutionCommand(unknown)])
      await expect(sfn.send(command as StopExecutionCommand)).rejects.toMatchObject({
        name: 'ExecutionDoesNotExist',
      });
  });
});
