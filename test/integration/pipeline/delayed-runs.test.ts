import type { Job } from '../../../lambdas/core/domain/job';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

async function started(overrides: Partial<Job> = {}) {
  const world = await PipelineWorld.started();
  const startMs = world.clock.nowMs();
  const bodies: unknown[] = [];
  const keys: (string | undefined)[] = [];
  world.observe = ({ body, headers }) => {
    bodies.push(JSON.parse(body.toString() || 'null'));
    keys.push(headers['quarterjack-key']);
  };
  const job = await world.create(
    newJobAt(world, { jobId: 'remind', schedule: { type: 'none' }, ...overrides }),
  );
  const run = (body: object, headers = {}) => world.api('runJob', { jobId: 'remind' }, body, headers);
  const cancel = async (key: string) =>
    (await world.api('cancelKeyedRun', { jobId: 'remind' }, { key })).body;
  const pause = () => world.api('pauseJob', { jobId: 'remind' });
  const resume = () => world.api('resumeJob', { jobId: 'remind' });
  const rows = () => world.executions(job);
  const text = (afterMs: number) => new Date(startMs + afterMs).toISOString();
  return { world, startMs, bodies, keys, job, run, cancel, pause, resume, rows, text };
}

test('a run is due later, exactly once and on time, with the definition that its job has then', async () => {
  const { world, run, rows, text, startMs, bodies } = await started();
  const asked = await run({ delay: '30m', priority: 'high', tags: { team: 'billing' } });
  expect(asked).toMatchObject({
    status: 202,
    body: { status: 'queued', trigger: 'manual', dueAt: text(30 * MINUTE_MS), tags: { team: 'billing' } },
  });
  expect(asked.body).not.toHaveProperty('created');
  await world.api('patchJob', { jobId: 'remind' }, { payload: { new: true } });
  await world.run(29 * MINUTE_MS);
  expect(world.calls).toEqual([]);
  await world.run(2 * MINUTE_MS);
  expect(world.calls).toMatchObject([{ attempt: 1, dueAtMs: startMs + 30 * MINUTE_MS }]);
  expect(world.calls[0]!.atMs - (startMs + 30 * MINUTE_MS)).toBeLessThan(SECOND_MS);
  expect(bodies).toMatchObject([{ new: true }]);
  await world.run(5 * MINUTE_MS);
  expect(rows()).toMatchObject([{ status: 'succeeded', latenessMs: 0 }]);
  expect(world.errors()).toEqual([]);
});

test('a key keeps the first run, whatever the second asks for; after its end the key is free', async () => {
  const { world, run, text, bodies, keys } = await started();
  const first = await run({ delay: '10m', key: 'unpaid 42/€', payload: 1 });
  expect(first).toMatchObject({ status: 202, body: { key: 'unpaid 42/€', created: true } });
  const second = await run({ delay: '20m', key: 'unpaid 42/€', payload: 2 });
  expect(second).toMatchObject({ status: 200, body: { created: false, dueAt: text(10 * MINUTE_MS) } });
  expect(second.body).toMatchObject({ execId: (first.body as { execId: string }).execId });
  await run({ delay: '10m', key: 'other', payload: 3 });
  await world.run(11 * MINUTE_MS);
  expect(new Set(bodies)).toEqual(new Set([1, 3]));
  expect(new Set(keys)).toEqual(new Set(['unpaid%2042%2F%E2%82%AC', 'other']));
  expect(await run({ delay: '1m', key: 'unpaid 42/€', payload: 4 })).toMatchObject({ status: 202 });
  await world.run(2 * MINUTE_MS);
  expect(bodies).toHaveLength(3);
  expect(world.errors()).toEqual([]);
});

test.each([
  ['later', '10m', '40m', 40 * MINUTE_MS],
  ['earlier', '40m', '10m', 10 * MINUTE_MS],
  ['to now', '40m', '0s', 0],
])('a run is replaced: moved %s, with another payload', async (_, before, after, dueMs) => {
  const { world, run, rows, text, bodies, startMs } = await started();
  await run({ delay: before, key: 'k', payload: 1, keyTtl: '1h' });
  const moved = await run({ delay: after, key: 'k', onExisting: 'replace', payload: 2 });
  expect(moved).toMatchObject({ status: 200, body: { created: false, dueAt: text(dueMs) } });
  await world.run(HOUR_MS);
  expect(bodies).toEqual([2]);
  expect(world.calls).toMatchObject([{ attempt: 1 }]);
  expect(world.calls[0]!.atMs - (startMs + dueMs)).toBeLessThan(SECOND_MS);
  expect(rows()).toHaveLength(1);
  expect(rows()[0]).not.toHaveProperty('keyTtlMs');
  expect(world.errors()).toEqual([]);
});

