import type { TargetResult } from '../../../lambdas/core/domain/target-result';
import type { Job } from '../../../lambdas/core/domain/job';
import { aTarget, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DUE_MS = T0_MS + 30 * SECOND_MS;

const OK = { outcome: 'succeeded', statusCode: 200, body: 'ok' } as const;
const BUSY = { outcome: 'retriable', statusCode: 503, error: 'target answered 503' } as const;
const GONE = { outcome: 'fatal', statusCode: 410, error: 'target answered 410' } as const;
const ACCEPTED = { outcome: 'accepted', statusCode: 202 } as const;

/**
 * A one-time job with one target per list of results: the first result is for the first attempt, and so on.
 */
async function severalTargets(answers: readonly (readonly TargetResult[])[], overrides: Partial<Job> = {}) {
  const world = await PipelineWorld.started(1);
  const calls = answers.map(() => 0);
  const tokens: string[] = [];
  world.behaviour = ({ target }) => {
    const list = answers[target]!;
    return list[Math.min(calls[target]!++, list.length - 1)]!;
  };
  world.observe = ({ headers }) => {
    if (headers['quarterjack-token'])
      tokens[Number(headers['quarterjack-target'])] = headers['quarterjack-token'];
  };
  const targets = answers.map((list) =>
    list.includes(ACCEPTED) ? aTarget({ mode: 'async' as const, heartbeatTimeout: '2m' }) : aTarget(),
  );
  const schedule = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };
  const job = await world.create(
    newJobAt(world, { schedule, target: targets[0]!, targets, timeout: '1h', ...overrides }),
  );
  const report = (what: 'completeAttempt' | 'failAttempt' | 'heartbeatAttempt', target: number, body = {}) =>
    world.api(what, {}, body, { authorization: `Bearer ${tokens[target]}` });
  return {
    world,
    complete: (target: number) => report('completeAttempt', target),
    fail: (target: number, retriable = true) => report('failAttempt', target, { error: 'no', retriable }),
    execution: () => world.executions(job)[0]!,
    called: () => world.calls.map(({ attempt, target }) => [attempt, target]),
    seen: async () => {
      const { execId } = world.executions(job)[0]!;
      const { body } = await world.api('getExecution', { jobId: job.jobId, execId });
      return (body as { targets: { status: string }[] }).targets.map(({ status }) => status);
    },
  };
}

test('each target is called, in one execution with one claim and one end', async () => {
  const { world, execution, called, seen } = await severalTargets([[OK], [OK], [OK]]);
  let writes = 0;
  world.onExecutorCall = ({ command }) => {
    if (command === 'UpdateCommand') writes += 1;
  };
  await world.run(MINUTE_MS);
  expect(called()).toEqual([
    [1, 0],
    [1, 1],
    [1, 2],
  ]);
  expect(execution()).toMatchObject({ status: 'succeeded', fence: 1 });
  expect(execution().attempts.map(({ target, outcome }) => [target, outcome])).toEqual([
    [0, 'succeeded'],
    [1, 'succeeded'],
    [2, 'succeeded'],
  ]);
  expect(await seen()).toEqual(['succeeded', 'succeeded', 'succeeded']);
  expect(writes).toBe(2); // claim and finish, as with one target
});

test('a retry calls only the targets that are still open', async () => {
  const { world, execution, called, seen } = await severalTargets([[OK], [BUSY, BUSY, OK], [BUSY, OK]]);
  await world.run(2 * MINUTE_MS);
  expect(called()).toEqual([
    [1, 0],
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
    [3, 1],
  ]);
  expect(execution()).toMatchObject({ status: 'succeeded', attempt: 3, failures: 2 });
  expect(await seen()).toEqual(['succeeded', 'succeeded', 'succeeded']);
  expect(world.errors()).toEqual([]);
});

test('a target that fails for good fails the execution; a user retry calls only the open targets', async () => {
  const { world, execution, called, seen } = await severalTargets([[OK], [GONE, OK], [BUSY, OK]]);
  await world.run(MINUTE_MS);
  expect(execution()).toMatchObject({ status: 'failed', reason: 'fatal', result: { statusCode: 410 } });
  expect(await seen()).toEqual(['succeeded', 'failed', 'failed']);
  const { execId } = execution();
  expect((await world.api('retryExecution', { jobId: 'nightly-report', execId })).status).toBe(202);
  await world.run(MINUTE_MS);
  expect(called().slice(3)).toEqual([
    [1, 1],
    [1, 2],
  ]);
  expect(execution()).toMatchObject({ status: 'succeeded', fence: 2 });
});

