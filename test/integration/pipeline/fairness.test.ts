import type { Job } from '../../../lambdas/core/domain/job';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { executionOf } from '../../../lambdas/core/store/dynamo/executions/execution-row';
import { IS_DEEP } from '../../support/deep';
import { aTarget, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';
import { eachReceived } from '../../support/received';

const MINUTE_MS = 60_000;
const CROWD_AT_MS = T0_MS + 8 * MINUTE_MS;
const CROWD = 300;
/** A burst: `npm run test:deep` sends all of it. */
const EVENTS = IS_DEEP ? 10_000 : 300;
const OF_BOB = 20;
const SHARE_PER_SEC = 20;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });

/**
 * Alice has 300 jobs due at one instant. Bob has one job each half second around it. Executors receive a
 * hundred messages a second from each queue.
 */
async function crowded({ sharePerSec = Number.MAX_SAFE_INTEGER, createdAfterMs = 0 }) {
  const world = await PipelineWorld.started(2, undefined, { userSharePerSec: sharePerSec });
  await world.run(createdAfterMs);
  for (let index = 0; index < CROWD; index++)
    await world.create(
      newJobAt(world, { userId: 'alice', jobId: `job-${index}`, schedule: at(CROWD_AT_MS) }),
    );
  await createOfBob(world);
  return world;
}

async function createOfBob(world: PipelineWorld): Promise<void> {
  for (let index = 0; index < OF_BOB; index++) {
    const schedule = at(CROWD_AT_MS - 2_000 + index * 500);
    await world.create(newJobAt(world, { userId: 'bob', jobId: `job-${index}`, schedule }));
  }
}

/** Counts the messages that executors receive from now on, by user and lane. */
function countReceived(world: PipelineWorld): Record<string, number> {
  const counts: Record<string, number> = {};
  eachReceived(world, ({ jobKey }, lane) => {
    const name = `${jobKey.slice(0, jobKey.indexOf('/'))} ${lane}`;
    counts[name] = (counts[name] ?? 0) + 1;
  });
  return counts;
}

function latenessOf(world: PipelineWorld, userId: string): number[] {
  const rows = world.tables.rows('executions').map((row) => executionOf(row));
  return rows.filter(({ jobKey }) => jobKey.startsWith(`${userId}/`)).map(({ latenessMs }) => latenessMs!);
}

test.each([
  ['by the scanner', 0, SHARE_PER_SEC],
  ['by one process of the API', 5 * MINUTE_MS, SHARE_PER_SEC / 2],
])('a burst of one user, sent %s, does not delay another user', async (_, createdAfterMs, withinShare) => {
  const world = await crowded({ sharePerSec: SHARE_PER_SEC, createdAfterMs });
  const received = countReceived(world);
  await world.run(10 * MINUTE_MS - createdAfterMs);
  expect(received).toEqual({
    'bob medium': OF_BOB,
    'alice medium': withinShare,
    'alice overflow': CROWD - withinShare,
  });
  expect(Math.max(...latenessOf(world, 'bob'))).toBeLessThanOrEqual(300);
  expect(latenessOf(world, 'alice')).toHaveLength(CROWD);
  expect(world.calls).toHaveLength(CROWD + OF_BOB);
  expect(world.queue.messages).toEqual([]);
  expect(world.errors()).toEqual([]);
});

test('without a per-user rate limit the burst delays the other user', async () => {
  const world = await crowded({});
  await world.run(10 * MINUTE_MS);
  expect(world.calls).toHaveLength(CROWD + OF_BOB);
  // Both shards are sent side by side, so only part of the crowd is ahead of Bob.
  expect(Math.max(...latenessOf(world, 'bob'))).toBeGreaterThan(500);
});

