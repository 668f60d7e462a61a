import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { FakeRandom } from '../../support/fake-random';
import { T0_MS } from '../../support/factories';
import {
  dueOnce,
  ordered,
  orderedWorld,
  outOfOrder,
  overlapping,
  leftTickets,
  type Span,
  story,
} from '../../support/ordered';
import type { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const retriable = { outcome: 'retriable', statusCode: 503 } as const;

/**
 * Lets time pass until every execution of the jobs has ended. Fails if that takes longer than `minutes`.
 */
async function untilAllHaveEnded(
  world: PipelineWorld,
  jobs: readonly { jobId: string; runs: number }[],
  minutes: number,
) {
  const ended = ({ jobId, runs }: { jobId: string; runs: number }) => {
    const rows = world.executions({ userId: 'alice', jobId });
    return rows.length === runs && rows.every(({ status }) => isTerminal(status));
  };
  for (let passed = 0; passed < minutes && !jobs.every(ended); passed++) await world.run(MINUTE_MS);
  expect(jobs.filter((job) => !ended(job))).toEqual([]);
}

/** The call of a killed executor ends with it. The next attempt's call must not begin before that. */
const sound = (spans: readonly Span[]) => {
  expect(overlapping(spans)).toEqual([]);
  expect(outOfOrder(spans)).toEqual([]);
};

/**
 * Plays two jobs of one key, due a second apart. Kills the executor at its table call number `fatalCall`.
 */
async function killedAt(fatalCall: number) {
  const { world, spans } = await orderedWorld(({ attempt }) => ({ ms: attempt === 1 ? 1_500 : 500 }));
  let calls = 0;
  let killed = false;
  world.onExecutorCall = (_, kill) => {
    if (++calls !== fatalCall) return;
    killed = true;
    kill();
  };
  await world.create(dueOnce(world, 'a', 30));
  await world.create(dueOnce(world, 'b', 31));
  const jobs = ['a', 'b'].map((jobId) => ({ jobId, runs: 1 }));
  // The message of a dead executor counts as in flight. The queue looks long, so rechecks become less and
  // less frequent.
  await untilAllHaveEnded(world, jobs, 25);
  return { world, spans, calls, killed };
}

test('an executor that dies at any of its awaits delays its key, but neither reorders nor blocks it', async () => {
  const { calls } = await killedAt(Number.POSITIVE_INFINITY);
  expect(calls).toBeGreaterThan(12);
  for (let fatalCall = 1; fatalCall <= calls; fatalCall++) {
    const { world, spans, killed } = await killedAt(fatalCall);
    expect(killed).toBe(true);
    sound(spans);
    expect([...new Set(story(spans))]).toEqual(['a@30', 'b@31']);
    for (const jobId of ['a', 'b'])
      expect(world.executions({ userId: 'alice', jobId })).toMatchObject([{ status: 'succeeded' }]);
  }
});

test('the loss of any one message is repaired', async () => {
  for (let lost = 1; lost <= 5; lost++) {
    const { world, spans } = await orderedWorld(() => ({ ms: 3_000 }));
    const send = world.queue.send.bind(world.queue);
    let sent = 0;
    jest
      .spyOn(world.queue, 'send')
      .mockImplementation((messages) => send(messages.filter(() => ++sent !== lost)));
    for (const [index, jobId] of ['a', 'b', 'c'].entries())
      await world.create(dueOnce(world, jobId, 30 + index));
    const jobs = ['a', 'b', 'c'].map((jobId) => ({ jobId, runs: 1 }));
    await untilAllHaveEnded(world, jobs, 6);
    sound(spans);
    expect(story(spans)).toEqual(['a@30', 'b@31', 'c@32']);
  }
});

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);

test.each(SEEDS)('seed %i: kills, lost messages, failures and slow tables', async (seed) => {
  const random = new FakeRandom(seed);
  const { world, spans } = await orderedWorld(() => ({
    ms: random.between(100, 9_000),
    answer: random.fraction() < 0.15 ? retriable : undefined,
  }));
  const runs = 8;
  const retry = { maxAttempts: 3, initialDelay: '1s', maxDelay: '5s', multiplier: 2, maxAge: '24h' };
  const jobs = [];
  for (const [index, everySec] of [20, 25, 45, 60].entries()) {
    const jobId = `job-${index}`;
    const anchor = new Date(T0_MS + 10_000 + random.between(0, 9) * 1_000).toISOString();
    const schedule = { type: 'interval' as const, every: `${everySec}s`, anchor, maxRuns: runs };
    const priority = random.pick(['highest', 'medium', 'lowest'] as const);
    const onFailure = 'continue' as const;
    await world.create(ordered(world, jobId, { schedule, priority, retry, onFailure }));
    jobs.push({ jobId, runs });
  }
  world.onExecutorCall = (_, kill) => {
    if (random.fraction() < 0.01) kill();
  };
  const send = world.queue.send.bind(world.queue);
  jest
    .spyOn(world.queue, 'send')
    .mockImplementation((messages) => send(messages.filter(() => random.fraction() > 0.03)));
  // Now and then a response takes minutes, as if the process had been frozen.
  const slow = () => world.clock.sleep(random.fraction() < 0.002 ? 150_000 : random.between(0, 40));
  world.dynamo.faults = { before: slow, after: slow };
  await world.run(10 * MINUTE_MS);
  world.onExecutorCall = undefined;
  world.dynamo.faults = {};
  jest.restoreAllMocks();
  await untilAllHaveEnded(world, jobs, 60);
  await world.run(MINUTE_MS);
  sound(spans);
  expect(new Set(story(spans)).size).toBe(runs * jobs.length);
  // The last execution leaves its ticket if its executor died while it released the key.
  expect(leftTickets(world).length).toBeLessThanOrEqual(1);
});