test('the lease is delegated after all targets have answered; each report settles its own target', async () => {
  const { world, complete, execution, seen } = await severalTargets([[ACCEPTED], [OK], [ACCEPTED]]);
  await world.run(MINUTE_MS);
  expect(execution()).toMatchObject({ status: 'running', delegatedTo: { targets: [0, 2] } });
  expect(await seen()).toEqual(['running', 'succeeded', 'running']);
  expect(await complete(2)).toEqual({ status: 200, body: { status: 'running' } });
  expect(await complete(2)).toMatchObject({ status: 409 });
  expect(await seen()).toEqual(['running', 'succeeded', 'succeeded']);
  expect(await complete(0)).toEqual({ status: 200, body: { status: 'succeeded' } });
  expect(execution()).toMatchObject({ status: 'succeeded', attempt: 1 });
  expect(execution().attempts.map(({ target }) => target)).toEqual([1, 2, 0]);
  expect(world.calls).toHaveLength(3);
});

test('a retry waits for the targets that are still at work', async () => {
  const { world, complete, called, execution } = await severalTargets([[ACCEPTED], [BUSY, OK]]);
  await world.run(2 * MINUTE_MS);
  expect(called()).toHaveLength(2);
  expect(await complete(0)).toEqual({ status: 200, body: { status: 'retrying' } });
  await world.run(MINUTE_MS);
  expect(called().slice(2)).toEqual([[2, 1]]);
  expect(execution()).toMatchObject({ status: 'succeeded' });
});

test('a reported fatal failure ends the execution, and the other targets lose the lease', async () => {
  const { world, complete, fail, execution } = await severalTargets([[ACCEPTED], [ACCEPTED]]);
  await world.run(MINUTE_MS);
  expect(await fail(1, false)).toEqual({ status: 200, body: { status: 'failed' } });
  expect(await complete(0)).toMatchObject({ status: 409 });
  expect(execution()).toMatchObject({ status: 'failed', lateResults: [{ target: 0, outcome: 'succeeded' }] });
});

test('reports of all targets at the same instant: none is lost', async () => {
  const { world, complete, execution } = await severalTargets(Array.from({ length: 10 }, () => [ACCEPTED]));
  await world.run(MINUTE_MS);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, target) => complete(target)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(execution()).toMatchObject({ status: 'succeeded' });
  expect(
    execution()
      .attempts.map(({ target }) => target)
      .toSorted((a, b) => a - b),
  ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a report that arrives while other targets are still being called counts', async () => {
  const { world, complete, execution } = await severalTargets([[ACCEPTED], [OK]]);
  const answer = world.behaviour;
  world.behaviour = async (call, signal, clock) => {
    if (call.target === 0) return answer(call, signal, clock);
    await clock.sleep(SECOND_MS, signal);
    expect(await complete(0)).toEqual({ status: 200, body: { status: 'running' } });
    return answer(call, signal, clock);
  };
  await world.run(2 * MINUTE_MS);
  expect(execution()).toMatchObject({ status: 'succeeded', attempt: 1 });
  expect(execution().attempts).toHaveLength(2);
  expect(world.errors()).toEqual([]);
});

test('targets without heartbeats are called again, the others are not', async () => {
  const { world, complete, called, execution } = await severalTargets([[ACCEPTED, OK], [ACCEPTED], [OK]]);
  await world.run(MINUTE_MS);
  expect(await complete(1)).toMatchObject({ status: 200 });
  await world.run(4 * MINUTE_MS);
  expect(called().slice(3)).toEqual([[2, 0]]);
  expect(execution()).toMatchObject({ status: 'succeeded' });
  expect(execution().attempts.map(({ target, outcome }) => [target, outcome])).toEqual([
    [2, 'succeeded'],
    [1, 'succeeded'],
    [0, 'lost'],
    [0, 'succeeded'],
  ]);
});

test('an executor dies before it records results: all open targets are called again', async () => {
  const { world, called, execution } = await severalTargets([[OK], [OK]]);
  world.onExecutorCall = ({ input }, kill) => {
    if (!String(input.UpdateExpression).includes(':records')) return;
    world.onExecutorCall = undefined;
    kill();
  };
  await world.run(3 * MINUTE_MS);
  expect(called()).toEqual([
    [1, 0],
    [1, 1],
    [2, 0],
    [2, 1],
  ]);
  expect(execution()).toMatchObject({ status: 'succeeded', takeovers: 1 });
});
