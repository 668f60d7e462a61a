import { worldWithJobs } from '../lists';
import { type Answered, ApiWorld, paths } from '../world';

const upcoming = (world: ApiWorld, query = '', user = 'alice') =>
  world.call('GET /v1/upcoming', {}, undefined, { query, user });
const shown = ({ body }: Answered): string[] =>
  body.items.map(({ at, jobId }: { at: string; jobId: string }) => `${at.slice(11, 16)} ${jobId}`);

const cron = (expression: string, more: object = {}) => ({ type: 'cron', expression, ...more });

/** Jobs whose due times interleave; now is 08:30. */
async function worldOfFour(): Promise<ApiWorld> {
  const world = new ApiWorld();
  await world.create({ jobId: 'c', schedule: cron('*/20 * * * *'), tags: { team: 'a' } });
  await world.create({
    jobId: 'a',
    schedule: cron('0 10 * * *', { timezone: 'Europe/Berlin' }),
    name: 'Ten',
  });
  await world.create({ jobId: 'b', schedule: cron('*/10 * * * *', { maxRuns: 2 }) });
  await world.create({ jobId: 'paused', schedule: cron('* * * * *') });
  await world.post('paused', 'pause');
  return world;
}

describe('GET /v1/upcoming', () => {
  it('lists the next due times of all jobs in order, and nothing of paused ones', async () => {
    const world = await worldOfFour();
    const answered = await upcoming(world, 'limit=6');
    expect(shown(answered)).toEqual(['08:40 b', '08:40 c', '08:50 b', '09:00 a', '09:00 c', '09:20 c']);
    expect(answered.body).toMatchObject({ jobs: 3, complete: true, incompleteBecause: [] });
    expect(answered.body.items[3]).toEqual({
      at: '2026-12-01T09:00:00.000Z',
      local: '2026-12-01T10:00:00+01:00',
      jobId: 'a',
      name: 'Ten',
    });
  });

  it('lists what a pause with an end leaves', async () => {
    const world = await worldOfFour();
    await world.post('paused', 'pause', { until: '2026-12-01T08:49:00Z' });
    const items = shown(await upcoming(world, 'limit=4'));
    expect(items).toEqual(['08:40 b', '08:40 c', '08:49 paused', '08:50 b']);
    const ofPaused = 'status=paused&to=2026-12-01T08:51:00Z';
    expect(shown(await upcoming(world, ofPaused))).toEqual(['08:49 paused', '08:50 paused']);
    expect(shown(await upcoming(world, `${ofPaused}&from=2026-12-01T08:50:00Z`))).toEqual(['08:50 paused']);
    expect(shown(await upcoming(world, 'status=paused&to=2026-12-01T08:49:00Z'))).toEqual([]);
    expect(shown(await upcoming(world, 'status=active&limit=3'))).toEqual(['08:40 b', '08:40 c', '08:50 b']);
    expect(shown(await upcoming(world, 'status=completed'))).toEqual([]);
  });

  it('takes a window, which begins now at the earliest, and the filters of jobs', async () => {
    const world = await worldOfFour();
    const window = 'from=2026-12-01T09:00:00Z&to=2026-12-01T09:20:00Z';
    expect(shown(await upcoming(world, window))).toEqual(['09:00 a', '09:00 c']);
    const past = 'from=2026-11-01T00:00:00Z&to=2026-12-01T08:41:00Z';
    expect(shown(await upcoming(world, past))).toEqual(['08:40 b', '08:40 c']);
    expect(shown(await upcoming(world, 'tag=team:a&limit=1'))).toEqual(['08:40 c']);
    expect(shown(await upcoming(world, 'status=paused'))).toEqual([]);
    expect(shown(await upcoming(world, '', 'bob'))).toEqual([]);
  });

  it('says so when it ran out of CPU while it read the jobs, or while it merged them', async () => {
    // The clock of the CPU moves at each question: one before the jobs, one after each of them.
    let cpuMs = 0;
    let perQuestionMs = 0;
    const world = await worldWithJobs(10, () => ({ schedule: cron('* * * * *') }));
    world.deps.cpuMs = () => (cpuMs += perQuestionMs);
    expect((await upcoming(world, 'limit=5')).body.complete).toBe(true);
    perQuestionMs = 1_000;
    const short = (await upcoming(world, 'limit=500')).body;
    expect(short).toMatchObject({ complete: false, incompleteBecause: ['time'] });
    expect(short.jobs).toBeLessThan(10);
    perQuestionMs = 250;
    const unmerged = (await upcoming(world, 'limit=500')).body;
    expect(unmerged).toMatchObject({ jobs: 10, complete: false, incompleteBecause: ['time'] });
    expect(unmerged.items.length).toBeGreaterThan(0);
  });

  it('says so when more than 2,000 jobs pass the filter', async () => {
    const world = await worldWithJobs(1);
    const job = (await world.jobRow('job-000'))!;
    for (let at = 1; at <= 2_000; at++) await world.deps.jobs.create({ ...job, jobId: `x-${at}` });
    expect((await upcoming(world)).body).toMatchObject({
      jobs: 2_000,
      complete: false,
      incompleteBecause: ['jobs'],
    });
    expect((await upcoming(world, 'q=x-')).body.complete).toBe(true);
  });

  it.each([
    ['limit=501', 'limit'],
    ['to=2026-12-01T08:30:00Z', 'to'],
    ['from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z', 'to'],
    ['from=tomorrow', 'from'],
  ])('rejects %s', async (query, path) => {
    const answered = await upcoming(new ApiWorld(), query);
    expect(answered.status).toBe(400);
    expect(paths(answered)).toEqual([path]);
  });
});
