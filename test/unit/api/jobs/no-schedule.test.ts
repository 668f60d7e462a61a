import { quotas } from '../../../../lambdas/api/jobs/charge-quotas';
import { noQuotas } from '../../../support/no-quotas';
import { ApiWorld } from '../world';

const schedule = { type: 'none' };

describe('a job without a schedule', () => {
  it('is active and has no next occurrence, whatever has run', async () => {
    const world = new ApiWorld();
    const created = await world.create({ jobId: 'a', schedule });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ schedule, status: 'active', nextFireAt: null, lastExecution: null });
    const run = await world.post('a', 'run');
    expect(run.status).toBe(202);
    const lease = { jobKey: world.jobKey('a'), execId: run.body.execId, attempt: 1, claimId: 'c' };
    const at = { dueAtMs: world.clock.nowMs(), nowMs: world.clock.nowMs() };
    await world.deps.executions.claim({ ...lease, ...at, trigger: 'manual' });
    const ending = { status: 'succeeded', finishedAtMs: at.nowMs, expiresAtSec: 2_000_000_000 } as const;
    await world.deps.ends.finish({ ...lease, fence: 1 }, ending, []);
    expect((await world.get('a')).body).toMatchObject({
      status: 'active',
      nextFireAt: null,
      lastExecution: { status: 'succeeded' },
    });
  });

  it('changes its status alone when it is paused and resumed', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule });
    const paused = await world.post('a', 'pause');
    expect(paused.body).toMatchObject({ status: 'paused', nextFireAt: null });
    await world.clock.advance(86_400_000);
    const resumed = await world.post('a', 'resume');
    expect(resumed.body).toMatchObject({ status: 'active', nextFireAt: null });
    const { executions } = await world.deps.executions.list(world.jobKey('a'), { order: 'asc', limit: 10 });
    expect(executions).toEqual([]);
    expect(world.entries).toEqual([]);
  });

  it('counts towards the quota of jobs', async () => {
    const world = new ApiWorld();
    const limits = { ...noQuotas.quotaLimits, payloadBytes: 1_000 };
    const { usage } = world.deps;
    world.deps.quotas = quotas({ ...limits, changesPerMinute: 10, jobs: 1 }, { usage, clock: world.clock });
    expect((await world.create({ jobId: 'a', schedule })).status).toBe(201);
    expect((await world.create({ jobId: 'b', schedule })).status).toBe(429);
  });

  it('gets a schedule, and loses it again, by a patch', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule });
    const patched = await world.patch('a', { schedule: { type: 'cron', expression: '0 9 * * *' } });
    expect(patched.body).toMatchObject({ nextFireAt: '2026-12-01T09:00:00.000Z' });
    const back = await world.patch('a', { schedule });
    expect(back.body).toMatchObject({ schedule, status: 'active', nextFireAt: null });
  });
});
