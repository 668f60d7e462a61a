import { allPages, jobIdAt, jobIdsIn, listJobs, worldWithJobs } from '../lists';
import { ApiWorld } from '../world';

describe('GET /v1/jobs', () => {
  it('has pages by jobId, 25 jobs each by default, without gaps or repetitions', async () => {
    const world = await worldWithJobs(60);
    const pages = await allPages((cursor) => listJobs(world, `limit=25${cursor}`));
    expect(pages.map(({ body }) => body.items.length)).toEqual([25, 25, 10]);
    const all = pages.flatMap(jobIdsIn);
    expect(all).toEqual([...all].sort());
    expect(new Set(all).size).toBe(60);
    expect(jobIdsIn(await listJobs(world))).toHaveLength(25);
    expect((await listJobs(world, 'limit=60')).body.nextCursor).toBeNull();
    expect(
      (await allPages((cursor) => listJobs(world, `limit=30${cursor}`))).map(({ body }) => body.items.length),
    ).toEqual([30, 30]);
  });

  it('shows each job without its last execution', async () => {
    const world = new ApiWorld();
    const { body } = await world.create({ jobId: 'a' });
    const { lastExecution: _, ...rest } = body;
    expect((await listJobs(world)).body.items).toEqual([rest]);
  });

  it('filters by prefix of jobId or name, by tags (all of them) and by status', async () => {
    const world = await worldWithJobs(30, (at) => ({
      name: at % 10 === 0 ? 'Nightly' : 'other',
      tags: { team: at % 2 ? 'odd' : 'even', tier: at < 15 ? 'a:b' : 'c' },
    }));
    await world.post('job-004', 'pause');
    expect(jobIdsIn(await listJobs(world, 'q=Night'))).toEqual(['job-000', 'job-010', 'job-020']);
    expect(jobIdsIn(await listJobs(world, 'q=job-02&limit=100'))).toHaveLength(10);
    expect(jobIdsIn(await listJobs(world, 'tag=team:odd&limit=100'))).toHaveLength(15);
    expect(jobIdsIn(await listJobs(world, 'tag=team:odd&tag=tier:a:b&limit=100'))).toHaveLength(7);
    expect(jobIdsIn(await listJobs(world, 'tag=__proto__:x'))).toEqual([]);
    expect(jobIdsIn(await listJobs(world, 'status=paused'))).toEqual(['job-004']);
    expect(jobIdsIn(await listJobs(world, 'status=active&q=job-00'))).toHaveLength(9);
    expect(jobIdsIn(await listJobs(world, 'status=completed'))).toEqual([]);
  });

  it('ends a page before its response exceeds what Lambda can return', async () => {
    const world = await worldWithJobs(60, () => ({ payload: 'x'.repeat(60_000) }));
    const pages = await allPages((cursor) => listJobs(world, `limit=100${cursor}`));
    expect(pages.length).toBeGreaterThan(1);
    for (const { body } of pages) expect(JSON.stringify(body).length).toBeLessThan(3_000_000);
    expect(new Set(pages.flatMap(jobIdsIn)).size).toBe(60);
    expect(pages.flatMap(jobIdsIn)).toHaveLength(60);
  });

  it('has empty pages if the rows that pass a filter lie far apart', async () => {
    const world = await worldWithJobs(1);
    const job = (await world.jobRow(jobIdAt(0)))!;
    // Written straight into the table: through the API it takes seconds.
    for (let at = 1; at < 1_200; at++)
      await world.deps.jobs.create({ ...job, jobId: jobIdAt(at), tags: { last: String(at === 999) } });
    const pages = await allPages((cursor) => listJobs(world, `tag=last:true${cursor}`));
    expect(pages.map(jobIdsIn)).toEqual([[], ['job-999']]);
  });

  it('has full pages of the rows that pass a filter', async () => {
    const world = await worldWithJobs(120, (at) => ({ tags: { third: String(at % 3) } }));
    const pages = await allPages((cursor) => listJobs(world, `tag=third:1&limit=15${cursor}`));
    expect(pages.flatMap(jobIdsIn)).toHaveLength(40);
    expect(pages.map(({ body }) => body.items.length)).toEqual([15, 15, 10]);
  });
});
