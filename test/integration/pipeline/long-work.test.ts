import { executeBatch } from '../../../lambdas/executor/execute-batch';
import { scanShards } from '../../../lambdas/scanner/scan-shards';
import { sweepShards } from '../../../lambdas/sweeper/sweep-shards';
import { IS_DEEP } from '../../support/deep';
import { aMessage, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });

test('a bucket that takes longer than one invocation takes several, and each entry is dispatched once', async () => {
  const world = await PipelineWorld.started(1);
  world.on.scan = false;
  const jobs = 1_200;
  for (let index = 0; index < jobs; index++) {
    const schedule = at(T0_MS + 7 * MINUTE_MS + index);
    await world.create(newJobAt(world, { jobId: `job-${index}`, schedule }));
  }
  await world.run(5 * MINUTE_MS);
  const send = jest.spyOn(world.queue, 'send');
  const { jobs: jobStore } = world.deps;
  const passes = [];
  for (let pass = 0; pass < 4; pass++) {
    let leftMs = 60_000; // used up by the first page that is not empty
    const getMany: typeof jobStore.getMany = async (...query) => {
      leftMs = 1_000;
      return jobStore.getMany(...query);
    };
    const deps = { ...world.deps, jobs: { ...jobStore, getMany } };
    const scanning = scanShards([0], deps, { remainingMs: () => leftMs });
    await world.run(5 * SECOND_MS); // it paces itself
    passes.push(...(await scanning).map(({ ended }) => ended));
  }
  expect(passes).toEqual(['out-of-time', 'out-of-time', 'out-of-time', 'caught-up']);
  const sent = send.mock.calls.flatMap(([messages]) => messages.map(({ message }) => message.jobKey));
  expect(sent).toHaveLength(jobs);
  expect(new Set(sent).size).toBe(jobs);
});

test('a page of rechecks that takes longer than one invocation takes several, each entry once', async () => {
  const world = await PipelineWorld.started(1);
  const jobs = 150;
  for (let index = 0; index < jobs; index++)
    await world.create(newJobAt(world, { jobId: `job-${index}`, schedule: at(T0_MS + MINUTE_MS + index) }));
  Object.assign(world.on, { executor: false, sweep: false });
  await world.run(2 * MINUTE_MS);
  const before = world.tables.rows('schedule').length;
  const passes = [];
  for (let pass = 0; pass < 3; pass++) {
    let leftMs = 60_000;
    const { schedule } = world.deps;
    const putEntries: typeof schedule.putEntries = async (entries, withinMs) => {
      leftMs -= 1_000;
      return schedule.putEntries(entries, withinMs);
    };
    const deps = { ...world.deps, schedule: { ...schedule, putEntries } };
    const sweeping = sweepShards([0], deps, { remainingMs: () => leftMs });
    await world.run(9 * SECOND_MS);
    passes.push(...(await sweeping).map(({ ended }) => ended));
  }
  expect(passes).toEqual(['out-of-time', 'out-of-time', 'caught-up']);
  // The queue is long, so each is filed again once.
  expect(world.tables.rows('schedule').length - before).toBe(jobs);
});

describe('a message whose executions crash, processed alone and last in its batch', () => {
  /**
   * A batch of two: a call of `neighbourMs`, and a suspect whose target takes a minute. The invocation has 15
   * minutes.
   */
  async function batchOf(neighbourMs: number) {
    const world = await PipelineWorld.started(1);
    for (const jobId of ['neighbour', 'suspect']) {
      const timeouts = { timeout: '15m', target: { ...newJobAt(world, {}).target, timeout: '15m' } };
      await world.deps.jobs.create(newJobAt(world, { jobId, ...timeouts, schedule: at(T0_MS + SECOND_MS) }));
    }
    Object.assign(world.on, { tick: false, sweep: false, executor: false });
    world.behaviour = async (_, signal, clock) => {
      await clock.sleep(world.calls.length === 1 ? neighbourMs : MINUTE_MS, signal);
      return { outcome: 'succeeded', statusCode: 200 };
    };
    const message = (jobId: string) =>
      aMessage({ jobKey: `alice/${jobId}`, dueAtMs: T0_MS + SECOND_MS, longCall: true });
    const batch = [
      { id: 'n', message: message('neighbour') },
      { id: 's', message: { ...message('suspect'), takeovers: 3 } },
    ];
    const startedMs = world.clock.monotonicMs();
    const limits = { remainingMs: () => 900_000 - (world.clock.monotonicMs() - startedMs) };
    const executing = executeBatch(batch, world.deps, limits);
    await world.run(neighbourMs + 3 * MINUTE_MS);
    return { world, ...(await executing) };
  }

  test('runs in the same invocation if the other message was quick', async () => {
    const { world, failedIds } = await batchOf(10 * SECOND_MS);
    expect(failedIds).toEqual([]);
    expect(world.calls).toHaveLength(2);
    expect(world.calls[1]!.atMs - world.calls[0]!.atMs).toBeGreaterThanOrEqual(10 * SECOND_MS);
  });

  test('goes to another invocation, with the whole time limit, if it was not', async () => {
    const { world, failedIds } = await batchOf(10 * MINUTE_MS);
    expect(failedIds).toEqual([]);
    expect(world.calls).toHaveLength(1);
    expect(world.queue.messages).toEqual([expect.objectContaining({ takeovers: 3 })]);
  });
});

const BACKLOG = IS_DEEP ? 10_000 : 2_000;
test(`a backlog of ${BACKLOG} is not multiplied: each message is sent again at most once in ten minutes`, async () => {
  const world = await PipelineWorld.started(4);
  for (let index = 0; index < BACKLOG; index++) {
    const job = newJobAt(world, {
      jobId: `job-${index}`,
      schedule: at(T0_MS + MINUTE_MS + (index % 60) * 997),
    });
    await world.create(job);
  }
  world.on.executor = false;
  const send = jest.spyOn(world.queue, 'send');
  const sentAfter = async (ms: number) => {
    await world.run(ms);
    const sent = send.mock.calls.reduce((sum, [messages]) => sum + messages.length, 0);
    send.mockClear();
    return sent;
  };
  expect(await sentAfter(10 * MINUTE_MS)).toBe(0);
  expect(await sentAfter(10 * MINUTE_MS)).toBeLessThanOrEqual(BACKLOG);
  expect(await sentAfter(10 * MINUTE_MS)).toBeLessThanOrEqual(BACKLOG);
  await world.audit();
  expect(await sentAfter(0)).toBe(0);
}, 300_000);
