import {
  BatchGetBuildsCommand,
  CodeBuildClient,
  ListBuildsForProjectCommand,
  StartBuildCommand,
} from '@aws-sdk/client-codebuild';
import {
  BatchStopJobRunCommand,
  GetJobCommand,
  GetJobRunCommand,
  GetJobRunsCommand,
  GlueClient,
  StartJobRunCommand,
} from '@aws-sdk/client-glue';

import { MINUTE_MS } from '../../../../../lambdas/core/clock/clock';
import { codebuild } from '../../../../../lambdas/core/delivery/errands/codebuild';
import type { ErrandStart } from '../../../../../lambdas/core/delivery/errands/errand-kind';
import { glue } from '../../../../../lambdas/core/delivery/errands/glue';
import { mockedClient } from '../../../../support/mocked-client';

// What these services are asked, exactly, and what their refusals mean. `errand-kinds.test.ts` has the rest.

const HERE = (service: string) => `arn:aws:${service}:eu-central-1:111122223333`;
const JOB = `${HERE('glue')}:job/etl`;
const PROJECT = `${HERE('codebuild')}:project/site`;
const NAME = `qj-0a1b2c-${'f'.repeat(40)}-0`;
const STARTED_MS = Date.UTC(2026, 11, 1, 8, 30);

const glueClient = mockedClient(GlueClient);
const buildClient = mockedClient(CodeBuildClient);
beforeEach(() => {
  for (const one of [glueClient, buildClient]) one.reset();
});

const call = { region: 'eu-central-1', role: undefined, signal: new AbortController().signal };
const startOf = (target: ErrandStart['target'], more: Partial<ErrandStart> = {}): ErrandStart => ({
  type: 'glue',
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
const errorOf = (name: string, message: string, httpStatusCode: number | undefined) =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });

