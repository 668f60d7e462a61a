import type { HttpTarget } from '../../../lambdas/core/domain/target';
import type { TargetResult } from '../../../lambdas/core/domain/target-result';
import { DUE_MS } from '../../support/long-job';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const DONE: TargetResult = { outcome: 'succeeded', statusCode: 200, body: 'ok' };
const OBSERVER_TOKEN = { status: 403, body: { type: expect.stringMatching(/\/observer-token$/) } };

/** A one-time job with `observe`, in its first call: `answer` responds to the last call. */
async function underWay() {
  const world = await PipelineWorld.started(1);
  const tokens: string[] = [];
  const answers: ((result: TargetResult) => void)[] = [];
  world.observe = ({ headers }) => tokens.push(headers['quarterjack-token']!);
  world.behaviour = (_, signal) =>
    new Promise((resolve) => {
      answers.push(resolve);
      signal.addEventListener('abort', () => resolve({ outcome: 'retriable', error: 'call aborted' }));
    });
  const target: HttpTarget = { ...(newJobAt(world, {}).target as HttpTarget), observe: true, timeout: '10m' };
  const schedule = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };
  const job = await world.create(newJobAt(world, { schedule, target, timeout: '10m' }));
  await world.run(32 * SECOND_MS);
  const { execId } = world.executions(job)[0]!;
  return {
    world,
    job,
    tokens,
    answer: (result = DONE) => answers.at(-1)!(result),
    row: () => world.executions(job)[0]!,
    view: async () => (await world.api('getExecution', { jobId: job.jobId, execId })).body,
    ask: (operation: Parameters<typeof world.api>[0], body: object = {}, token = tokens.at(-1)!) =>
      world.api(operation, {}, body, { authorization: `Bearer ${token}` }),
  };
}

test.each([
  ['200 letters of a byte', 'x'.repeat(200)],
  ['200 of three bytes', '漢'.repeat(200)],
])('a progress with %s costs a usual row one unit', async (_, text) => {
  const { world, ask, answer } = await underWay();
  const units = world.tables.units().writeUnits;
  expect((await ask('heartbeatAttempt', { progress: 0.5, text })).status).toBe(200);
  expect(world.tables.units().writeUnits - units).toBe(1);
  answer();
  await world.run(SECOND_MS);
});

test('while a target works, its token says whether to go on, and shows how far it is', async () => {
  const { world, ask, view, row, answer } = await underWay();
  const before = row();
  const units = world.tables.units().writeUnits;
  const going = { status: 200, body: { status: 'running', cancelRequested: false } };
  expect(await ask('heartbeatAttempt')).toMatchObject(going);
  expect(world.tables.units().writeUnits).toBe(units);
  expect(row()).toEqual(before);
  expect(await ask('heartbeatAttempt', { progress: 0.4, text: 'page 4 of 10' })).toMatchObject(going);
  expect(world.tables.units().writeUnits).toBe(units + 1);
  const progress = { value: 0.4, text: 'page 4 of 10', at: new Date(world.clock.nowMs()).toISOString() };
  expect(await view()).toMatchObject({ status: 'running', progress });
  await ask('heartbeatAttempt');
  expect(await view()).toMatchObject({
    progress,
    heartbeatAt: new Date(before.heartbeatAtMs!).toISOString(),
  });
  answer();
  await world.run(SECOND_MS);
  expect(await view()).toMatchObject({ status: 'succeeded', progress, result: { body: 'ok' } });
  expect(await ask('heartbeatAttempt', { progress: 1 })).toMatchObject({ status: 409 });
  expect(await view()).toMatchObject({ progress });
});

test('the token decides nothing: the response is the result', async () => {
  const { world, ask, view, row, answer } = await underWay();
  const before = row();
  expect(await ask('completeAttempt', { result: 'mine' })).toMatchObject(OBSERVER_TOKEN);
  expect(await ask('failAttempt', { error: 'mine', retriable: false })).toMatchObject(OBSERVER_TOKEN);
  expect(await ask('releaseWork')).toMatchObject(OBSERVER_TOKEN);
  expect(row()).toEqual(before);
  answer({ outcome: 'fatal', statusCode: 422, error: 'target answered 422' });
  await world.run(SECOND_MS);
  expect(await view()).toMatchObject({ status: 'failed', attempts: [{ statusCode: 422 }] });
});

