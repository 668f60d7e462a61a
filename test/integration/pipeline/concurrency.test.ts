import { execIdOfOccurrence } from '../../../lambdas/core/contracts/tables';
import { isLimited } from '../../../lambdas/core/contracts/messages';
import type { Job } from '../../../lambdas/core/domain/job';
import type { Rate } from '../../../lambdas/core/domain/start-log';
import { sendForStart } from '../../../lambdas/core/gates/rate';
import { attemptMessage } from '../../../lambdas/core/queue/attempt-entries';
import { dueOnce, leftSlotRows, mostAtOnce, orderedWorld, type Span } from '../../support/ordered';
import type { PipelineWorld } from '../../support/pipeline-world';
import { anExecution, T0_MS } from '../../support/factories';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const KEY = 'crm';

/** A world with a concurrency key, in which the calls of a job take so long. */
async function limitedWorld(
  limit: number,
  msOf: (jobId: string) => number = () => 5 * SECOND_MS,
  rate?: Rate,
) {
  const limited = await orderedWorld(({ jobId }) => ({ ms: msOf(jobId) }));
  const by = { sub: 'alice', name: null, via: 'token' } as const;
  await limited.world.deps.concurrency.putKey({
    userId: 'alice',
    name: KEY,
    limit,
    updatedAtMs: T0_MS,
    by,
    ...(rate && { rate }),
  });
  return limited;
}

const due = (world: PipelineWorld, jobId: string, afterSec: number, changes: Partial<Job> = {}): Job =>
  dueOnce(world, jobId, afterSec, { orderingKey: null, concurrencyKey: KEY, ...changes });

test.each([1, 3])('at most %i executions of a key run at a time, and all of them run', async (limit) => {
  const { world, spans } = await limitedWorld(limit);
  const ids = Array.from({ length: 12 }, (_, index) => `j${String(index).padStart(2, '0')}`);
  for (const jobId of ids) await world.create(due(world, jobId, 30));
  await world.run(3 * MINUTE_MS);
  expect(spans.map(({ jobId }) => jobId).sort()).toEqual(ids);
  expect(mostAtOnce(spans)).toBe(limit);
  // No slot stays unused while executions wait.
  const lastMs = Math.max(...spans.map(({ endMs }) => endMs));
  expect(lastMs - (T0_MS + 30 * SECOND_MS)).toBeLessThan((12 / limit) * 5 * SECOND_MS + 4 * SECOND_MS);
  expect(leftSlotRows(world)).toEqual([]);
  expect(world.errors()).toEqual([]);
});

test('a key that was deleted by force has the limits of a rule that is named as it is', async () => {
  const { world, spans } = await limitedWorld(5);
  expect((await world.api('putConcurrencyKey', { key: `${KEY}*` }, { limit: 2 })).status).toBe(201);
  for (const jobId of ['a', 'b', 'c', 'd']) await world.create(due(world, jobId, 30));
  const force = { query: new Map([['force', ['true']]]) };
  expect((await world.api('deleteConcurrencyKey', { key: KEY }, undefined, {}, force)).status).toBe(204);
  await world.run(2 * MINUTE_MS);
  expect(spans).toHaveLength(4);
  expect(mostAtOnce(spans)).toBe(2);
});

test('those that wait run in order of their due times', async () => {
  const { world, spans } = await limitedWorld(1, (jobId) => (jobId === 'first' ? 20_000 : SECOND_MS));
  await world.create(due(world, 'first', 30));
  for (const [index, jobId] of ['d', 'c', 'b', 'a'].entries())
    await world.create(due(world, jobId, 31 + index));
  await world.run(2 * MINUTE_MS);
  expect(spans.map(({ jobId }) => jobId)).toEqual(['first', 'd', 'c', 'b', 'a']);
});

test('other keys, other projects and jobs without a key do not wait', async () => {
  const { world, spans } = await limitedWorld(1, (jobId) => (jobId === 'slow' ? 25_000 : 500));
  await world.create(due(world, 'slow', 30));
  await world.create(due(world, 'same', 31));
  await world.create(due(world, 'other', 31, { concurrencyKey: 'other' }));
  await world.create(due(world, 'none', 31, { concurrencyKey: undefined }));
  await world.create(due(world, 'theirs', 31, { userId: 'bob' }));
  await world.run(2 * MINUTE_MS);
  const began = new Map(spans.map(({ jobId, beginMs }) => [jobId, (beginMs - T0_MS) / SECOND_MS]));
  for (const jobId of ['other', 'none', 'theirs']) expect(began.get(jobId)).toBeLessThan(32);
  expect(began.get('same')).toBeGreaterThanOrEqual(55);
});

test('an execution keeps its slot through its retries', async () => {
  const { world } = await limitedWorld(1);
  const seen: string[] = [];
  let called = '';
  world.observe = (delivery) => (called = delivery.headers['quarterjack-job']!);
  world.behaviour = () => {
    seen.push(called);
    return called === 'a'
      ? { outcome: 'retriable', statusCode: 503 }
      : { outcome: 'succeeded', statusCode: 200 };
  };
  await world.create(due(world, 'a', 30));
  await world.create(due(world, 'b', 31));
  await world.run(5 * MINUTE_MS);
  expect(seen).toEqual(['a', 'a', 'a', 'b']);
  expect(leftSlotRows(world)).toEqual([]);
});

