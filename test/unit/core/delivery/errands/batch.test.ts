import {
  BatchClient,
  DescribeJobsCommand,
  ListJobsCommand,
  SubmitJobCommand,
  TerminateJobCommand,
} from '@aws-sdk/client-batch';

import { MINUTE_MS } from '../../../../../lambdas/core/clock/clock';
import { batch } from '../../../../../lambdas/core/delivery/errands/batch';
import type { ErrandStart } from '../../../../../lambdas/core/delivery/errands/errand-kind';
import { mockedClient } from '../../../../support/mocked-client';

// What Batch is asked, exactly, and what its answers mean. `errand-kinds.test.ts` has the rest.

const HERE = (service: string) => `arn:aws:${service}:eu-central-1:111122223333`;
const DEFINITION = `${HERE('batch')}:job-definition/report:7`;
const QUEUE = `${HERE('batch')}:job-queue/spot`;
const NAME = `qj-0a1b2c-${'f'.repeat(40)}-0`;
const STARTED_MS = Date.UTC(2026, 11, 1, 8, 30);

const batchClient = mockedClient(BatchClient);
beforeEach(() => batchClient.reset());

const call = { region: 'eu-central-1', role: undefined, signal: new AbortController().signal };
const startOf = (target: ErrandStart['target'], more: Partial<ErrandStart> = {}): ErrandStart => ({
  type: 'batch',
  name: NAME,
  resource: 'arn',
  target,
  input: '{"day":"2026-12-01"}',
  limitMs: 90 * MINUTE_MS + 1,
  run: {
    deliveryId: 'f'.repeat(40),
    jobKey: 'billing/report',
    execId: '20261201T083000.000Z',
    dueAtMs: STARTED_MS,
  },
  ...more,
});
const VARIABLES = [
  ['QUARTERJACK_DUE', '2026-12-01T08:30:00.000Z'],
  ['QUARTERJACK_ERRAND', NAME],
  ['QUARTERJACK_EXECUTION', '20261201T083000.000Z'],
  ['QUARTERJACK_ID', 'f'.repeat(40)],
  ['QUARTERJACK_JOB', 'report'],
  ['QUARTERJACK_PAYLOAD', '{"day":"2026-12-01"}'],
] as const;
test('several are described by one call', async () => {
  batchClient.on(DescribeJobsCommand).resolves({ jobs: [{ jobId: 'j2', status: 'SUCCEEDED' } as never] });
  const asked = { name: NAME, resource: DEFINITION, runsIn: QUEUE, firstStartAtMs: STARTED_MS };
  const all = ['j1', 'j2'].map((id) => ({ ...asked, id }));
  expect(await batch.probeMany!(all, call)).toMatchObject([
    { state: 'none' },
    { state: 'ended', end: { how: 'succeeded' } },
  ]);
  expect(batchClient.commandCalls(DescribeJobsCommand).map(({ args }) => args[0].input)).toEqual([
    { jobs: ['j1', 'j2'] },
  ]);
});

const errorOf = (name: string, message: string, httpStatusCode: number | undefined) =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });

describe('a job of Batch', () => {
  const target = {
    type: 'batch' as const,
    jobDefinitionArn: DEFINITION,
    jobQueueArn: QUEUE,
    environment: { MODE: 'full' },
    parameters: { day: '7' },
    command: ['make', 'Ref::day'],
    vcpus: 0.5,
    memory: 1_024,
  };
  const asked = { name: NAME, resource: DEFINITION, runsIn: QUEUE, firstStartAtMs: STARTED_MS };

  test('is submitted under its name, with what names the execution, and a limit', async () => {
    batchClient.on(SubmitJobCommand).resolves({ jobId: 'j1' });
    expect(await batch.start(startOf(target), call)).toEqual({ how: 'started', id: 'j1' });
    expect(batchClient.commandCalls(SubmitJobCommand)[0]!.args[0].input).toEqual({
      jobName: NAME,
      jobQueue: QUEUE,
      jobDefinition: DEFINITION,
      containerOverrides: {
        environment: [['MODE', 'full'], ...VARIABLES].map(([name, value]) => ({ name, value })),
        command: ['make', 'Ref::day'],
        resourceRequirements: [
          { type: 'VCPU', value: '0.5' },
          { type: 'MEMORY', value: '1024' },
        ],
      },
      parameters: { day: '7' },
      timeout: { attemptDurationSeconds: 5_401 },
    });
  });

  test.each([
    ['overrides of 8\\d\\d\\d characters; ECS allows 8192', { input: JSON.stringify('x'.repeat(8_000)) }],
    [
      'a job of 3\\d\\d\\d\\d bytes; Batch allows 30720',
      {
        target: {
          ...target,
          parameters: Object.fromEntries(
            Array.from({ length: 10 }, (_, at) => [`p${at}`, 'x'.repeat(3_100)]),
          ),
        },
      },
    ],
  ])('too large to start: %s', async (error, more) => {
    const answer = await batch.start(startOf(target, more), call);
    expect(answer).toMatchObject({
      how: 'refused',
      result: { outcome: 'fatal', reason: 'bad-input', error: expect.stringMatching(error) as string },
    });
    expect(batchClient.calls()).toEqual([]);
  });

  test('a short limit is the shortest that Batch takes', async () => {
    batchClient.on(SubmitJobCommand).resolves({ jobId: 'j1' });
    await batch.start(startOf(target, { limitMs: 5_000 }), call);
    expect(batchClient.commandCalls(SubmitJobCommand)[0]!.args[0].input).toMatchObject({
      timeout: { attemptDurationSeconds: 60 },
    });
  });

  test('is found by its whole name: the filter takes no account of case', async () => {
    batchClient.on(ListJobsCommand).resolves({
      jobSummaryList: [
        { jobName: NAME.toUpperCase(), jobId: 'other' },
        { jobName: NAME, jobId: 'j1' },
      ],
    });
    batchClient.on(DescribeJobsCommand, { jobs: ['j1'] }).resolves({
      jobs: [
        {
          jobName: NAME,
          jobId: 'j1',
          jobQueue: QUEUE,
          jobDefinition: DEFINITION,
          status: 'RUNNABLE',
          startedAt: 0,
        },
      ],
    });
    expect(await batch.probe(asked, call)).toEqual({ state: 'running', id: 'j1' });
    expect(batchClient.commandCalls(ListJobsCommand)[0]!.args[0].input).toEqual({
      jobQueue: QUEUE,
      filters: [{ name: 'JOB_NAME', values: [NAME] }],
    });
    await batch.stop({ ...asked, id: 'j1' }, 'its time is over', call);
    expect(batchClient.commandCalls(TerminateJobCommand)[0]!.args[0].input).toEqual({
      jobId: 'j1',
      reason: 'its time is over',
    });
  });

  test.each([
    ['no answer', errorOf('TimeoutError', 'socket', undefined), { how: 'unknown' }],
    ['a fault', errorOf('ServerException', 'oops', 500), { how: 'unknown' }],
    [
      'a refusal',
      errorOf('ClientException', 'no such queue', 400),
      { how: 'refused', result: { outcome: 'fatal' } },
    ],
  ])('%s', async (_, error, expected) => {
    batchClient.on(SubmitJobCommand).rejects(error);
    expect(await batch.start(startOf(target), call)).toMatchObject(expected);
  });

  const eventOf = (detail: object) =>
    batch.ofEvent({
      source: 'aws.batch',
      account: '111122223333',
      region: 'eu-central-1',
      detail: { jobName: NAME, jobDefinition: DEFINITION, jobId: 'j1', ...detail },
    })?.end;

  test.each([
    ['one that goes on', { status: 'RUNNABLE' }, undefined],
    ['exit 0', { status: 'SUCCEEDED', container: { exitCode: 0 } }, { how: 'succeeded', body: 'exit 0' }],
    [
      'a stream of logs',
      { status: 'SUCCEEDED', container: { exitCode: 0, logStreamName: 'report/default/0a1b' } },
      { how: 'succeeded', body: 'exit 0', logs: 'report/default/0a1b' },
    ],
    [
      'another exit code',
      { status: 'FAILED', statusReason: 'Essential container in task exited', container: { exitCode: 3 } },
      { how: 'failed', exitCode: 3, error: 'exit 3: Essential container in task exited' },
    ],
    [
      'the loss of its host',
      { status: 'FAILED', statusReason: 'Host EC2 (instance i-0a1b) terminated.', container: {} },
      { how: 'lost', error: 'Host EC2 (instance i-0a1b) terminated.' },
    ],
    [
      'a person',
      { status: 'FAILED', statusReason: 'not today', isTerminated: true, container: { exitCode: 137 } },
      { how: 'stopped', error: 'exit 137: not today' },
    ],
    [
      'an image that is not there',
      { status: 'FAILED', statusReason: 'CannotPullContainerError: manifest unknown', container: {} },
      { how: 'failed', isFatal: true },
    ],
  ])('ends by %s', (_, detail, expected) => {
    if (expected) expect(eventOf(detail)).toMatchObject(expected);
    else expect(eventOf(detail)).toBeUndefined();
  });

  test('an event of a revision is that of its definition, and of no other revision', () => {
    const family = DEFINITION.slice(0, -2);
    expect(batch.isSame?.(family, DEFINITION)).toBe(true);
    expect(batch.isSame?.(`${family}:6`, DEFINITION)).toBe(false);
    expect(batch.isSame?.(family, `${family}s:7`)).toBe(false);
  });
});