test('the token appends to the log of its attempt', async () => {
  const { world, job, ask, row } = await underWay();
  const lines = [{ text: 'page 4' }];
  expect(await ask('appendLog', { chunk: 0, lines })).toMatchObject({ status: 200 });
  const log = await world.api('getExecutionLog', { jobId: job.jobId, execId: row().execId });
  expect(log.body).toMatchObject({ items: [{ text: 'page 4', attempt: 1 }] });
});

test('a cancel is heard before and after the executor has heard it', async () => {
  const { world, job, ask, row, view } = await underWay();
  await world.api('cancelExecution', { jobId: job.jobId, execId: row().execId });
  expect((await ask('heartbeatAttempt')).body).toEqual({ status: 'running', cancelRequested: true });
  const answer = await ask('heartbeatAttempt', { progress: 0.5 });
  expect(answer.body).toEqual({ status: 'running', cancelRequested: true });
  await world.run(10 * SECOND_MS);
  expect(await view()).toMatchObject({ status: 'cancelled' });
  const after = await ask('heartbeatAttempt');
  expect(after).toMatchObject({ status: 200, body: { status: 'cancelled', cancelRequested: true } });
});

test('a retry has a token and a progress of its own, and the token before is stale', async () => {
  const { world, tokens, ask, answer, view } = await underWay();
  await ask('heartbeatAttempt', { progress: 0.9 });
  answer({ outcome: 'retriable', statusCode: 503 });
  await world.run(SECOND_MS);
  expect(await view()).toMatchObject({ status: 'retrying', progress: { value: 0.9 } });
  await world.run(20 * SECOND_MS);
  const [first, second] = tokens;
  expect(second).not.toBe(first);
  expect(await view()).toMatchObject({ status: 'running' });
  expect(await view()).not.toHaveProperty('progress');
  for (const body of [{}, { progress: 0.95 }])
    expect(await ask('heartbeatAttempt', body, first)).toMatchObject({
      status: 409,
      body: { detail: 'the token is stale: its attempt is on record as retriable' },
    });
  expect(await view()).not.toHaveProperty('progress');
  expect(await ask('appendLog', { chunk: 0, lines: [{ text: 'late' }] }, first)).toMatchObject({
    status: 200,
  });
  expect((await ask('heartbeatAttempt', { progress: 0.1 }, second)).status).toBe(200);
  expect(await view()).toMatchObject({ progress: { value: 0.1 } });
});

test('heartbeats of an observer keep no lease: the attempt of a lost executor is taken over', async () => {
  const { world, tokens, ask } = await underWay();
  world.onExecutorCall = (_, kill) => {
    world.onExecutorCall = undefined;
    kill();
  };
  for (let times = 0; times < 8; times++) {
    await world.run(10 * SECOND_MS);
    await ask('heartbeatAttempt', { progress: times / 10 }, tokens[0]);
  }
  expect(world.onExecutorCall).toBeUndefined();
  await world.run(30 * SECOND_MS);
  expect(tokens.length).toBeGreaterThan(1);
  expect(await ask('heartbeatAttempt', {}, tokens[0])).toMatchObject({ status: 409 });
});

test.each([
  [{ progress: 1.1 }, 'progress', 'must be a number from 0 to 1'],
  [{ progress: -0.1 }, 'progress', 'must be a number from 0 to 1'],
  [{ progress: '0.5' }, 'progress', 'must be a number from 0 to 1'],
  [{ progress: 0.5, text: 'x'.repeat(201) }, 'text', 'must have 1 to 200 characters'],
  [{ progress: 0.5, text: 'a\nb' }, 'text', 'must not contain control characters'],
  [{ text: 'page 4' }, 'text', 'is only allowed with "progress"'],
])('a heartbeat with %j is refused', async (body, path, message) => {
  const { ask, row } = await underWay();
  const before = row();
  const errors = [{ path, message: expect.stringContaining(message) }];
  expect(await ask('heartbeatAttempt', body)).toMatchObject({ status: 400, body: { errors } });
  expect(row()).toEqual(before);
});
