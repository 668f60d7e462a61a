import type { AttemptRecord } from '../../../lambdas/core/domain/execution';
import { DUE_MS, longJob } from '../../support/long-job';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test('heartbeats keep one attempt running for three hours', async () => {
  const { world, heartbeat, complete, execution } = await longJob({ heartbeatTimeout: '10m' });
  await world.run(MINUTE_MS);
  const before = { ...world.tables.units() };
  for (let heartbeats = 0; heartbeats < 3 * 7; heartbeats++) {
    await world.run(HOUR_MS / 7);
    expect(await heartbeat()).toEqual({
      status: 200,
      body: { status: 'running', cancelRequested: false },
    });
  }
  const writes = world.tables.units().writeUnits - before.writeUnits;
  const cursors = 3 * 60 * 3; // scanner and sweeper once a minute, and the sweeper past settled entries
  expect(writes).toBeLessThanOrEqual(3 * 7 * 2 + cursors); // each heartbeat, and at most one recheck for each
  expect(execution()).toMatchObject({ status: 'running', attempt: 1, fence: 1 });

  expect(await complete(0, { result: { rows: 7 } })).toEqual({ status: 200, body: { status: 'succeeded' } });
  expect(execution()).toMatchObject({
    status: 'succeeded',
    result: { body: '{"rows":7}' },
    attempts: [{ attempt: 1, fence: 1, outcome: 'succeeded' }],
  });
  expect(execution()).not.toHaveProperty('delegatedTo');
  await world.run(15 * MINUTE_MS);
  expect(world.calls).toHaveLength(1);
  expect(world.errors()).toEqual([]);
});

test('a target that stops its heartbeats is retried, and its late report is kept as a late result', async () => {
  const { world, heartbeat, complete, execution, seen } = await longJob({ heartbeatTimeout: '2m' });
  await world.run(2 * MINUTE_MS);
  expect((await heartbeat()).status).toBe(200);
  await world.run(100 * SECOND_MS);
  expect(world.calls).toHaveLength(1);
  await world.run(70 * SECOND_MS);
  expect(world.calls.map(({ attempt, fence }) => [attempt, fence])).toEqual([
    [1, 1],
    [2, 2],
  ]);
  expect(execution()).toMatchObject({ status: 'running', failures: 1, takeovers: 0 });

  expect(await heartbeat(0)).toMatchObject({ status: 409 });
  expect(await complete(0)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('on record as lost') },
  });
  expect(await complete(0)).toMatchObject({ status: 409 });
  expect(await complete(1)).toMatchObject({ status: 200 });
  expect(await complete(1)).toMatchObject({ status: 409 });
  expect(await seen()).toMatchObject({
    status: 'succeeded',
    attempts: [
      { attempt: 1, fence: 1, outcome: 'lost', error: expect.stringContaining('no heartbeat since') },
      { attempt: 2, fence: 2, outcome: 'succeeded' },
      { attempt: 1, fence: 1, outcome: 'succeeded', late: true },
    ],
  });
  expect(world.errors()).toEqual([]);
});

test('a target that never reports fails the execution once its attempts are exhausted', async () => {
  const retry = { maxAttempts: 2, initialDelay: '10s', maxDelay: '1h', multiplier: 2, maxAge: '24h' };
  const { world, complete, execution } = await longJob({ heartbeatTimeout: '1m', overrides: { retry } });
  await world.run(6 * MINUTE_MS);
  expect(world.calls).toHaveLength(2);
  expect(execution()).toMatchObject({ status: 'failed', reason: 'attempts-exhausted' });
  expect(await complete(1)).toMatchObject({ status: 409 });
  expect(execution()).toMatchObject({ status: 'failed', lateResults: [{ fence: 2, outcome: 'succeeded' }] });
});

test("the job's timeout bounds an attempt, however many heartbeats it sends", async () => {
  const { world, heartbeat, execution } = await longJob({
    heartbeatTimeout: '1m',
    overrides: { timeout: '5m' },
  });
  await world.run(30 * SECOND_MS);
  for (let heartbeats = 0; heartbeats < 12; heartbeats++) {
    await world.run(30 * SECOND_MS);
    if (heartbeats < 9) expect(await heartbeat()).toMatchObject({ status: 200 });
  }
  expect(world.calls).toHaveLength(2);
  expect(world.calls[1]!.atMs - DUE_MS).toBeGreaterThanOrEqual(5 * MINUTE_MS);
  expect(execution().attempts).toEqual([
    expect.objectContaining({ outcome: 'retriable', error: expect.stringContaining('timed out') }),
  ]);
});

