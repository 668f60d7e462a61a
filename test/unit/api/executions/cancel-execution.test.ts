import { ApiWorld } from '../world';

const cancel = (world: ApiWorld, execId: string, body?: unknown) =>
  world.call('POST /v1/jobs/{jobId}/executions/{execId}/cancel', { jobId: 'a', execId }, body);

describe('POST …/{execId}/cancel', () => {
  it('keeps a planned occurrence from being claimed, for longer than its message can live', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'interval', every: '40d' } });
    const execId = '20270110T083000.000Z';
    const { status, body } = await cancel(world, execId);
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user', execId });
    expect(await world.claim('a', execId)).toMatchObject({ outcome: 'refused' });
    const row = await world.deps.executions.get({ jobKey: world.jobKey('a'), execId });
    expect(row!.expiresAtSec! * 1_000).toBeGreaterThan(Date.UTC(2027, 0, 10) + 20 * 86_400_000);
    expect((await world.get('a')).body.lastExecution).toBeNull(); // it is not due yet
  });

  it('ends a waiting manual run; a repeat gets the same response', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const { execId } = (await world.post('a', 'run')).body;
    const first = await cancel(world, execId, {});
    expect(first).toMatchObject({
      status: 202,
      body: { status: 'cancelled', finishedAt: '2026-12-01T08:30:00.000Z' },
    });
    expect((await cancel(world, execId)).status).toBe(202);
    expect(await world.claim('a', execId, 'manual')).toMatchObject({ outcome: 'refused' });
  });

  it('requests the cancellation of a running execution, and answers 409 after its end', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const { execId } = (await world.post('a', 'run')).body;
    await world.claim('a', execId, 'manual');
    expect(await cancel(world, execId)).toMatchObject({ status: 202, body: { status: 'running' } });
    const lease = { jobKey: world.jobKey('a'), execId, claimId: 'claim-1', fence: 1, attempt: 1 };
    expect(await world.deps.executions.heartbeat(lease, world.clock.nowMs())).toBe('cancel-requested');
    await world.deps.ends.finish(
      lease,
      {
        status: 'succeeded',
        finishedAtMs: world.clock.nowMs(),
        expiresAtSec: 2e9,
      },
      [],
    );
    const answered = await cancel(world, execId);
    expect(answered.status).toBe(409);
    expect(answered.body.detail).toMatch(/succeeded/);
  });

  it('reads the execution again if an executor has claimed it meanwhile', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'delay', delay: '10s' } });
    const { executions } = world.deps;
    const ends = { ...world.deps.ends };
    world.deps.ends.putEnded = async (row) => {
      await world.claim('a', row.execId);
      return ends.putEnded(row);
    };
    expect((await cancel(world, '20261201T083010.000Z')).body.status).toBe('running');
    const row = await executions.get({ jobKey: world.jobKey('a'), execId: '20261201T083010.000Z' });
    expect(row).toMatchObject({ status: 'running', cancelRequested: { reason: 'cancelled-by-user' } });
  });

  it('answers 404 for an execution that is neither stored nor planned', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    expect((await cancel(world, '20261203T090000.000Z')).status).toBe(404);
    expect(world.tables.rows('Executions')).toEqual([]);
  });
});
