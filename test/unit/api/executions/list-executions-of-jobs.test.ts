import { execIdOfOccurrence, parseCompactInstant } from '../../../../lambdas/core/contracts/tables';
import { anExecution } from '../../../support/factories';
import { putEnded, putSkipped } from '../ended-row';
import { allPages, jobIdAt, worldWithJobs } from '../lists';
import { type Answered, ApiWorld, paths } from '../world';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const everyMinute = { schedule: { type: 'cron', expression: '* * * * *' } };
const yearly = { schedule: { type: 'cron', expression: '0 0 1 1 *' } };

const search = (world: ApiWorld, query = '') => world.call('GET /v1/executions', {}, undefined, { query });
const shown = ({ body }: Answered): string[] =>
  body.items.map(
    ({ jobId, dueAt, status }: { jobId: string; dueAt: string; status: string }) =>
      `${jobId} ${dueAt.slice(11, 19)} ${status}`,
  );

/** Three jobs that have run once a minute in turn, `count` times in all. */
async function worldWithHistory(count: number): Promise<ApiWorld> {
  const world = await worldWithJobs(3, (at) => ({ ...yearly, tags: { n: String(at) } }));
  const fromMs = world.clock.nowMs();
  for (let at = 0; at < count; at++) {
    const status = at % 4 === 3 ? 'failed' : 'succeeded';
    await putEnded(world, jobIdAt(at % 3), fromMs + at * MINUTE_MS, { status });
  }
  await world.clock.advance(count * MINUTE_MS);
  return world;
}