test('a waiting execution that is cancelled, paused or deleted takes no slot', async () => {
  const { world, spans } = await limitedWorld(1, (jobId) => (jobId === 'slow' ? 25_000 : 500));
  await world.create(due(world, 'slow', 30));
  for (const jobId of ['cancelled', 'paused', 'deleted', 'last']) await world.create(due(world, jobId, 31));
  await world.run(35_000);
  const execId = execIdOfOccurrence(T0_MS + 31_000);
  await world.api('cancelExecution', { jobId: 'cancelled', execId });
  await world.api('pauseJob', { jobId: 'paused' });
  await world.api('deleteJob', { jobId: 'deleted' });
  await world.run(10 * MINUTE_MS);
  expect(spans.map(({ jobId }) => jobId)).toEqual(['slow', 'last']);
  expect(leftSlotRows(world)).toEqual([]);
});

test('a user retry takes a slot again', async () => {
  const { world, spans } = await limitedWorld(1, () => 10 * SECOND_MS);
  await world.create(due(world, 'a', 30));
  await world.create(due(world, 'b', 100));
  await world.run(MINUTE_MS);
  const behaviour = world.behaviour;
  world.behaviour = async (...call) => ({ ...(await behaviour(...call)), outcome: 'fatal' });
  await world.run(MINUTE_MS);
  const execId = execIdOfOccurrence(T0_MS + 100_000);
  world.behaviour = behaviour;
  expect((await world.api('runJob', { jobId: 'a' })).status).toBe(202);
  expect((await world.api('retryExecution', { jobId: 'b', execId })).status).toBe(202);
  await world.run(MINUTE_MS);
  expect(spans.map(({ jobId }) => jobId)).toEqual(['a', 'b', 'a', 'b']);
  expect(mostAtOnce(spans)).toBe(1);
  expect(leftSlotRows(world)).toEqual([]);
});

