import { NO_USAGE } from '../../../../lambdas/core/quotas/usage';
import { ApiWorld } from '../world';

const inAnHour = { type: 'delay', delay: '1h' };

const usage = async (world: ApiWorld) =>
  (await world.clock.settle(world.call('GET /v1/usage'))).body as Record<
    string,
    { used: number; allowed: number; approximate: boolean }
  >;

async function createMany(world: ApiWorld, count: number): Promise<void> {
  const { target } = (await world.create({ jobId: 'one', schedule: inAnHour })).body;
  for (let from = 1; from < count; from += 100) {
    const ids = Array.from({ length: Math.min(100, count - from) }, (_, index) => `job-${from + index}`);
    const jobs = ids.map((jobId) => ({ jobId, schedule: inAnHour, target, payload: 'four' }));
    expect((await world.call('POST /v1/jobs/batch', {}, { jobs })).status).toBe(207);
  }
}

describe('the usage of a project', () => {
  it('has the jobs that there are, whatever other processes have not saved', async () => {
    const world = new ApiWorld();
    await createMany(world, 1_022);
    expect(await usage(world)).toMatchObject({
      jobs: { used: 1_022, approximate: false },
      firesPerMinute: { used: 17.03, approximate: false },
      payloadBytes: { used: 1_021 * 6, approximate: false },
    });
    await world.remove('one');
    expect((await usage(world)).jobs).toMatchObject({ used: 1_021 });
  });

  it('leaves out jobs that have ended, and those of other projects', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'soon', schedule: { type: 'delay', delay: '1m' } });
    await world.create({ jobId: 'later', schedule: inAnHour });
    await world.create({ jobId: 'theirs', schedule: inAnHour }, { user: 'bob' });
    expect((await usage(world)).jobs!.used).toBe(2);
    await world.clock.advance(120_000);
    expect((await usage(world)).jobs!.used).toBe(1);
  });

  it('is what the processes have saved, and says so, with more jobs than a request counts', async () => {
    const world = new ApiWorld();
    await world.deps.usage.add('alice', { ...NO_USAGE, jobs: 50_000 });
    Object.assign(world.deps.jobs, { list: async () => ({ jobs: [], nextAfter: 'another page' }) });
    expect(await usage(world)).toMatchObject({
      jobs: { used: 50_000, approximate: true },
      firesPerMinute: { approximate: true },
      payloadBytes: { approximate: true },
    });
  });

  it('says that counts of a minute, and of runs under way, are approximate', async () => {
    const world = new ApiWorld();
    const { requestsPerMinute, runsPerMinute, reportsPerMinute, changesPerMinute, liveRuns, logBytesPerDay } =
      await usage(world);
    for (const rate of [requestsPerMinute, runsPerMinute, reportsPerMinute, changesPerMinute, liveRuns])
      expect(rate!.approximate).toBe(true);
    expect(logBytesPerDay!.approximate).toBe(false);
  });
});
