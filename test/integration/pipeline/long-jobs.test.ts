import type { Job } from '../../../lambdas/core/domain/job';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DUE_MS = T0_MS + 30 * SECOND_MS;

const ACCEPTED = { outcome: 'accepted', statusCode: 202 } as const;

interface Made {
  heartbeatTimeout?: string;
  overrides?: Partial<Job>;
}

/** A world with a one-time job whose target answers 202, before it is due. `tokens` in the order of the calls. */
async function longJob({ heartbeatTimeout, overrides }: Made = {}) {
  const world = await PipelineWorld.started(1);
  const tokens: string[] = [];
  world.behaviour = () => ACCEPTED;
  world.observe = ({ headers }) => tokens.push(headers['quarterjack-token']!);
  const target = { ...newJobAt(world, {}).target, mode: 'async' as const, heartbeatTimeout };
  const schedule = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };
  const job = await world.create(newJobAt(world, { schedule, target, timeout: '7d', ...overrides }));
  const report =
    (operation: 'heartbeatAttempt' | 'completeAttempt' | 'failAttempt', token: string) => (body?: unknown) =>
      world.api(operation, {}, body, { authorization: `Bearer ${token}` });
  return {
    world,
    job,
    tokens,
    heartbeat: (call = 0) => report('heartbeatAttempt', tokens[call]!)(),
    complete: (call = 0, body?: unknown) => report('completeAttempt', tokens[call]!)(body),
    fail: (call = 0, body?: unknown) => report('failAttempt', tokens[call]!)(body),
    execution: () => world.executions(job)[0]!,
    /** As its user sees it. */
    seen: async () =>
      (await world.api('getExecution', { jobId: job.jobId, execId: world.executions(job)[0]!.execId })).body,
  };
}

test('a job runs for three hours on its heartbeats, in one attempt', async () => {
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
  const cursors = 3 * 60 * 3; // scanner and sweeper once a minute, and the sweeper past what it settled
  expect(writes).toBeLessThanOrEqual(3 * 7 * 2 + cursors); // each heartbeat, and a look at most for each
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
}, 120_000);