test('an executor that dies before any of its writes loses no slot', async () => {
  for (let fatal = 1, died = true; died; fatal++) {
    died = false;
    const { world, spans } = await limitedWorld(1, () => SECOND_MS);
    let writes = 0;
    world.onExecutorCall = ({ command }, kill) => {
      if (died || !/^(Put|Update|Delete|BatchWrite)/.test(command) || ++writes < fatal) return;
      died = true;
      kill();
    };
    for (const [index, jobId] of ['a', 'b'].entries()) await world.create(due(world, jobId, 30 + index / 2));
    await world.run(4 * MINUTE_MS);
    const ends = ['a', 'b'].flatMap((jobId) => world.executions({ userId: 'alice', jobId }));
    expect(ends.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    // A message that dies with its executor is sent again within 110 s, as that of any job.
    expect(Math.max(...spans.map(({ beginMs }) => beginMs)) - T0_MS).toBeLessThan(150 * SECOND_MS);
    expect(leftSlotRows(world)).toEqual([]);
  }
});

/** Seconds after T0 at which each call began, in their order. */
const begins = (spans: readonly Span[]): number[] =>
  spans.map(({ beginMs }) => Math.round((beginMs - T0_MS) / SECOND_MS));

test('no more executions start in any period than the rate allows, in order, and each when its time comes', async () => {
  const { world, spans } = await limitedWorld(100, () => SECOND_MS, { limit: 3, per: '1m' });
  const ids = Array.from({ length: 10 }, (_, index) => `j${index}`);
  for (const [index, jobId] of ids.entries()) await world.create(due(world, jobId, 30 + index / 10));
  await world.run(5 * MINUTE_MS);
  expect(spans.map(({ jobId }) => jobId)).toEqual(ids);
  expect(begins(spans)).toEqual([30, 30, 30, 90, 90, 90, 150, 150, 150, 210]);
  for (const [index, { beginMs }] of spans.entries())
    if (index >= 3) expect(beginMs - spans[index - 3]!.beginMs).toBeGreaterThanOrEqual(MINUTE_MS);
  expect(leftSlotRows(world)).toEqual([]);
  expect(world.errors()).toEqual([]);
});

test('a slot that frees while the rate is used up goes to the first that waits, at its time', async () => {
  const { world, spans } = await limitedWorld(1, () => 5 * SECOND_MS, { limit: 2, per: '1m' });
  world.on.sweep = false; // a recheck may come at that very time
  for (const [index, jobId] of ['a', 'b', 'c', 'd'].entries())
    await world.create(due(world, jobId, 30 + index));
  await world.run(3 * MINUTE_MS);
  expect(begins(spans)).toEqual([30, 35, 90, 95]);
});

test('a retry is no start, and a user retry is one', async () => {
  const { world } = await limitedWorld(1, () => SECOND_MS, { limit: 1, per: '5m' });
  const calls: number[] = [];
  world.behaviour = () => {
    calls.push(Math.round((world.deps.clock.nowMs() - T0_MS) / MINUTE_MS));
    return { outcome: 'retriable', statusCode: 503 };
  };
  await world.create(due(world, 'a', 30));
  await world.run(2 * MINUTE_MS);
  expect(calls).toEqual([1, 1, 1]);
  const execId = execIdOfOccurrence(T0_MS + 30 * SECOND_MS);
  expect((await world.api('retryExecution', { jobId: 'a', execId })).status).toBe(202);
  await world.run(2 * MINUTE_MS);
  expect(calls).toHaveLength(3);
  await world.run(4 * MINUTE_MS);
  expect(calls.slice(3)).toEqual([6, 6, 6]);
});

test('the next one starts at its time though the first that waited is cancelled', async () => {
  const { world, spans } = await limitedWorld(5, () => SECOND_MS, { limit: 1, per: '2m' });
  for (const [index, jobId] of ['a', 'b', 'c'].entries()) await world.create(due(world, jobId, 30 + index));
  await world.run(MINUTE_MS);
  const execId = execIdOfOccurrence(T0_MS + 31 * SECOND_MS);
  expect((await world.api('cancelExecution', { jobId: 'b', execId })).status).toBe(202);
  await world.run(4 * MINUTE_MS);
  expect(spans.map(({ jobId }) => jobId)).toEqual(['a', 'c']);
  expect(begins(spans)).toEqual([30, 150]);
});

test('an executor that dies before any of its writes uses up no start of the rate', async () => {
  for (let fatal = 1, died = true; died; fatal++) {
    died = false;
    const { world, spans } = await limitedWorld(2, () => SECOND_MS, { limit: 2, per: '4m' });
    let writes = 0;
    world.onExecutorCall = ({ command }, kill) => {
      if (died || !/^(Put|Update|Delete|BatchWrite)/.test(command) || ++writes < fatal) return;
      died = true;
      kill();
    };
    for (const [index, jobId] of ['a', 'b', 'c'].entries())
      await world.create(due(world, jobId, 30 + index / 2));
    await world.run(4 * MINUTE_MS);
    // Both starts of the period are used within it, and the third execution waits for the next one.
    expect(new Set(spans.map(({ jobId }) => jobId)).size).toBe(2);
    await world.run(5 * MINUTE_MS);
    const firstBegins = ['a', 'b', 'c'].map((id) => spans.find(({ jobId }) => jobId === id)!.beginMs);
    expect(Math.max(...firstBegins) - Math.min(...firstBegins)).toBeGreaterThanOrEqual(4 * MINUTE_MS);
    const ends = ['a', 'b', 'c'].flatMap((jobId) => world.executions({ userId: 'alice', jobId }));
    expect(ends.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(leftSlotRows(world)).toEqual([]);
  }
});

test('the slot of an earlier life counts as free while its execution waits elsewhere', async () => {
  const { world, spans } = await limitedWorld(1, (jobId) => (jobId === 'slow' ? 100_000 : SECOND_MS));
  let died = 0;
  world.dynamo.faults = {
    before({ command, input }) {
      const { bucket } = (input.Key ?? {}) as { bucket?: string };
      if (command !== 'DeleteCommand' || !bucket?.startsWith('#slots#') || died > 0) return;
      died += 1;
      throw new Error('died');
    },
  };
  await world.create(due(world, 'retried', 20, { orderingKey: 'k' }));
  await world.create(due(world, 'slow', 25, { orderingKey: 'k', concurrencyKey: undefined }));
  await world.create(due(world, 'other', 40));
  const behaviour = world.behaviour;
  world.behaviour = async (...call) =>
    spans.length === 0 ? { ...(await behaviour(...call)), outcome: 'fatal' } : behaviour(...call);
  await world.run(27 * SECOND_MS);
  expect(died).toBe(1);
  const execId = execIdOfOccurrence(T0_MS + 20 * SECOND_MS);
  expect((await world.api('retryExecution', { jobId: 'retried', execId })).status).toBe(202);
  await world.run(4 * MINUTE_MS);
  expect(spans.map(({ jobId }) => jobId)).toEqual(['retried', 'slow', 'other', 'retried']);
  expect(begins(spans)[2]).toBe(40);
});

test('what waits for a start comes never before its own time', async () => {
  const { world } = await limitedWorld(1);
  await world.create(due(world, 'a', 30));
  const job = (await world.deps.jobs.get({ userId: 'alice', jobId: 'a' }))!;
  const next = { attempt: 1, startAtMs: T0_MS + 60_000 };
  const waiting = anExecution({ jobKey: 'alice/a', status: 'retrying', startAtMs: next.startAtMs });
  const message = attemptMessage(waiting, next, job);
  if (!isLimited(message)) throw new Error('its job has a key');
  const sent = jest.spyOn(world.queue, 'send');
  await sendForStart(message, T0_MS + 30_000, world.deps);
  await sendForStart(message, T0_MS + 90_000, world.deps);
  const startsMs = sent.mock.calls.map(([[first]]) => first!.message.startAtMs - T0_MS);
  expect(startsMs).toEqual([60_000, 90_000]);
});
