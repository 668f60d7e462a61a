import { allPages, worldWithJobs } from '../lists';
import { type Answered, ApiWorld, paths } from '../world';

const load = (world: ApiWorld, query = '') => world.call('GET /v1/load', {}, undefined, { query });
const cron = (expression: string, more: object = {}) => ({ type: 'cron', expression, ...more });

/** The counts by time of day, those of zero left out. */
const counted = ({ body }: Answered): Record<string, number> =>
  Object.fromEntries(
    (body.counts as number[]).flatMap((count, minute) =>
      count === 0
        ? []
        : [[new Date(Date.parse(body.from) + minute * 60_000).toISOString().slice(11, 16), count]],
    ),
  );
const sumOf = (pages: Answered[]): number[] =>
  (pages[0]!.body.counts as number[]).map((_, minute) =>
    pages.reduce((sum, { body }) => sum + (body.counts as number[])[minute]!, 0),
  );

describe('GET /v1/load', () => {
  it('counts the planned occurrences of all active jobs by minute, for a day from now by default', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: cron('0 9 * * *') });
    await world.create({ jobId: 'b', schedule: cron('0,20,40 * 9 * * *') });
    await world.create({ jobId: 'c', schedule: cron('*/30 9-11 * * *', { maxRuns: 2 }) });
    await world.create({ jobId: 'once', schedule: { type: 'at', at: '2026-12-01T23:59:30Z' } });
    await world.create({ jobId: 'paused', schedule: cron('* * * * *') });
    await world.post('paused', 'pause');
    await world.clock.advance(30_000);
    const answered = await load(world);
    expect(answered.body).toMatchObject({
      from: '2026-12-01T08:30:00.000Z',
      to: '2026-12-02T08:30:00.000Z',
      jobs: 4,
      nextCursor: null,
    });
    expect(answered.body.counts).toHaveLength(1_440);
    const hour = Object.fromEntries(
      Array.from({ length: 60 }, (_, minute) => [`09:${String(minute).padStart(2, '0')}`, 3]),
    );
    expect(counted(answered)).toEqual({ ...hour, '09:00': 5, '09:30': 4, '23:59': 1 });
  });

  it('counts nothing before a job was created or resumed', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: cron('*/10 * * * *') });
    await world.post('a', 'pause');
    await world.clock.advance(25 * 60_000);
    await world.post('a', 'resume');
    const answered = await load(world, 'from=2026-12-01T08:00:00Z&to=2026-12-01T09:11:00Z');
    expect(counted(answered)).toEqual({ '09:00': 1, '09:10': 1 });
  });

  it('counts what is due from the end of a pause on', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: cron('*/10 * * * *') });
    await world.post('a', 'pause', { until: '2026-12-01T09:10:00Z' });
    const answered = await load(world, 'from=2026-12-01T08:00:00Z&to=2026-12-01T09:21:00Z');
    expect(counted(answered)).toEqual({ '09:10': 1, '09:20': 1 });
    expect(answered.body.jobs).toBe(1);
  });

  it('rounds to whole minutes and takes the filters of jobs', async () => {
    const world = await worldWithJobs(3, (at) => ({ schedule: cron('* * * * *'), tags: { n: String(at) } }));
    const { body } = await load(world, 'tag=n:1&from=2026-12-01T09:00:30Z&to=2026-12-01T09:01:30Z');
    expect(body).toMatchObject({
      from: '2026-12-01T09:00:00.000Z',
      to: '2026-12-01T09:02:00.000Z',
      counts: [1, 1],
      jobs: 1,
    });
  });

  it('ends a page after 500 jobs; the pages of one query have the same minutes and add up', async () => {
    const world = await worldWithJobs(1, () => ({ schedule: cron('* * * * *') }));
    const job = (await world.jobRow('job-000'))!;
    for (let at = 1; at < 1_100; at++) await world.deps.jobs.create({ ...job, jobId: `x-${at}` });
    const pages = await allPages(async (cursor) => {
      const page = await load(world, cursor.slice(1));
      await world.clock.advance(60_000); // the default of `from` is that of the first page
      return page;
    });
    expect(pages.map(({ body }) => body.jobs)).toEqual([500, 500, 100]);
    expect(new Set(pages.map(({ body }) => body.from)).size).toBe(1);
    const sum = sumOf(pages);
    expect(sum[0]).toBe(0); // the job was made at the beginning of this minute
    expect(new Set(sum.slice(1))).toEqual(new Set([1_100]));
  });

  it('ends a page after 2 s of CPU, with at least one job each', async () => {
    const world = await worldWithJobs(7, () => ({ schedule: cron('0 * * * *') }));
    const whole = await load(world);
    for (const perQuestionMs of [500, 1_999, 60_000]) {
      let cpuMs = 0;
      world.deps.cpuMs = () => (cpuMs += perQuestionMs);
      const pages = await allPages((cursor) => load(world, cursor.slice(1)));
      expect(pages.length).toBeGreaterThan(1);
      expect(sumOf(pages)).toEqual(whole.body.counts);
    }
  });

  it.each([
    ['from=2026-12-01T00:00:00Z&to=2026-12-08T00:00:01Z', 'to', 'must be at most 7 days after from'],
    ['to=2026-12-01T08:30:00Z', 'to', 'must be later than 2026-12-01T08:30:00.000Z'],
    ['limit=5', 'limit', 'is not a known field'],
    ['cursor=x', 'cursor', 'must be the nextCursor'],
  ])('rejects %s', async (query, path, message) => {
    const answered = await load(new ApiWorld(), query);
    expect(answered.status).toBe(400);
    expect(paths(answered)).toEqual([path]);
    expect(answered.body.errors[0].message).toContain(message);
  });

  it('takes a week', async () => {
    const world = await worldWithJobs(1, () => ({ schedule: cron('* * * * * *') }));
    const { body } = await load(world, 'from=2026-12-02T00:00:00Z&to=2026-12-09T00:00:00Z');
    expect(new Set(body.counts)).toEqual(new Set([60]));
    expect(body.counts).toHaveLength(7 * 1_440);
  });
});