test('a run that has started is not replaced, and one whose key is kept neither', async () => {
  const { world, run } = await started();
  world.behaviour = async (_, __, clock) => {
    await clock.sleep(5 * SECOND_MS);
    return { outcome: 'succeeded' };
  };
  await run({ key: 'k', keyTtl: '10m' });
  await world.run(2 * SECOND_MS);
  const replace = () => run({ delay: '1m', key: 'k', onExisting: 'replace' });
  const problem = { status: 409, body: { type: expect.stringContaining('/run-started') } };
  expect(await replace()).toMatchObject(problem);
  expect(await run({ delay: '1m', key: 'k' })).toMatchObject({ status: 200, body: { status: 'running' } });
  await world.run(MINUTE_MS);
  expect(await replace()).toMatchObject(problem);
  expect(await run({ key: 'k' })).toMatchObject({
    status: 200,
    body: { created: false, status: 'succeeded' },
  });
  await world.run(10 * MINUTE_MS);
  expect(await replace()).toMatchObject({ status: 202, body: { created: true } });
});

test('a cancel by key says what has become of the run', async () => {
  const { world, run, cancel, bodies } = await started();
  expect(await cancel('k')).toEqual({ outcome: 'unknown' });
  const { execId } = (await run({ delay: '10m', key: 'k' })).body as { execId: string };
  expect(await cancel('k')).toEqual({ outcome: 'cancelled', execId });
  expect(await cancel('k')).toEqual({ outcome: 'cancelled', execId });
  await world.run(15 * MINUTE_MS);
  expect(bodies).toEqual([]);
  world.behaviour = async (_, __, clock) => {
    await clock.sleep(30 * SECOND_MS);
    return { outcome: 'succeeded' };
  };
  const again = (await run({ key: 'k', keyTtl: '1h' })).body as { execId: string };
  expect(again.execId).not.toBe(execId);
  await world.run(2 * SECOND_MS);
  expect(await cancel('k')).toEqual({ outcome: 'cancel-requested', execId: again.execId });
  await run({ key: 'done' });
  await world.run(2 * MINUTE_MS);
  expect(await cancel('done')).toMatchObject({ outcome: 'ended' });
  expect(await world.api('cancelKeyedRun', { jobId: 'none' }, { key: 'k' })).toMatchObject({ status: 404 });
});

test('a pause holds what falls due, and a resumption lets it run once', async () => {
  const { world, run, rows, pause, resume, bodies } = await started();
  await run({ delay: '10m', payload: 1 });
  await run({ delay: '20m', payload: 2, key: 'k' });
  await pause();
  expect((await run({ payload: 'now' })).status).toBe(202);
  await run({ delay: '15m', payload: 3 });
  await world.run(2 * HOUR_MS);
  expect(bodies).toEqual(['now']);
  expect(rows().filter(({ heldAtMs }) => heldAtMs !== undefined)).toHaveLength(3);
  const held = (await world.api(
    'listExecutions',
    { jobId: 'remind' },
    undefined,
    {},
    {
      query: new Map([['key', ['k']]]),
    },
  )) as { body: { items: unknown[] } };
  expect(held.body.items).toMatchObject([
    { key: 'k', heldAt: expect.any(String), nextAttemptAt: null, status: expect.any(String) },
  ]);
  await resume();
  await world.run(11 * MINUTE_MS);
  expect(new Set(bodies)).toEqual(new Set([1, 2, 3, 'now']));
  expect(bodies).toHaveLength(4);
  expect(rows().map(({ status }) => status)).toEqual(Array(4).fill('succeeded'));
  expect(rows().every(({ heldAtMs }) => heldAtMs === undefined)).toBe(true);
  expect(world.errors()).toEqual([]);
});

test('a held run is replaced and cancelled like one that is not yet due', async () => {
  const { world, run, pause, resume, cancel, bodies } = await started();
  await run({ delay: '1m', key: 'a', payload: 'a' });
  await run({ delay: '1m', key: 'b', payload: 'b' });
  await pause();
  await world.run(5 * MINUTE_MS);
  expect(await cancel('a')).toMatchObject({ outcome: 'cancelled' });
  expect(await run({ delay: '30m', key: 'b', onExisting: 'replace', payload: 'c' })).toMatchObject({
    status: 200,
  });
  await resume();
  await world.run(20 * MINUTE_MS);
  expect(bodies).toEqual([]);
  await world.run(20 * MINUTE_MS);
  expect(bodies).toEqual(['c']);
});

test('deleting the job skips its runs, also if another job has the id when they fall due', async () => {
  const { world, run, rows, bodies } = await started();
  await run({ delay: '10m', key: 'k', payload: 'old' });
  await run({ delay: '20m', payload: 'old' });
  await world.api('deleteJob', { jobId: 'remind' });
  await world.run(12 * MINUTE_MS);
  expect(rows()).toMatchObject([{ status: 'skipped', reason: 'deleted' }, { status: 'queued' }]);
  await world.create(newJobAt(world, { jobId: 'remind', schedule: { type: 'none' } }));
  await run({ delay: '5m', key: 'k', payload: 'new' });
  await world.run(20 * MINUTE_MS);
  expect(bodies).toEqual(['new']);
  expect(rows().map(({ status, reason }) => [status, reason])).toEqual([
    ['skipped', 'deleted'],
    ['succeeded', undefined],
    ['skipped', 'deleted'],
  ]);
});

