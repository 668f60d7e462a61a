import { quotas } from '../../../../lambdas/api/jobs/charge-quotas';
import { type Answered, ApiWorld, type CallOptions } from '../world';

const limits = {
  jobs: 1_000,
  firesPerMinute: 1_000,
  payloadBytes: 1_000_000,
  liveRuns: 1_000,
  requestsPerMinute: 1_000_000,
  changesPerMinute: 1_000,
  reportsPerMinute: 1_000,
  writtenBytesPerDay: 10_737_418_240,
  logBytesPerDay: 1_000_000_000,
  logBytesPerAttempt: 524_288,
};

const send = (world: ApiWorld, event: object, options?: CallOptions): Promise<Answered> =>
  world.call('POST /v1/events', {}, { name: 'order.paid', ...event }, options);

const runs = (world: ApiWorld) =>
  world.tables.rows('Executions').filter(({ trigger }) => trigger === 'event');

describe('POST /v1/events', () => {
  it('is refused as a whole where the quota of runs has no room for all jobs, and starts nothing', async () => {
    const world = new ApiWorld();
    const { usage } = world.deps;
    world.deps.quotas = quotas({ ...limits, runsPerMinute: 5 }, { usage, clock: world.clock });
    for (const jobId of ['a', 'b', 'c'])
      await world.create({ jobId, schedule: { type: 'event', name: 'order.paid' } });
    expect((await send(world, { id: 'e1' })).status).toBe(202);
    const refused = await send(world, { id: 'e2' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(runs(world)).toHaveLength(3);
    await world.clock.advance(60_000);
    expect((await send(world, { id: 'e2' })).body).toMatchObject({ replayed: false });
    expect(runs(world)).toHaveLength(6);
    // A repeat counts nothing, for there is nothing left to start.
    for (let repeats = 0; repeats < 5; repeats++)
      expect((await send(world, { id: 'e2' })).body).toMatchObject({ replayed: true });
  });

  it('a burst of two thousand events starts as many runs as the quota allows', async () => {
    const world = new ApiWorld();
    const { usage } = world.deps;
    world.deps.quotas = quotas({ ...limits, runsPerMinute: 100 }, { usage, clock: world.clock });
    await world.create({ jobId: 'a', schedule: { type: 'event', name: 'order.paid' } });
    const statuses = new Map<number, number>();
    for (let sent = 0; sent < 2_000; sent++) {
      const { status } = await send(world, {});
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [202, 100],
      [429, 1_900],
    ]);
    expect(runs(world)).toHaveLength(100);
  });

  it('postpones a debounced run for at most a day', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'event', name: 'order.paid', debounce: '20h' } });
    await send(world, {});
    await world.clock.advance(15 * 3_600_000);
    const { body } = await send(world, { data: 2 });
    expect(body.runs).toMatchObject([{ dueAt: '2026-12-02T08:30:00.000Z' }]);
    expect(runs(world)).toHaveLength(1);
  });

  it('stays within its project', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'event', name: 'order.paid' } }, { user: 'bob' });
    expect((await send(world, {})).body.runs).toEqual([]);
    expect(runs(world)).toEqual([]);
  });

  it('knows how many deliveries led to it', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'event', name: 'order.paid' } });
    await send(world, {}, { headers: { 'quarterjack-hop': '2' } });
    expect(runs(world)).toMatchObject([{ deliveryDepth: 2 }]);
    expect((await send(world, {}, { headers: { 'quarterjack-hop': '3' } })).status).toBe(409);
  });

  it.each([
    [{ name: 'a b' }, 'name'],
    [{ name: 'a', key: '' }, 'key'],
    [{ name: 'a', id: 'x'.repeat(129) }, 'id'],
    [{ name: 'a', payload: 1 }, 'payload'],
  ])('%j is rejected', async (body, path) => {
    const answer = await new ApiWorld().call('POST /v1/events', {}, body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it('has a payload limit', async () => {
    const answer = await send(new ApiWorld(), { data: 'x'.repeat(70_000) });
    expect(answer.status).toBe(413);
  });
});