test("the job's timeout ends a delegated lease, although its target goes on with its heartbeats", async () => {
  const { world, heartbeat, execution } = await longJob({
    heartbeatTimeout: '1m',
    overrides: { timeout: '5m' },
  });
  await world.run(30 * SECOND_MS);
  const statuses: number[] = [];
  for (let heartbeats = 0; heartbeats < 16; heartbeats++) {
    await world.run(30 * SECOND_MS);
    statuses.push((await heartbeat()).status);
  }
  expect(statuses.slice(0, 9)).toEqual(Array(9).fill(200));
  expect(statuses.at(-1)).toBe(409);
  const [{ outcome, finishedAtMs }] = execution().attempts as [AttemptRecord];
  expect(outcome).toBe('retriable');
  expect(finishedAtMs - DUE_MS).toBeGreaterThanOrEqual(5 * MINUTE_MS);
  expect(finishedAtMs - DUE_MS).toBeLessThanOrEqual(5 * MINUTE_MS + 40 * SECOND_MS);
  expect(world.calls[1]!.atMs).toBeGreaterThan(finishedAtMs);
});

test('a cancel: the next heartbeat reports it without extending the lease, and the lease then expires', async () => {
  const { world, job, heartbeat, complete, execution } = await longJob({ heartbeatTimeout: '3m' });
  await world.run(MINUTE_MS);
  const { execId } = execution();
  expect((await world.api('cancelExecution', { jobId: job.jobId, execId })).status).toBe(202);
  expect(await heartbeat()).toMatchObject({ status: 200, body: { cancelRequested: true } });
  await world.run(MINUTE_MS);
  expect(await heartbeat()).toMatchObject({ status: 200, body: { cancelRequested: true } });
  await world.run(2 * MINUTE_MS);
  expect(execution()).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
  expect(await complete()).toMatchObject({ status: 409 });
  expect(world.calls).toHaveLength(1);
});

test.each([
  ['failAttempt', 'cancelled'],
  ['completeAttempt', 'succeeded'],
] as const)('a cancel, then %s: %s', async (operation, status) => {
  const { world, job, tokens, execution } = await longJob();
  await world.run(MINUTE_MS);
  await world.api('cancelExecution', { jobId: job.jobId, execId: execution().execId });
  const answer = await world.api(operation, {}, {}, { authorization: `Bearer ${tokens[0]}` });
  expect(answer).toEqual({ status: 200, body: { status } });
  expect(execution()).toMatchObject({ status });
});

test.each([
  ['completeAttempt', 'succeeded', undefined],
  ['failAttempt', 'cancelled', 'deleted'],
] as const)('a job deleted while its target works, then %s: %s', async (operation, status, reason) => {
  const { world, job, tokens } = await longJob();
  await world.run(MINUTE_MS);
  expect((await world.api('deleteJob', { jobId: job.jobId })).status).toBe(204);
  const answer = await world.api(operation, {}, {}, { authorization: `Bearer ${tokens[0]}` });
  expect(answer).toEqual({ status: 200, body: { status } });
  expect(world.executions(job)[0]!.reason).toBe(reason);
});

test('an execution occupies its job until its target has reported', async () => {
  const { world, job, complete } = await longJob({
    heartbeatTimeout: '20m',
    overrides: { overlap: 'queue', schedule: { type: 'cron', expression: '* * * * *' } },
  });
  await world.run(6 * MINUTE_MS);
  expect(world.calls).toHaveLength(1);
  world.behaviour = () => ({ outcome: 'succeeded', statusCode: 200 });
  expect(await complete()).toMatchObject({ status: 200 });
  await world.run(2 * SECOND_MS);
  expect(world.calls).toHaveLength(2);
  const [first, second, ...others] = world.executions(job).map(({ status }) => status);
  expect([first, second]).toEqual(['succeeded', 'succeeded']);
  expect(new Set(others)).toEqual(new Set(['skipped']));
});