test('a target that falls silent is called again, by the retry policy; its late report is kept as such', async () => {
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

test("the job's timeout bounds an attempt, however often it heartbeats", async () => {
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

test.each([
  [{ error: 'disk full', retriable: true }, 'retrying', 'retriable', 2],
  [{ error: 'disk full', retriable: false }, 'failed', 'fatal', 1],
  [undefined, 'retrying', 'retriable', 2],
])('a failure that is reported, %j: %s', async (body, status, outcome, calls) => {
  const { world, fail, execution } = await longJob();
  await world.run(MINUTE_MS);
  expect(await fail(0, body)).toEqual({ status: 200, body: { status } });
  await world.run(MINUTE_MS);
  expect(world.calls).toHaveLength(calls);
  expect(execution().attempts[0]).toMatchObject({ outcome, ...(body && { error: body.error }) });
});

test('a report that comes before the 202 ends the attempt, and the executor knows', async () => {
  const { world, complete, execution } = await longJob();
  world.behaviour = async () => {
    expect(await complete()).toMatchObject({ status: 200 });
    return ACCEPTED;
  };
  await world.run(2 * MINUTE_MS);
  expect(execution()).toMatchObject({ status: 'succeeded', attempts: [{ outcome: 'succeeded' }] });
  expect(world.calls).toHaveLength(1);
  expect(world.log.lines.filter(({ message }) => message.includes('lease lost'))).toEqual([]);
  expect(world.errors()).toEqual([]);
});

test('a report that comes before a 200 stands; the answer adds nothing', async () => {
  const { world, complete, execution } = await longJob();
  world.behaviour = async () => {
    expect(await complete(0, { result: 'first' })).toMatchObject({ status: 200 });
    return { outcome: 'succeeded', statusCode: 200, body: 'second' };
  };
  await world.run(2 * MINUTE_MS);
  expect(execution()).toMatchObject({ status: 'succeeded', result: { body: 'first' } });
  expect(execution().attempts).toHaveLength(1);
  expect(execution()).not.toHaveProperty('lateResults');
});

test('of many reports at once one is taken', async () => {
  const { world, complete, fail, execution } = await longJob();
  await world.run(MINUTE_MS);
  const answers = await Promise.all([
    complete(0, { result: 'one' }),
    fail(0, { retriable: false }),
    complete(0, { result: 'two' }),
    fail(),
    complete(0, { result: 'three' }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
  expect(execution().attempts).toHaveLength(1);
});

test.each(Array.from({ length: 12 }, (_, index) => index))(
  'a report and the takeover, %i00 ms around the limit: one of them stands',
  async (step) => {
    const { world, complete, execution } = await longJob({ heartbeatTimeout: '1m' });
    await world.run(30 * SECOND_MS + 65 * SECOND_MS + step * 100);
    const [answer] = await Promise.all([complete(), world.sweep()]);
    await world.run(3 * MINUTE_MS);
    const [first] = execution().attempts;
    expect(first!.outcome).toBe(answer.status === 200 ? 'succeeded' : 'lost');
    expect(world.calls.length > 1).toBe(answer.status !== 200);
    expect(world.errors()).toEqual([]);
  },
);

test('an executor that dies between the entry and the hand-over: taken over as any other', async () => {
  const { world, heartbeat, complete, execution } = await longJob({ heartbeatTimeout: '30m' });
  world.onExecutorCall = ({ input }, kill) => {
    if (!String(input.UpdateExpression).includes('#delegatedTo =')) return;
    world.onExecutorCall = undefined;
    kill();
  };
  await world.run(35 * SECOND_MS);
  expect(execution()).toMatchObject({ status: 'running' });
  expect(execution()).not.toHaveProperty('delegatedTo');
  await world.run(90 * SECOND_MS);
  expect(world.calls).toHaveLength(2);
  expect(world.calls[1]!.atMs - DUE_MS).toBeLessThanOrEqual(75 * SECOND_MS);
  expect(await heartbeat(0)).toMatchObject({ status: 409 });
  await world.run(HOUR_MS / 4);
  expect(await complete(1)).toMatchObject({ status: 200 });
  expect(execution()).toMatchObject({ status: 'succeeded', takeovers: 1 });
});

test('an executor that dies right after the hand-over is not missed', async () => {
  const { world, complete, execution } = await longJob({ heartbeatTimeout: '30m' });
  let delegatedTo = false;
  world.dynamo.faults = {
    after: ({ input }) => {
      delegatedTo ||= String(input.UpdateExpression).includes('#delegatedTo =');
    },
  };
  world.onExecutorCall = (_, kill) => {
    if (delegatedTo) kill();
  };
  await world.run(10 * MINUTE_MS);
  expect(execution()).toMatchObject({ status: 'running', attempt: 1 });
  expect(await complete()).toMatchObject({ status: 200 });
  expect(world.calls).toHaveLength(1);
});

test('the answer to a hand-over that gets lost is no reason to hand over twice', async () => {
  const { world, complete, execution } = await longJob({ heartbeatTimeout: '10m' });
  let lost = 0;
  world.dynamo.faults = {
    after: ({ input }) => {
      if (!String(input.UpdateExpression).includes('#delegatedTo =') || lost++ > 0) return;
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    },
  };
  await world.run(5 * MINUTE_MS);
  expect(lost).toBe(2);
  expect(execution()).toMatchObject({ status: 'running', attempt: 1 });
  expect(await complete()).toMatchObject({ status: 200 });
});

test('a cancel: the next heartbeat says so and keeps nothing up, the limit ends it', async () => {
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
] as const)(
  'a job that is deleted while its target works, then %s: %s',
  async (operation, status, reason) => {
    const { world, job, tokens } = await longJob();
    await world.run(MINUTE_MS);
    expect((await world.api('deleteJob', { jobId: job.jobId })).status).toBe(204);
    const answer = await world.api(operation, {}, {}, { authorization: `Bearer ${tokens[0]}` });
    expect(answer).toEqual({ status: 200, body: { status } });
    expect(world.executions(job)[0]!.reason).toBe(reason);
  },
);

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

test.each([
  ['none', undefined],
  ['a JWT', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.'],
  ['no bearer', 'Basic YWxpY2U6c2VjcmV0'],
])(
  'a token that no delivery carried is refused without a look at the tables: %s',
  async (_, authorization) => {
    const { world } = await longJob();
    const before = world.tables.units();
    for (const operation of ['heartbeatAttempt', 'completeAttempt', 'failAttempt'] as const) {
      expect(await world.api(operation, {}, {}, { authorization })).toMatchObject({ status: 401 });
    }
    expect(world.tables.units()).toEqual(before);
  },
);

test('a token with one character changed is refused', async () => {
  const { world, tokens } = await longJob();
  await world.run(MINUTE_MS);
  const [token = ''] = tokens;
  for (const at of [0, 20, token.indexOf('.') + 3, token.length - 2]) {
    const forged = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    const answer = await world.api('completeAttempt', {}, {}, { authorization: `Bearer ${forged}` });
    expect(answer.status).toBe(401);
  }
  expect(JSON.stringify(world.log.lines)).not.toContain(token);
});

test('a result that was refused, of a target that is waited for, is kept as a late one', async () => {
  const world = await PipelineWorld.started(1);
  const answers: (() => void)[] = [];
  world.behaviour = ({ attempt }) =>
    attempt === 1
      ? new Promise((resolve) => {
          answers.push(() => resolve({ outcome: 'succeeded', statusCode: 200, body: 'slow' }));
        })
      : { outcome: 'succeeded', statusCode: 201 };
  const schedule = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };
  const job = await world.create(newJobAt(world, { schedule }));
  await world.run(31 * SECOND_MS);
  const [running] = world.executions(job);
  const next = { attempt: 2, startAtMs: DUE_MS + 2_000, failures: 0, takeovers: 1 };
  const lost = { attempt: 1, fence: 1, startedAtMs: DUE_MS, finishedAtMs: DUE_MS, target: 0 };
  await world.deps.executions.takeOver(running!, next, [{ ...lost, outcome: 'lost' }]);
  answers[0]!();
  await world.run(SECOND_MS);
  expect(world.executions(job)[0]).toMatchObject({
    status: 'retrying',
    attempts: [{ fence: 1, outcome: 'lost' }],
    lateResults: [{ fence: 1, outcome: 'succeeded', statusCode: 200 }],
  });
});