describe('a run of a Glue job', () => {
  const target = { type: 'glue' as const, glueJobArn: JOB, arguments: { '--day': '7' } };
  const asked = { name: NAME, resource: JOB, firstStartAtMs: STARTED_MS };

  test('is started with what names the execution as arguments, and a limit in minutes', async () => {
    glueClient.on(StartJobRunCommand).resolves({ JobRunId: 'jr_1' });
    expect(await glue.start(startOf(target), call)).toEqual({ how: 'started', id: 'jr_1' });
    expect(glueClient.commandCalls(StartJobRunCommand)[0]!.args[0].input).toEqual({
      JobName: 'etl',
      Arguments: {
        '--day': '7',
        ...Object.fromEntries(VARIABLES.map(([name, value]) => [`--${name}`, value])),
      },
      Timeout: 91,
    });
  });

  test.each([
    ['ConcurrentRunsExceededException', { how: 'refused', result: { outcome: 'retriable' } }],
    ['ResourceNumberLimitExceededException', { how: 'refused', result: { outcome: 'retriable' } }],
    ['OperationTimeoutException', { how: 'unknown' }],
    ['EntityNotFoundException', { how: 'refused', result: { outcome: 'fatal' } }],
  ])('%s', async (name, expected) => {
    glueClient.on(StartJobRunCommand).rejects(errorOf(name, 'no', 400));
    expect(await glue.start(startOf(target), call)).toMatchObject(expected);
  });

  const runsOf = (count: number, startedMs: number) =>
    Array.from({ length: count }, (_, at) => ({ Id: `jr_${at}`, StartedOn: new Date(startedMs) }));

  test('is found among the newest runs by its argument, on whatever page', async () => {
    glueClient
      .on(GetJobRunsCommand)
      .resolvesOnce({ JobRuns: runsOf(200, STARTED_MS + MINUTE_MS), NextToken: 'more' })
      .resolvesOnce({
        JobRuns: [{ Id: 'jr_it', JobRunState: 'RUNNING', Arguments: { '--QUARTERJACK_ERRAND': NAME } }],
        NextToken: 'more',
      });
    expect(await glue.probe(asked, call)).toEqual({ state: 'running', id: 'jr_it' });
  });

  test('runs from before its start end the search; runs beyond what is read leave it open', async () => {
    glueClient
      .on(GetJobRunsCommand)
      .resolves({ JobRuns: runsOf(200, STARTED_MS - 6 * MINUTE_MS), NextToken: 'more' });
    expect(await glue.probe(asked, call)).toEqual({ state: 'none' });
    expect(glueClient.commandCalls(GetJobRunsCommand)).toHaveLength(1);
    glueClient.reset();
    glueClient.on(GetJobRunsCommand).resolves({ JobRuns: runsOf(200, STARTED_MS), NextToken: 'more' });
    expect(await glue.probe(asked, call)).toMatchObject({ state: 'unknown' });
    expect(glueClient.commandCalls(GetJobRunsCommand)).toHaveLength(5);
  });

  test('a stop that Glue refuses is an error', async () => {
    glueClient.on(BatchStopJobRunCommand).resolves({
      Errors: [
        { ErrorDetail: { ErrorCode: 'JobRunInvalidStateTransitionException', ErrorMessage: 'ended' } },
      ],
    });
    await expect(glue.stop({ ...asked, id: 'jr_1' }, 'why', call)).rejects.toThrow('ended');
  });

  test.each([
    ['SUCCEEDED', { how: 'succeeded' }],
    ['TIMEOUT', { how: 'failed', error: 'TIMEOUT: too long' }],
    ['STOPPED', { how: 'stopped' }],
    ['STOPPING', undefined],
  ])('its event %s names its id alone', (state, end) => {
    const event = glue.ofEvent({
      source: 'aws.glue',
      account: '111122223333',
      region: 'eu-central-1',
      detail: { jobName: 'etl', jobRunId: 'jr_1', state, message: 'too long' },
    });
    const more = end?.how === 'failed' && { mayTellMore: true };
    expect(event).toEqual(
      end && { resource: JOB, id: 'jr_1', end: expect.objectContaining(end) as object, ...more },
    );
  });

  test.each([
    [
      2,
      'FAILED: out of memory (MaxRetries of the job is 2: it runs again by itself, unwatched; set it to 0)',
    ],
    [0, 'FAILED: out of memory'],
  ])('a failed run of a job with MaxRetries %i says so', async (MaxRetries, error) => {
    glueClient
      .on(GetJobRunCommand)
      .resolves({ JobRun: { Id: 'jr_1', JobRunState: 'FAILED', ErrorMessage: 'out of memory' } });
    glueClient.on(GetJobCommand).resolves({ Job: { MaxRetries } });
    const seen = await glue.probe({ ...asked, id: 'jr_1' }, call);
    expect(seen).toEqual({ state: 'ended', end: { how: 'failed', error } });
    expect(glueClient.commandCalls(GetJobCommand)[0]!.args[0].input).toEqual({ JobName: 'etl' });
  });

  test('where its job may not be read, a run has failed all the same', async () => {
    glueClient.on(GetJobRunCommand).resolves({ JobRun: { Id: 'jr_1', JobRunState: 'FAILED' } });
    glueClient.on(GetJobCommand).rejects(errorOf('AccessDeniedException', 'no', 400));
    expect(await glue.probe({ ...asked, id: 'jr_1' }, call)).toMatchObject({ end: { error: 'FAILED' } });
  });

  test('of a job of which no run has failed, nothing more is asked', async () => {
    glueClient.on(GetJobRunCommand).resolves({ JobRun: { Id: 'jr_1', JobRunState: 'SUCCEEDED' } });
    await glue.probe({ ...asked, id: 'jr_1' }, call);
    expect(glueClient.commandCalls(GetJobCommand)).toEqual([]);
  });
});

