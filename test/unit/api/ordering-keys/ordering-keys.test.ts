import { execIdOfOccurrence } from '../../../../lambdas/core/contracts/tables';
import { T0_MS } from '../../../support/factories';
import { paths, ApiWorld } from '../world';

const orderingKey = 'customer/42 – Köln';
const soon = { type: 'at', at: new Date(T0_MS + 60_000).toISOString() };
const stateOf = (world: ApiWorld, key = orderingKey, user = 'alice') =>
  world.call('GET /v1/ordering-keys', {}, undefined, {
    query: `orderingKey=${encodeURIComponent(key)}`,
    user,
  });

describe('orderingKey and onFailure', () => {
  it('are echoed, are sent with the message, and can be removed again', async () => {
    const world = new ApiWorld();
    const { status, body } = await world.create({
      jobId: 'a',
      schedule: soon,
      orderingKey,
      onFailure: 'block',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ orderingKey, onFailure: 'block' });
    expect(world.queue.messages).toMatchObject([{ orderingKey }]);
    const patched = await world.patch('a', { orderingKey: null, onFailure: null });
    expect(patched.body).toMatchObject({ orderingKey: null, onFailure: 'continue' });
  });

  it.each([
    ['an empty key', { orderingKey: '' }, 'orderingKey'],
    ['a long key', { orderingKey: 'x'.repeat(257) }, 'orderingKey'],
    ['a key that is not a string', { orderingKey: 42 }, 'orderingKey'],
    ['a key of two lines', { orderingKey: 'a\nb' }, 'orderingKey'],
    ['an unknown onFailure', { orderingKey, onFailure: 'explode' }, 'onFailure'],
    ['a block without a key', { onFailure: 'block' }, 'onFailure'],
  ])('rejects %s', async (_, fields, path) => {
    const answer = await new ApiWorld().create(fields);
    expect(answer.status).toBe(400);
    expect(paths(answer)).toEqual([path]);
  });

  it('a manual run has the key from the start, and its ticket before its message is sent', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', orderingKey });
    const { body } = await world.post('a', 'run');
    expect(body).toMatchObject({ status: 'queued', orderingKey });
    expect((await stateOf(world)).body).toEqual({
      orderingKey,
      holder: null,
      blocked: false,
      waiting: [{ jobId: 'a', execId: body.execId, dueAt: '2026-12-01T08:30:00.000Z' }],
    });
  });
});

describe('GET /v1/ordering-keys', () => {
  it('shows the holder of a key and who waits, only to the key’s user', async () => {
    const world = new ApiWorld();
    for (const jobId of ['a', 'b']) await world.create({ jobId, schedule: soon, orderingKey });
    expect((await stateOf(world)).body).toMatchObject({ holder: null, waiting: [] });
    world.clock.stepWall(61_000);
    expect((await stateOf(world)).body.waiting).toMatchObject([{ jobId: 'a' }, { jobId: 'b' }]);

    const ref = { jobKey: world.jobKey('a'), execId: execIdOfOccurrence(T0_MS + 60_000), orderingKey };
    const dueAtMs = T0_MS + 60_000;
    const acquired = { acquisitionId: 't', nowMs: dueAtMs, expiresAtSec: T0_MS };
    await world.deps.ordering.acquire({ ...ref, dueAtMs }, acquired);
    const queued = await stateOf(world);
    expect(queued.body).toMatchObject({
      holder: { jobId: 'a', status: 'queued' },
      waiting: [{ jobId: 'b' }],
    });
    const claim = { ...ref, trigger: 'schedule', dueAtMs, attempt: 1, claimId: 'c', nowMs: dueAtMs } as const;
    await world.deps.executions.claim(claim);
    expect((await stateOf(world)).body).toMatchObject({ holder: { jobId: 'a', status: 'running' } });
    expect((await stateOf(world, orderingKey, 'bob')).body).toEqual({
      orderingKey,
      holder: null,
      blocked: false,
      waiting: [],
    });
  });

  it('requires the key', async () => {
    const answer = await new ApiWorld().call('GET /v1/ordering-keys');
    expect(answer.status).toBe(400);
    expect(paths(answer)).toEqual(['orderingKey']);
  });
});

describe('POST /v1/ordering-keys/unblock', () => {
  const unblock = (world: ApiWorld, body: unknown, user = 'alice', scope?: string) =>
    world.call('POST /v1/ordering-keys/unblock', {}, body, { user, scope });

  /** `a` has failed and blocks; `b` waits. */
  async function blocked() {
    const world = new ApiWorld();
    for (const jobId of ['a', 'b'])
      await world.create({ jobId, schedule: soon, orderingKey, onFailure: 'block' });
    world.clock.stepWall(61_000);
    const dueAtMs = T0_MS + 60_000;
    const ref = { jobKey: world.jobKey('a'), execId: execIdOfOccurrence(dueAtMs), orderingKey };
    await world.deps.ordering.acquire(
      { ...ref, dueAtMs },
      { acquisitionId: 't', nowMs: dueAtMs, expiresAtSec: T0_MS / 1_000 + 86_400 },
    );
    await world.deps.executions.claim({
      ...ref,
      trigger: 'schedule',
      dueAtMs,
      attempt: 1,
      claimId: 'c',
      nowMs: dueAtMs,
    });
    await world.deps.ends.finish(
      { ...ref, claimId: 'c', fence: 1, attempt: 1 },
      { status: 'failed', reason: 'fatal', finishedAtMs: dueAtMs, expiresAtSec: T0_MS, blocksKey: true },
      [],
    );
    world.queue.purge();
    return { world, ref };
  }

  it('starts the next execution at once', async () => {
    const { world, ref } = await blocked();
    expect((await stateOf(world)).body).toMatchObject({ blocked: true, holder: { status: 'failed' } });
    const { status, body } = await unblock(world, { orderingKey });
    expect(status).toBe(200);
    expect(body).toMatchObject({ blocked: false, holder: null, waiting: [{ jobId: 'b' }] });
    expect(world.queue.messages).toMatchObject([{ jobKey: world.jobKey('b') }]);
    expect(await world.deps.executions.get(ref)).toMatchObject({ status: 'failed' });
    expect((await unblock(world, { orderingKey })).body).toMatchObject({ blocked: false });
  });

  it('is forbidden to another user, and to a token that may only read', async () => {
    const { world } = await blocked();
    await unblock(world, { orderingKey }, 'bob');
    expect((await unblock(world, { orderingKey }, 'alice', 'jobs:read')).status).toBe(403);
    expect((await stateOf(world)).body).toMatchObject({ blocked: true });
    expect(world.queue.messages).toEqual([]);
  });
});
