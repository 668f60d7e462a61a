import { ApiWorld } from '../world';

describe('GET /v1/jobs/{jobId}', () => {
  it('is completed after its last execution has ended', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'delay', delay: '10s' } });
    await world.clock.advance(11_000);
    expect((await world.get('a')).body).toMatchObject({
      status: 'active',
      nextFireAt: null,
      lastExecution: null,
    });
    const claim = { jobKey: world.jobKey('a'), execId: '20261201T083010.000Z', attempt: 1, claimId: 'c' };
    const dueAtMs = world.clock.nowMs() - 1_000;
    await world.deps.executions.claim({ ...claim, trigger: 'schedule', dueAtMs, nowMs: world.clock.nowMs() });
    expect((await world.get('a')).body).toMatchObject({
      status: 'active',
      lastExecution: { status: 'running' },
    });
    await world.deps.ends.finish(
      { ...claim, fence: 1 },
      { status: 'succeeded', finishedAtMs: world.clock.nowMs(), expiresAtSec: 2_000_000_000 },
      [],
    );
    expect((await world.get('a')).body).toMatchObject({
      status: 'completed',
      lastExecution: { execId: claim.execId, status: 'succeeded', dueAt: '2026-12-01T08:30:10.000Z' },
    });
  });

  it('has no next occurrence once maxRuns is used up', async () => {
    const world = new ApiWorld();
    const { body } = await world.create({
      jobId: 'a',
      schedule: { type: 'interval', every: '1h', maxRuns: 2 },
    });
    expect(body.nextFireAt).toBe('2026-12-01T09:30:00.000Z');
    await world.clock.advance(3_600_000);
    expect((await world.get('a')).body.nextFireAt).toBe('2026-12-01T10:30:00.000Z');
    await world.clock.advance(3_600_000);
    expect((await world.get('a')).body.nextFireAt).toBeNull();
  });

  it('ignores the history of an earlier job with the same id', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'run');
    await world.remove('a');
    await world.clock.advance(1);
    expect((await world.create({ jobId: 'a' })).body.lastExecution).toBeNull();
  });
});