describe('a build of CodeBuild', () => {
  const target = { type: 'codebuild' as const, projectArn: PROJECT, environment: { MODE: 'full' } };
  const asked = { name: NAME, resource: PROJECT, firstStartAtMs: STARTED_MS };

  test('is started with its name as the token, plain variables and a limit', async () => {
    buildClient.on(StartBuildCommand).resolves({ build: { id: 'site:1' } });
    expect(await codebuild.start(startOf(target), call)).toEqual({ how: 'started', id: 'site:1' });
    expect(buildClient.commandCalls(StartBuildCommand)[0]!.args[0].input).toEqual({
      projectName: 'site',
      idempotencyToken: NAME,
      environmentVariablesOverride: [['MODE', 'full'], ...VARIABLES].map(([name, value]) => ({
        ...{ name, value },
        type: 'PLAINTEXT',
      })),
      timeoutInMinutesOverride: 91,
    });
  });

  test.each([
    [1_000, 5],
    [44 * 60 * MINUTE_MS, 2_160],
  ])('a limit of %i ms becomes %i minutes', async (limitMs, minutes) => {
    buildClient.on(StartBuildCommand).resolves({ build: { id: 'site:1' } });
    await codebuild.start(startOf(target, { limitMs }), call);
    expect(buildClient.commandCalls(StartBuildCommand)[0]!.args[0].input).toMatchObject({
      timeoutInMinutesOverride: minutes,
    });
  });

  test('a payload that no variable holds is not sent', async () => {
    const answer = await codebuild.start(startOf(target, { input: JSON.stringify('x'.repeat(6_000)) }), call);
    expect(answer).toMatchObject({ how: 'refused', result: { reason: 'bad-input' } });
    expect(buildClient.calls()).toEqual([]);
  });

  test.each([
    ['InvalidInputException', 'the idempotency token was used with other parameters', { how: 'started' }],
    ['InvalidInputException', 'no such variable', { how: 'refused', result: { outcome: 'fatal' } }],
    [
      'AccountLimitExceededException',
      'too many builds',
      { how: 'refused', result: { outcome: 'retriable' } },
    ],
  ])('%s: %s', async (name, message, expected) => {
    buildClient.on(StartBuildCommand).rejects(errorOf(name, message, 400));
    expect(await codebuild.start(startOf(target), call)).toMatchObject(expected);
  });

  test('several are asked for at once', async () => {
    buildClient.on(BatchGetBuildsCommand).resolves({ builds: [{ id: 'site:2', buildStatus: 'SUCCEEDED' }] });
    const all = ['site:1', 'site:2'].map((id) => ({ ...asked, id }));
    expect(await codebuild.probeMany!(all, call)).toMatchObject([
      { state: 'none' },
      { state: 'ended', end: { how: 'succeeded' } },
    ]);
    expect(buildClient.commandCalls(BatchGetBuildsCommand)[0]!.args[0].input).toEqual({
      ids: ['site:1', 'site:2'],
    });
  });

  test('is found among the newest builds by its variable; its phase says why it failed', async () => {
    buildClient.on(ListBuildsForProjectCommand).resolves({ ids: ['site:2', 'site:1'] });
    buildClient.on(BatchGetBuildsCommand).resolves({
      builds: [
        { id: 'site:2' },
        {
          id: 'site:1',
          buildStatus: 'FAILED',
          autoRetryConfig: { autoRetryLimit: 1 },
          logs: { deepLink: 'https://console.aws.amazon.com/logs' },
          environment: { environmentVariables: [{ name: 'QUARTERJACK_ERRAND', value: NAME }] } as never,
          phases: [
            { phaseType: 'INSTALL', phaseStatus: 'SUCCEEDED' },
            { phaseType: 'BUILD', phaseStatus: 'FAILED', contexts: [{ statusCode: 'E', message: 'exit 2' }] },
          ],
        },
      ],
    });
    expect(await codebuild.probe(asked, call)).toEqual({
      state: 'ended',
      end: {
        how: 'failed',
        error:
          'FAILED: BUILD: E: exit 2 ' +
          '(autoRetryLimit of the project is 1: it runs again by itself, unwatched; set it to 0)',
        logs: 'https://console.aws.amazon.com/logs',
      },
    });
    expect(buildClient.commandCalls(ListBuildsForProjectCommand)[0]!.args[0].input).toEqual({
      projectName: 'site',
      sortOrder: 'DESCENDING',
    });
  });
});
