import { ACCEPTED, DUE_MS, longJob } from '../../support/long-job';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

test.each([
  [{ error: 'disk full', retriable: true }, 'retrying', 'retriable', 2],
  [{ error: 'disk full', retriable: false }, 'failed', 'fatal', 1],
  [undefined, 'retrying', 'retriable', 2],
])('a reported failure, %j: %s', async (body, status, outcome, calls) => {
  const { world, fail, execution } = await longJob();
  await world.run(MINUTE_MS);
  expect(await fail(0, body)).toEqual({ status: 200, body: { status } });
  await world.run(MINUTE_MS);
  expect(world.calls).toHaveLength(calls);
  expect(execution().attempts[0]).toMatchObject({ outcome, ...(body && { error: body.error }) });
});

test('a reported failure says when the next attempt may come at the earliest', async () => {
  const { world, fail } = await longJob();
  await world.run(MINUTE_MS);
  expect(await fail(0, { retryAfter: '20m' })).toEqual({ status: 200, body: { status: 'retrying' } });
  await world.run(18 * MINUTE_MS);
  expect(world.calls).toHaveLength(1);
  await world.run(3 * MINUTE_MS);
  expect(world.calls).toHaveLength(2);
});

test('a report that arrives before the 202 ends the attempt, and the executor does not log a lost lease', async () => {
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

test('a report that arrives before a 200 counts, and the response adds nothing', async () => {
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

test('only one of several simultaneous reports is accepted', async () => {
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

describe('a report and a takeover at the limit of a lease', () => {
  const statuses = new Set<number>();

  test.each(Array.from({ length: 16 }, (_, index) => index * 8))(
    'only one of them counts, if the report comes %i microtasks later',
    async (microtasks) => {
      const { world, complete, execution } = await longJob({ heartbeatTimeout: '1m' });
      await world.run(30 * SECOND_MS + 65 * SECOND_MS + 500);
      const sweeping = world.sweep();
      for (let waited = 0; waited < microtasks; waited++) await Promise.resolve();
      const [answer] = await Promise.all([complete(), sweeping]);
      statuses.add(answer.status);
      await world.run(3 * MINUTE_MS);
      const [first] = execution().attempts;
      expect(first!.outcome).toBe(answer.status === 200 ? 'succeeded' : 'lost');
      expect(world.calls.length > 1).toBe(answer.status !== 200);
      expect(world.errors()).toEqual([]);
    },
  );

  test('each of them has been the first', () => {
    expect(statuses).toEqual(new Set([200, 409]));
  });
});

test.each([
  ['none', undefined],
  ['a JWT', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.'],
  ['no bearer', 'Basic YWxpY2U6c2VjcmV0'],
])('a token that no delivery carried is refused without a table access: %s', async (_, authorization) => {
  const { world } = await longJob();
  const before = world.tables.units();
  for (const operation of ['heartbeatAttempt', 'completeAttempt', 'failAttempt'] as const) {
    expect(await world.api(operation, {}, {}, { authorization })).toMatchObject({ status: 401 });
  }
  expect(world.tables.units()).toEqual(before);
});

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

test('a synchronous result that arrives after a takeover is kept as a late result', async () => {
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
