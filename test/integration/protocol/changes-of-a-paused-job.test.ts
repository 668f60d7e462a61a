import { coveredThroughMs } from '../../../lambdas/core/history/coverage';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { T0_MS } from '../../support/factories';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const EVERY_MS = 5 * SECOND_MS;
const EVERY_5_SEC = { type: 'interval', every: '5s', anchor: new Date(T0_MS).toISOString() };
const JOB = { userId: 'alice', jobId: 'job' };
const PATH = { jobId: JOB.jobId };
const RESUMED_MS = T0_MS + 10 * MINUTE_MS + SECOND_MS;
/** The last step before it. */
const RESUMED = 120;

/** A job with an occurrence every five seconds that has been paused for minutes, a second after one. */
async function pausedJob(): Promise<PipelineWorld> {
  const world = await PipelineWorld.started(1);
  const target = { type: 'http', url: 'https://example.com/hook' };
  expect((await world.api('createJob', {}, { ...PATH, schedule: EVERY_5_SEC, target })).status).toBe(201);
  expect((await world.api('pauseJob', PATH)).status).toBe(200);
  await world.run(RESUMED_MS - world.clock.nowMs());
  return world;
}

/**
 * Delays such calls of the API to the Jobs table, one after another, for `delaysMs`. A call waits before it
 * is made, or before its answer. Says how many were delayed.
 */
function delay(
  world: PipelineWorld,
  at: 'before' | 'after',
  command: string,
  delaysMs: number[],
): () => number {
  let count = 0;
  world.dynamo.faults = {
    async [at](call: Call) {
      if (call.command === command && call.input.TableName === 'jobs' && count < delaysMs.length)
        await world.clock.sleep(delaysMs[count++]!);
    },
  };
  return () => count;
}

/** The steps through `last`, by number, that were both called and recorded as paused, or neither. */
function faultsOf(world: PipelineWorld, last: number): { both: number[]; neither: number[] } {
  const called = new Set(world.calls.map(({ dueAtMs }) => dueAtMs));
  const paused = world.executions(JOB).filter(({ reason }) => reason === 'paused');
  const outcomes = Array.from({ length: last }, (_, index) => {
    const dueAtMs = T0_MS + (index + 1) * EVERY_MS;
    const isPaused = paused.some((row) => row.dueAtMs <= dueAtMs && dueAtMs <= coveredThroughMs(row));
    return { step: index + 1, count: Number(called.has(dueAtMs)) + Number(isPaused) };
  });
  const stepsOf = (count: number) => outcomes.filter((one) => one.count === count).map(({ step }) => step);
  return { both: stepsOf(2), neither: stepsOf(0) };
}

const resume = (world: PipelineWorld) => world.api('resumeJob', PATH);

/** Sends a request by a clock that is almost five seconds ahead, until it is delayed. */
async function resumeByFastClock(world: PipelineWorld): Promise<{ answer: ReturnType<typeof resume> }> {
  world.clock.stepWall(4_500);
  const answer = resume(world);
  await world.clock.flush();
  world.clock.stepWall(-4_500);
  return { answer };
}

const ONCE_EACH = { both: [], neither: [] };

test('what a request recorded as paused does not run, after another one resumed the job by a slower clock', async () => {
  const world = await pausedJob();
  const delayed = delay(world, 'before', 'PutCommand', [SECOND_MS]);
  const { answer: loses } = await resumeByFastClock(world);
  expect(delayed()).toBe(1);
  expect((await resume(world)).status).toBe(200);
  await world.run(MINUTE_MS);
  expect((await world.clock.settle(loses)).status).toBe(200);
  expect(faultsOf(world, RESUMED + 10)).toEqual(ONCE_EACH);
});

test('nor if that one took six seconds for its write', async () => {
  const world = await pausedJob();
  const delayed = delay(world, 'before', 'PutCommand', [6 * SECOND_MS, 2 * SECOND_MS]);
  const wins = resume(world);
  await world.run(5_500);
  const { answer: loses } = await resumeByFastClock(world);
  expect(delayed()).toBe(2);
  await world.run(MINUTE_MS);
  expect((await world.clock.settle(wins)).status).toBe(200);
  expect((await world.clock.settle(loses)).status).toBe(200);
  expect(faultsOf(world, RESUMED + 10)).toEqual(ONCE_EACH);
});

test('a request that thaws after a job was resumed records nothing of the time since then as paused', async () => {
  const world = await pausedJob();
  const delayed = delay(world, 'after', 'GetCommand', [3 * MINUTE_MS]);
  const loses = resume(world);
  await world.clock.flush();
  expect(delayed()).toBe(1);
  expect((await resume(world)).status).toBe(200);
  await world.run(3 * MINUTE_MS - 20 * SECOND_MS);
  world.on.executor = false;
  await world.run(25 * SECOND_MS);
  world.on.executor = true;
  await world.run(MINUTE_MS);
  expect((await world.clock.settle(loses)).status).toBe(200);
  expect(faultsOf(world, RESUMED + 36)).toEqual(ONCE_EACH);
});
