import { execIdOfOccurrence } from '../../../lambdas/core/contracts/tables';
import { aTarget, T0_MS } from '../../support/factories';
import { isClaim } from '../../support/fault-points';
import { newJobAt } from '../../support/new-job';
import { dueOnce, orderedWorld } from '../../support/ordered';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });

// The waiting execution holds the overlap lock, and would wait for the key. The next one would hold the key,
// and wait for the lock.
test('a job of overlap `queue` that gets an ordering key while an attempt waits goes on', async () => {
  const world = await PipelineWorld.started(1);
  let failing = true;
  world.behaviour = () =>
    failing
      ? { outcome: 'retriable', statusCode: 503, error: '503', retryAfterMs: 25 * MINUTE_MS }
      : { outcome: 'succeeded', statusCode: 200 };
  const job = await world.create(
    newJobAt(world, {
      jobId: 'a',
      overlap: 'queue',
      schedule: { type: 'cron', expression: '*/10 * * * *' },
      retry: { maxAttempts: 3, initialDelay: '10s', maxDelay: '1h', multiplier: 2, maxAge: '24h' },
    }),
  );
  await world.run(10 * MINUTE_MS + 5_000);
  expect(world.executions(job).map(({ status }) => status)).toEqual(['retrying']);
  failing = false;
  expect((await world.api('patchJob', { jobId: 'a' }, { orderingKey: 'k' })).status).toBe(200);
  const other = await world.create(
    newJobAt(world, { jobId: 'b', orderingKey: 'k', schedule: at(T0_MS + 50 * MINUTE_MS) }),
  );
  await world.run(3 * 60 * MINUTE_MS);
  for (let pass = 0; pass < 6; pass++) {
    await world.audit();
    await world.run(10 * MINUTE_MS);
  }
  expect(world.executions(other)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.executions(job)[0]).toMatchObject({ status: 'succeeded' });
});

// Its executor died between the lock and its claim, so it has no row, and its messages are lost for a while.
// The next one asks for the key first. It would wait for the lock, and the first one for the key.
test('a job that gets an ordering key while a dead executor holds its overlap lock goes on', async () => {
  const world = await PipelineWorld.started(1);
  world.onExecutorCall = (call, kill) => {
    if (!isClaim(call)) return;
    world.onExecutorCall = undefined;
    kill();
  };
  const send = world.queue.send.bind(world.queue);
  const schedule = { type: 'interval' as const, every: '3m', maxRuns: 2 };
  const job = await world.create(newJobAt(world, { jobId: 'a', overlap: 'queue', schedule }));
  const sends = jest.spyOn(world.queue, 'send').mockResolvedValue();
  await world.run(7 * MINUTE_MS);
  expect(world.onExecutorCall).toBeUndefined();
  expect(world.executions(job)).toEqual([]);
  expect((await world.api('patchJob', { jobId: 'a' }, { orderingKey: 'k' })).status).toBe(200);
  sends.mockImplementation(send);
  await world.run(30 * MINUTE_MS);
  expect(world.executions(job).map(({ status, orderingKey }) => [status, orderingKey])).toEqual([
    ['succeeded', undefined],
    ['succeeded', 'k'],
  ]);
});

// It has tickets in the queues of both keys, and its claim names the new one.
test('an execution that waited and runs under its new key does not block the old one', async () => {
  const minutes: Record<string, number> = { a: 3, x: 8, b: 1 };
  const { world, spans } = await orderedWorld(({ jobId }) => ({ ms: minutes[jobId]! * MINUTE_MS }));
  const target = aTarget({ timeout: '10m' });
  const due = (jobId: string, afterSec: number) =>
    world.create(dueOnce(world, jobId, afterSec, { target, timeout: '10m' }));
  await due('a', 30);
  await due('x', 40);
  await due('b', 50);
  await world.run(MINUTE_MS);
  expect((await world.api('patchJob', { jobId: 'x' }, { orderingKey: 'new' })).status).toBe(200);
  await world.run(20 * MINUTE_MS);
  const spanOf = (jobId: string) => spans.find((span) => span.jobId === jobId)!;
  expect(spanOf('x').beginMs).toBeLessThan(spanOf('a').endMs);
  expect(spanOf('b').beginMs).toBeGreaterThanOrEqual(spanOf('a').endMs);
  expect(spanOf('b').beginMs).toBeLessThan(spanOf('a').endMs + 5_000);
});

// Its executor died between slot and claim. Another one gets the new key, and would wait for the slot.
test.each(['an occurrence', 'a run that a user started'])(
  '%s of a job that gets an ordering key while a dead executor holds its slot goes on',
  async (what) => {
    const world = await PipelineWorld.started(1);
    world.onExecutorCall = (call, kill) => {
      if (!isClaim(call)) return;
      world.onExecutorCall = undefined;
      kill();
    };
    const by = { sub: 'alice', name: null, via: 'token' } as const;
    const key = { userId: 'alice', name: 'db', limit: 1, updatedAtMs: T0_MS, by };
    await world.deps.concurrency.putKey(key);
    const isManual = what !== 'an occurrence';
    const schedule = isManual ? ({ type: 'none' } as const) : at(T0_MS + MINUTE_MS);
    const job = await world.create(newJobAt(world, { jobId: 'a', concurrencyKey: 'db', schedule }));
    if (isManual) expect((await world.api('runJob', { jobId: 'a' })).status).toBe(202);
    const send = world.queue.send.bind(world.queue);
    await world.run(MINUTE_MS + 2_000);
    const sends = jest.spyOn(world.queue, 'send').mockResolvedValue();
    await world.run(MINUTE_MS);
    expect(world.onExecutorCall).toBeUndefined();
    expect((await world.api('patchJob', { jobId: 'a' }, { orderingKey: 'k' })).status).toBe(200);
    sends.mockImplementation(send);
    const other = await world.create(
      newJobAt(world, {
        jobId: 'b',
        orderingKey: 'k',
        concurrencyKey: 'db',
        schedule: {
          type: 'interval',
          every: '3m',
          anchor: new Date(T0_MS).toISOString(),
          maxRuns: 3,
        },
      }),
    );
    // An occurrence of the other job has the key before the first one asks for it.
    const dueAtMs = T0_MS + 6 * MINUTE_MS;
    await world.deps.ordering.acquire(
      { jobKey: 'alice/b', execId: execIdOfOccurrence(dueAtMs), orderingKey: 'k', dueAtMs },
      { acquisitionId: 'x', nowMs: T0_MS, expiresAtSec: T0_MS },
    );
    await world.run(40 * MINUTE_MS);
    expect(world.executions(job).map(({ status }) => status)).toEqual(['succeeded']);
    expect(world.executions(other).map(({ status }) => status)).toEqual(Array(3).fill('succeeded'));
  },
);