test('a key of a deleted job is no obstacle for the job that has the id now', async () => {
  const { world, run, rows, bodies } = await started();
  await run({ delay: '1h', key: 'k', payload: 'old' });
  await world.run(SECOND_MS);
  await world.api('deleteJob', { jobId: 'remind' });
  await world.create(newJobAt(world, { jobId: 'remind', schedule: { type: 'none' } }));
  expect(await run({ delay: '5m', key: 'k', payload: 'new' })).toMatchObject({ status: 202 });
  await world.run(2 * HOUR_MS);
  expect(bodies).toEqual(['new']);
  expect(rows()).toMatchObject([{ status: 'succeeded' }, { status: 'skipped', reason: 'deleted' }]);
});

test('a run that failed is retried with its key, and not once another run may have it', async () => {
  const { world, run } = await started({
    retry: { ...newJobAt(new PipelineWorld(), {}).retry, maxAttempts: 1 },
  });
  world.behaviour = () => ({ outcome: 'fatal', statusCode: 400 });
  const { execId } = (await run({ key: 'k' })).body as { execId: string };
  await world.run(MINUTE_MS);
  const retry = () => world.api('retryExecution', { jobId: 'remind', execId });
  expect((await retry()).status).toBe(202);
  expect(await run({ key: 'k' })).toMatchObject({ status: 200, body: { execId, created: false } });
  await world.run(MINUTE_MS);
  expect(await run({ key: 'k' })).toMatchObject({ status: 202, body: { created: true } });
  expect(await retry()).toMatchObject({ status: 409 });
  await world.run(MINUTE_MS);
  expect(world.calls).toHaveLength(3);
});

test('a run that is put off leaves its ordering key to the others', async () => {
  const { world, run, pause, bodies } = await started({ orderingKey: 'customer' });
  await world.create(
    newJobAt(world, { jobId: 'next', schedule: { type: 'none' }, orderingKey: 'customer', payload: 'next' }),
  );
  await run({ delay: '1m', key: 'k', payload: 'moved' });
  await run({ delay: '10m', payload: 'held' });
  await run({ delay: '1h', key: 'k', payload: 'moved', onExisting: 'replace' });
  await world.run(2 * MINUTE_MS);
  await world.api('runJob', { jobId: 'next' });
  await world.run(MINUTE_MS);
  expect(bodies).toEqual(['next']);
  await pause();
  await world.run(12 * MINUTE_MS);
  await world.api('runJob', { jobId: 'next' });
  await world.run(MINUTE_MS);
  expect(bodies).toEqual(['next', 'next']);
  expect(world.errors()).toEqual([]);
});

test('a run that was moved while it waited for its job is not skipped for what waits there now', async () => {
  const { world, run, rows, bodies } = await started({ overlap: 'replace' });
  world.behaviour = async (_, signal, clock) => {
    const aborted = new Promise((end) => signal.addEventListener('abort', end));
    await Promise.race([clock.sleep(20 * MINUTE_MS), aborted]);
    return signal.aborted ? { outcome: 'retriable', error: 'aborted' } : { outcome: 'succeeded' };
  };
  await run({ payload: 'first' });
  await world.run(5 * SECOND_MS);
  world.behaviour = () => ({ outcome: 'succeeded' });
  await run({ delay: '1s', key: 'k', payload: 'moved' });
  await world.run(2 * SECOND_MS);
  await run({ delay: '10m', key: 'k', payload: 'moved', onExisting: 'replace' });
  await run({ payload: 'third' });
  await world.run(15 * MINUTE_MS);
  expect(bodies).toEqual(['first', 'third', 'moved']);
  expect(rows().map(({ status }) => status)).toEqual(['cancelled', 'succeeded', 'succeeded']);
});

test('later runs count as changes, and a repeat of a request starts nothing', async () => {
  const { world, run, rows } = await started();
  const once = { 'idempotency-key': 'once' };
  const first = await run({ delay: '10m', key: 'k' }, once);
  await world.run(MINUTE_MS);
  const repeated = await run({ delay: '10m', key: 'k' }, once);
  expect(repeated).toMatchObject({ status: 202, body: first.body as object });
  expect(repeated.headers).toMatchObject({ 'idempotency-replayed': 'true' });
  await run({ delay: '10m' }, { 'idempotency-key': 'twice' });
  await run({ delay: '10m' }, { 'idempotency-key': 'twice' });
  expect(rows()).toHaveLength(2);
});