test('a pool whose executors are all busy delays another pool by less than 10 ms', async () => {
  const latenessBeside = async (waiting: number): Promise<number[]> => {
    const world = await PipelineWorld.started(2, undefined, { pools: ['default', 'heavy'] });
    for (let index = 0; index < waiting; index++) {
      const schedule = at(CROWD_AT_MS - 30_000 + index * 100);
      await world.create(
        newJobAt(world, { userId: 'alice', jobId: `job-${index}`, schedule, pool: 'heavy' }),
      );
    }
    await createOfBob(world);
    await world.run(10 * MINUTE_MS);
    expect((await world.queue.backlog('heavy', 'medium')).visible).toBe(waiting);
    return latenessOf(world, 'bob');
  };
  const [alone, beside] = [await latenessBeside(0), await latenessBeside(100)];
  expect(beside).toHaveLength(OF_BOB);
  expect(Math.max(...beside) - Math.max(...alone)).toBeLessThan(10);
});

/** Slow calls, and how many of them begin in a second. */
const SLOW = 286;
const SLOW_A_SECOND = 13;
const SLOW_MS = 70_000;

interface SlowRuns {
  runs: number;
  /** Time limit of a call of the slow target. */
  timeout: string;
  /** Executors of each lane. */
  executors: number;
  laneLimit?: number;
}

/** The latenesses of Bob's jobs, while Alice starts so many runs of a target that responds after 70 s. */
async function latenessOfBobBeside({ runs, timeout, executors, laneLimit }: SlowRuns): Promise<number[]> {
  const world = await PipelineWorld.started(2, undefined, { executorsPerLane: executors, laneLimit });
  let isSlow = false;
  world.observe = ({ headers }) => (isSlow = headers['quarterjack-job'] === 'slow');
  world.behaviour = async (_, signal, clock) => {
    if (!isSlow) return { outcome: 'succeeded', statusCode: 200, body: 'ok' };
    await clock.sleep(SLOW_MS, signal);
    return signal.aborted
      ? { outcome: 'retriable', error: 'timed out' }
      : { outcome: 'succeeded', statusCode: 200, body: 'ok' };
  };
  const slow: Job = newJobAt(world, {
    jobId: 'slow',
    schedule: at(T0_MS + 24 * 60 * MINUTE_MS),
    target: aTarget({ timeout }),
  });
  await world.create(slow);
  await createOfBob(world);
  const beginMs = CROWD_AT_MS - 20_000;
  await world.run(beginMs - world.clock.nowMs());
  for (let started = 0; started < runs; started += 1) {
    expect((await world.api('runJob', { jobId: 'slow' })).status).toBe(202);
    if (started % SLOW_A_SECOND < 10) await world.run(100);
  }
  await world.run(CROWD_AT_MS + 60 * MINUTE_MS - world.clock.nowMs());
  expect(world.executions(slow)).toHaveLength(runs);
  expect(world.executions(slow).filter(({ status }) => !isTerminal(status))).toEqual([]);
  expect(world.queue.messages).toEqual([]);
  return latenessOf(world, 'bob');
}

test.each([
  ['with a timeout of 2 min', { timeout: '2m', executors: 8 }],
  ['at the default timeout', { timeout: '30s', executors: 160, laneLimit: 40 }],
])('286 calls of one user that take 70 s do not delay another user, %s', async (_, slow) => {
  const alone = await latenessOfBobBeside({ ...slow, runs: 0 });
  const beside = await latenessOfBobBeside({ ...slow, runs: SLOW });
  expect(beside).toHaveLength(OF_BOB);
  expect(Math.max(...beside)).toBeLessThanOrEqual(1.2 * Math.max(...alone));
});

