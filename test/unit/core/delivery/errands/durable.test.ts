import {
  GetDurableExecutionCommand,
  GetDurableExecutionHistoryCommand,
  InvokeCommand,
  LambdaClient,
  ListDurableExecutionsByFunctionCommand,
  StopDurableExecutionCommand,
} from '@aws-sdk/client-lambda';

import { errandProbes, errandStarts } from '../../../../../lambdas/core/delivery/errands/errand-calls';
import type { ErrandStart } from '../../../../../lambdas/core/delivery/errands/errand-kind';
import type { Errand } from '../../../../../lambdas/core/domain/errand';
import { AWS_POLICY } from '../../../../support/aws-policy';
import { mockedClient } from '../../../../support/mocked-client';

const FUNCTION = 'arn:aws:lambda:eu-central-1:111122223333:function:target-orders';
const LIVE = `${FUNCTION}:live`;
const NAME = `qj-1a2b3c-${'0'.repeat(40)}-0`;
const ID = `${FUNCTION}:7/durable-execution/${NAME}/1a2b`;

const lambda = mockedClient(LambdaClient);
beforeEach(() => lambda.reset());

const { signal } = new AbortController();
const ok = { $metadata: { httpStatusCode: 202 } };
const failure = (name: string, httpStatusCode: number) =>
  Object.assign(new Error('no'), { name, $metadata: { httpStatusCode } });

const START: ErrandStart = {
  type: 'durable',
  name: NAME,
  resource: LIVE,
  target: { type: 'lambda', functionArn: LIVE, durable: true },
  input: '{"n":1}',
  limitMs: 3_600_000,
  run: { deliveryId: '0'.repeat(40), jobKey: 'billing/report', execId: 'e', dueAtMs: 0 },
};
const start = () =>
  errandStarts('qj-1a2b3c', AWS_POLICY, () => undefined, {}).start(START, 'billing', signal);

const errand = (more: Partial<Errand> = {}): Errand => ({
  type: 'durable',
  name: NAME,
  resource: LIVE,
  firstStartAtMs: 0,
  ...more,
});
const probes = errandProbes(() => undefined);
const probe = async (more: Partial<Errand> = {}) =>
  (await probes.probe([errand(more)], 'billing', signal))[0];

describe('the start of a durable execution', () => {
  test('is an asynchronous call under the name, which fits, with the payload as its event', async () => {
    lambda.on(InvokeCommand).resolves({ ...ok, DurableExecutionArn: ID });
    expect(await start()).toEqual({ how: 'started', id: ID });
    const { input } = lambda.commandCalls(InvokeCommand)[0]!.args[0];
    expect(input).toMatchObject({
      FunctionName: LIVE,
      InvocationType: 'Event',
      DurableExecutionName: NAME,
    });
    expect(Buffer.from(input.Payload as Uint8Array).toString()).toBe('{"n":1}');
    expect(NAME.length).toBeLessThanOrEqual(57);
  });

  test('of a function that is not durable is refused for good', async () => {
    lambda.on(InvokeCommand).resolves({ ...ok, StatusCode: 202 });
    expect(await start()).toMatchObject({
      how: 'refused',
      result: { outcome: 'fatal', error: expect.stringContaining('not a durable function') as string },
    });
  });

  test('under a name that is taken is the one that runs: a probe finds it', async () => {
    lambda.on(InvokeCommand).rejects(failure('DurableExecutionAlreadyStartedException', 409));
    expect(await start()).toEqual({ how: 'started' });
  });

  test.each([
    ['TooManyRequestsException', 429, { how: 'refused', result: { outcome: 'retriable' } }],
    ['ResourceNotFoundException', 404, { how: 'refused', result: { outcome: 'fatal' } }],
    ['ServiceException', 500, { how: 'unknown' }],
  ])('that is answered by %s %d: %j', async (name, status, started) => {
    lambda.on(InvokeCommand).rejects(failure(name, status));
    expect(await start()).toMatchObject(started);
  });
});