describe('GET /v1/executions', () => {
  it('lists the executions of all jobs, newest first', async () => {
    const world = await worldWithHistory(5);
    const answered = await search(world);
    expect(shown(answered)).toEqual([
      'job-001 08:34:00 succeeded',
      'job-000 08:33:00 failed',
      'job-002 08:32:00 succeeded',
      'job-001 08:31:00 succeeded',
      'job-000 08:30:00 succeeded',
    ]);
    expect(answered.body).toMatchObject({ jobs: 3, complete: true, incompleteBecause: [], nextCursor: null });
  });

  it.each([1, 2, 7, 100])('has the same executions in pages of %d', async (limit) => {
    const world = await worldWithHistory(20);
    const all = shown(await search(world, 'limit=100'));
    expect(all).toHaveLength(20);
    const pages = await allPages((cursor) => search(world, `limit=${limit}${cursor}`));
    expect(pages.flatMap(shown)).toEqual(all);
    expect(Math.max(...pages.map(({ body }) => body.items.length))).toBeLessThanOrEqual(limit);
  });

  it('takes a window, a status and the filters of jobs', async () => {
    const world = await worldWithHistory(20);
    const window = 'from=2026-12-01T08:31:00Z&to=2026-12-01T08:35:00Z';
    expect(shown(await search(world, window))).toHaveLength(4);
    const pages = await allPages((cursor) => search(world, `status=succeeded&tag=n:1&limit=2${cursor}`));
    expect(pages.flatMap(shown)).toEqual(
      shown(await search(world, 'tag=n:1&limit=100')).filter((line) => line.endsWith('succeeded')),
    );
    expect((await search(world, 'tag=n:1')).body.jobs).toBe(1);
  });

  it('finds failed and skipped ones by the index, also page by page', async () => {
    const world = await worldWithHistory(20);
    const fromMs = world.clock.nowMs() - 5 * MINUTE_MS;
    await putSkipped(world, 'job-002', { fromMs, toMs: fromMs, count: 1 });
    const pages = await allPages((cursor) => search(world, `status=failed&limit=2${cursor}`));
    expect(pages.flatMap(shown)).toHaveLength(5);
    expect(shown(await search(world, 'status=failed&tag=n:0'))).toHaveLength(2);
    expect(shown(await search(world, 'status=skipped'))).toEqual(['job-002 08:45:00 skipped']);
  });

  it('lists the next occurrences, and those that wait without a record', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', ...everyMinute });
    await world.create({ jobId: 'b', ...yearly });
    const fromMs = world.clock.nowMs();
    await world.clock.advance(5 * MINUTE_MS);
    await putEnded(world, 'a', fromMs + 3 * MINUTE_MS);
    const expected = [
      'a 08:35:00 queued',
      'a 08:34:00 queued',
      'a 08:33:00 succeeded',
      'a 08:32:00 queued',
      'a 08:31:00 queued',
    ];
    expect(shown(await search(world)).slice(0, 5)).toEqual(expected);
    const pages = await allPages((cursor) => search(world, `limit=2${cursor}`));
    expect(pages.flatMap(shown).slice(0, 5)).toEqual(expected);
    expect(shown(await search(world, 'status=queued'))).not.toContain('a 08:33:00 succeeded');
    expect(shown(await search(world, 'status=scheduled'))).toEqual(['a 08:36:00 scheduled']);
    await world.post('a', 'pause');
    expect(shown(await search(world))).toEqual(['a 08:33:00 succeeded']);
  });

  it('has what one job lists, manual runs and skipped ranges included', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', ...everyMinute });
    const fromMs = world.clock.nowMs();
    for (let at = 1; at <= 30; at++) {
      await world.clock.advance(MINUTE_MS);
      if (at % 3 === 0) await world.post('a', 'run');
      if (at % 5 === 0) await putEnded(world, 'a', fromMs + at * MINUTE_MS);
    }
    await putSkipped(world, 'a', { fromMs: fromMs + 6 * MINUTE_MS, toMs: fromMs + 9 * MINUTE_MS, count: 4 });
    const own = shown(await world.executions('a', 'limit=100')).filter((line) => !line.includes('scheduled'));
    expect(shown(await search(world, 'limit=100'))).toEqual(own);
    const pages = await allPages((cursor) => search(world, `limit=3${cursor}`));
    expect(pages.flatMap(shown)).toEqual(own);
  });

  it('says where it cannot know', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', ...yearly, orderingKey: 'k' });
    expect((await search(world)).body.incompleteBecause).toEqual(['waiting']);
    expect((await search(world, 'status=succeeded')).body.complete).toBe(true);
    const old = new Date(world.clock.nowMs() - 40 * DAY_MS).toISOString();
    expect((await search(world, `status=running&from=${old}`)).body.incompleteBecause).toEqual(['retention']);
  });

  it('rejects more than 500 jobs, and names the limit', async () => {
    const world = await worldWithJobs(1, () => yearly);
    const job = (await world.jobRow('job-000'))!;
    for (let at = 1; at <= 500; at++) await world.deps.jobs.create({ ...job, jobId: `x-${at}` });
    const answered = await search(world);
    expect(answered.status).toBe(400);
    expect(paths(answered)).toEqual(['query']);
    expect(JSON.stringify(answered.body)).toContain('more than 500 jobs');
    expect((await search(world, 'q=x')).body).toMatchObject({ jobs: 500, complete: true });
  });

  it('ends after its CPU budget, and goes on with the cursor', async () => {
    const world = await worldWithHistory(20);
    const all = shown(await search(world, 'limit=100'));
    let cpuMs = 0;
    world.deps.cpuMs = () => (cpuMs += 200);
    const pages = await allPages((cursor) => search(world, `limit=100${cursor}`));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(shown)).toEqual(all);
    cpuMs = 0;
    world.deps.cpuMs = () => (cpuMs += 4_000);
    const cut = (await search(world)).body;
    expect(cut).toMatchObject({ items: [], complete: false, incompleteBecause: ['time'], nextCursor: null });
  });

  it('ends a page after 5,000 rows that do not match', async () => {
    const world = await worldWithJobs(1, () => yearly);
    const row = anExecution({ jobKey: world.jobKey('job-000'), status: 'cancelled' });
    const fromMs = world.clock.nowMs();
    await world.clock.advance(DAY_MS);
    // A row every 10 s, each read as it is asked for.
    world.deps.executions.list = async (_, { after, limit }) => {
      const newest = after === undefined ? 5_100 : (parseCompactInstant(after) - fromMs) / 10_000;
      const numbers = Array.from({ length: limit }, (__, index) => newest - 1 - index).filter(
        (at) => at >= 0,
      );
      const executions = numbers.map((at) => {
        const dueAtMs = fromMs + at * 10_000;
        return { ...row, dueAtMs, execId: execIdOfOccurrence(dueAtMs) };
      });
      return { executions, ...(newest > limit && { nextAfter: executions.at(-1)!.execId }) };
    };
    const first = await search(world, 'status=succeeded&from=2026-12-01T00:00:00Z');
    expect(first.body).toMatchObject({ items: [], complete: true, nextCursor: expect.any(String) });
    const all = await search(world, 'status=cancelled&limit=100&from=2026-12-01T00:00:00Z');
    expect(all.body.items).toHaveLength(100);
  });

  it.each([
    ['from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z', 'to'],
    ['status=odd', 'status'],
    ['limit=101', 'limit'],
    ['cursor=x', 'cursor'],
  ])('%s is rejected', async (query, path) => {
    expect(paths(await search(new ApiWorld(), query))).toEqual([path]);
  });
});