test('planned calls of one user that hang delay another user for no longer than a call', async () => {
  const latenesses = async (laneLimit?: number) => {
    const world = await PipelineWorld.started(2, undefined, { executorsPerLane: 8, laneLimit });
    let isSlow = false;
    world.observe = ({ headers }) => (isSlow = headers['quarterjack-job']!.startsWith('slow'));
    world.behaviour = async (_, signal, clock) => {
      if (isSlow) await clock.sleep(SLOW_MS, signal);
      return { outcome: 'succeeded', statusCode: 200, body: 'ok' };
    };
    await world.run(CROWD_AT_MS - 2 * MINUTE_MS - world.clock.nowMs());
    for (let job = 0; job < 4; job += 1) {
      const schedule = { type: 'interval' as const, every: '1s' };
      await world.create(newJobAt(world, { jobId: `slow-${job}`, schedule }));
    }
    await createOfBob(world);
    await world.run(CROWD_AT_MS + 30_000 - world.clock.nowMs());
    return latenessOf(world, 'bob');
  };
  const isOnTime = (ms: number) => ms <= 300;
  expect((await latenesses()).filter(isOnTime)).toEqual([]);
  expect((await latenesses(2)).filter(isOnTime)).toHaveLength(OF_BOB);
});

test('retries of overflowed messages go to the overflow queue, not to the priority queues', async () => {
  const world = await crowded({ sharePerSec: SHARE_PER_SEC });
  const received = countReceived(world);
  world.behaviour = ({ attempt, dueAtMs }) =>
    attempt === 1 && dueAtMs === CROWD_AT_MS
      ? { outcome: 'retriable', statusCode: 503, error: 'target answered 503' }
      : { outcome: 'succeeded', statusCode: 200, body: 'ok' };
  await world.run(12 * MINUTE_MS);
  expect(received['alice medium']).toBeLessThanOrEqual(2 * SHARE_PER_SEC);
  expect(received['alice overflow']).toBeGreaterThanOrEqual(2 * (CROWD - SHARE_PER_SEC));
  expect(world.calls).toHaveLength(2 * CROWD + OF_BOB + 1); // one of Bob's is due at the same instant
  expect(world.queue.messages).toEqual([]);
});

test('rechecks send nothing to the priority queues while the overflow queue is long', async () => {
  const world = await crowded({ sharePerSec: SHARE_PER_SEC });
  await world.run(8 * MINUTE_MS - 3_000);
  const receive = world.queue.receive.bind(world.queue);
  world.queue.receive = (pool, lane, max) => (lane === 'overflow' ? [] : receive(pool, lane, max));
  const received = countReceived(world);
  await world.run(4 * MINUTE_MS);
  expect(received['alice medium']).toBe(SHARE_PER_SEC);
  expect((await world.queue.backlog('default', 'overflow')).visible).toBe(CROWD - SHARE_PER_SEC);
  world.queue.receive = receive;
  await world.run(15 * MINUTE_MS);
  expect(world.calls).toHaveLength(CROWD + OF_BOB);
});

test('a burst of events of one user starts each run once, and does not delay another user', async () => {
  const world = await PipelineWorld.started(2, undefined, { userSharePerSec: SHARE_PER_SEC });
  await world.create(newJobAt(world, { jobId: 'receipt', schedule: { type: 'event', name: 'order.paid' } }));
  await createOfBob(world);
  await world.run(CROWD_AT_MS - 1_000 - world.clock.nowMs());
  const received = countReceived(world);
  for (let index = 0; index < EVENTS; index++) {
    const event = { name: 'order.paid', id: `evt-${index}`, data: { index } };
    expect((await world.api('sendEvent', {}, event)).status).toBe(202);
  }
  await world.run(5 * MINUTE_MS);
  expect(received['alice medium']).toBe(SHARE_PER_SEC / 2);
  expect(received['alice overflow']).toBe(EVENTS - SHARE_PER_SEC / 2);
  expect(Math.max(...latenessOf(world, 'bob'))).toBeLessThanOrEqual(300);
  expect(latenessOf(world, 'bob')).toHaveLength(OF_BOB);
  expect(latenessOf(world, 'alice')).toHaveLength(EVENTS);
  expect(world.calls).toHaveLength(EVENTS + OF_BOB);
  expect(world.errors()).toEqual([]);
});