describe('a probe of a durable execution', () => {
  const is = (more: object) => lambda.on(GetDurableExecutionCommand).resolves(more as never);

  test('without its id looks for its name among those of all versions', async () => {
    const found = [
      { DurableExecutionArn: `${ID}-longer`, DurableExecutionName: `${NAME}0` },
      { DurableExecutionArn: ID, DurableExecutionName: NAME },
    ];
    lambda.on(ListDurableExecutionsByFunctionCommand).resolves({ DurableExecutions: found } as never);
    is({ Status: 'RUNNING' });
    expect(await probe()).toEqual({ state: 'running', id: ID });
    const { input } = lambda.commandCalls(ListDurableExecutionsByFunctionCommand)[0]!.args[0];
    expect(input).toEqual({ FunctionName: FUNCTION, DurableExecutionName: NAME });
  });

  test('that finds no such name says so', async () => {
    lambda.on(ListDurableExecutionsByFunctionCommand).resolves({ DurableExecutions: [] });
    expect(await probe()).toEqual({ state: 'none' });
  });

  test.each([
    [
      { Status: 'SUCCEEDED', Result: '{"a":1}' },
      { how: 'succeeded', body: '{"a":1}', output: expect.anything() as unknown },
    ],
    [
      { Status: 'FAILED', Error: { ErrorType: 'OutOfStock', ErrorMessage: 'none left' } },
      { how: 'failed', error: 'FAILED: OutOfStock: none left', errorName: 'OutOfStock' },
    ],
    [{ Status: 'TIMED_OUT' }, { how: 'failed', error: 'TIMED_OUT' }],
    [{ Status: 'STOPPED' }, { how: 'stopped', error: 'STOPPED' }],
  ])('%j is an end', async (answer, end) => {
    is(answer);
    expect(await probe({ id: ID })).toEqual({ state: 'ended', end });
    expect(lambda.commandCalls(ListDurableExecutionsByFunctionCommand)).toEqual([]);
  });

  test.each([
    ['ResourceNotFoundException', 404, { state: 'none' }],
    ['AccessDeniedException', 403, { state: 'unknown' }],
    ['TooManyRequestsException', 429, { state: 'unknown', isThrottled: true }],
  ])('%s %d: %j', async (name, status, seen) => {
    lambda.on(GetDurableExecutionCommand).rejects(failure(name, status));
    expect(await probe({ id: ID })).toMatchObject(seen);
  });
});

test('its steps are asked for without their data, the newest event first', async () => {
  lambda.on(GetDurableExecutionHistoryCommand).resolves({
    Events: [{ EventType: 'StepStarted', Id: 'a', Name: 'reserve', EventTimestamp: new Date(1_000) }],
  });
  expect(await probes.steps(errand({ id: ID }), 'billing', signal)).toEqual([
    { name: 'reserve', state: 'open', startedAtMs: 1_000 },
  ]);
  const { input } = lambda.commandCalls(GetDurableExecutionHistoryCommand)[0]!.args[0];
  expect(input).toEqual({ DurableExecutionArn: ID, IncludeExecutionData: false, ReverseOrder: true });
});

test('it is stopped by its id, with the reason', async () => {
  lambda.on(StopDurableExecutionCommand).resolves({});
  await probes.stop(errand({ id: ID }), 'its time is over', 'billing', signal);
  const { input } = lambda.commandCalls(StopDurableExecutionCommand)[0]!.args[0];
  expect(input).toEqual({
    DurableExecutionArn: ID,
    Error: { ErrorType: 'Quarterjack', ErrorMessage: 'its time is over' },
  });
});

describe('the event of an end', () => {
  const event = (detail: object, more: object = {}) => ({
    source: 'aws.lambda',
    account: '111122223333',
    region: 'eu-central-1',
    ...more,
    detail: {
      durableExecutionArn: ID,
      durableExecutionName: NAME,
      functionArn: `${FUNCTION}:7`,
      status: 'SUCCEEDED',
      startTimestamp: '2026-11-20T13:08:22.345Z',
      endTimestamp: '2026-11-20T13:09:22.345Z',
      ...detail,
    },
  });

  test('names the version, and is that of a target with an alias of the function', async () => {
    const ended = await probes.ofEvent(event({}));
    expect(ended).toMatchObject({ type: 'durable', name: NAME, id: ID, isBrief: true });
    expect(ended?.isOf(LIVE)).toBe(true);
    expect(ended?.isOf(`${FUNCTION}-2:live`)).toBe(false);
  });

  test.each([
    ['a start', event({ status: 'RUNNING' })],
    ['a function of another account', event({}, { account: '999999999999' })],
    ['a function in another region', event({}, { region: 'eu-west-1' })],
    ['no name', event({ durableExecutionName: undefined })],
  ])('%s is none', async (_, other) => {
    expect(await probes.ofEvent(other)).toBeUndefined();
  });
});
