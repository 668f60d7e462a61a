import { allPages, jobIdAt, jobIdsIn, listJobs, worldWithJobs } from '../lists';
import { worldWithSecret } from '../secrets/secret-calls';
import { ApiWorld, paths } from '../world';

const search = (world: ApiWorld, text: string, more = '') =>
  listJobs(world, `contains=${encodeURIComponent(text)}${more}`);

describe('GET /v1/jobs?contains=', () => {
  it('finds a text in ids, names, tags, hosts and paths, whatever its case', async () => {
    const world = new ApiWorld();
    const at = (url: string) => ({ target: { type: 'http', url } });
    await world.create({ jobId: 'nightly-Warehouse' });
    await world.create({ jobId: 'b', name: 'Straße ﬁnden' });
    await world.create({ jobId: 'c', tags: { team: 'billing' } });
    await world.create({ jobId: 'd', ...at('https://hooks.Example.com:8443/v2/orders?key=warehouse') });
    await world.create({ jobId: 'e', ...at('https://user-warehouse@example.com/x') });
    const found = async (text: string) => jobIdsIn(await search(world, text));
    expect(await found('WAREHOUSE')).toEqual(['nightly-Warehouse']);
    expect(await found('strasse FIND')).toEqual(['b']);
    expect([await found('team:bill'), await found('am:bi')]).toEqual([['c'], ['c']]);
    expect([await found('hooks.example.com:8443/v2'), await found('/Orders')]).toEqual([['d'], ['d']]);
    expect(await found('https')).toEqual([]);
  });

  it('knows a secret in a URL by its name alone', async () => {
    const secret = { value: 'https://example.com/hidden-path', hosts: ['example.com'] };
    const world = await worldWithSecret('crm', secret);
    const url = '{{ secrets.crm }}';
    expect((await world.create({ jobId: 'a', target: { type: 'http', url } })).status).toBe(201);
    for (const text of [url, 'SECRETS.CRM']) expect(jobIdsIn(await search(world, text))).toEqual(['a']);
    for (const text of ['hidden-path', 'example.com'])
      expect(jobIdsIn(await search(world, text))).toEqual([]);
  });

  it('stops at 20 hits, and goes on by its cursor until all jobs were searched', async () => {
    const world = await worldWithJobs(45, (at) => ({ name: at % 2 ? 'Odd one' : 'even' }));
    const pages = await allPages((cursor) => search(world, 'odd', `&limit=100${cursor}`));
    expect(pages.map(({ body }) => [body.items.length, body.complete])).toEqual([
      [20, false],
      [2, true],
    ]);
    const found = pages.flatMap(jobIdsIn);
    expect(found).toEqual([...found].sort());
    expect(new Set(found).size).toBe(22);
    expect((await listJobs(world)).body).not.toHaveProperty('complete');
  });

  it('reads every job once, wherever its id begins', async () => {
    const world = await worldWithJobs(1);
    const job = (await world.jobRow(jobIdAt(0)))!;
    const ids = ['A', '0', 'd', 'da', 'k', 'kz', 'r', 'z', 'czz'];
    for (const jobId of ids) await world.deps.jobs.create({ ...job, jobId, name: 'wanted' });
    const pages = await allPages((cursor) => search(world, 'wanted', `&limit=2${cursor}`));
    expect(pages.flatMap(jobIdsIn)).toEqual([...ids].sort());
  });

  it('stops after 3 s, and the next page goes on there', async () => {
    const world = await worldWithJobs(1);
    const job = (await world.jobRow(jobIdAt(0)))!;
    for (let at = 1; at < 1_200; at++)
      await world.deps.jobs.create({ ...job, jobId: `a-${String(at).padStart(4, '0')}`, name: `n${at}` });
    const { list } = world.deps.jobs;
    const reads: unknown[] = [];
    jest.spyOn(world.deps.jobs, 'list').mockImplementation(async (project, page) => {
      reads.push(page);
      await world.clock.advance(3_000);
      return list(project, page);
    });
    const pages = await allPages((cursor) => search(world, 'n1100', cursor));
    expect(pages.map(({ body }) => [body.items.length, body.complete])).toEqual([
      [0, false],
      [0, false],
      [1, true],
    ]);
    expect(reads.length).toBeGreaterThan(4);
  });

  it('passes with the other filters, and is refused where it is too short or too long', async () => {
    const world = await worldWithJobs(6, (at) => ({ name: 'same', tags: { third: String(at % 3) } }));
    await world.post(jobIdAt(1), 'pause');
    expect(jobIdsIn(await search(world, 'same', '&tag=third:1'))).toEqual([jobIdAt(1), jobIdAt(4)]);
    expect(jobIdsIn(await search(world, 'same', '&status=paused'))).toEqual([jobIdAt(1)]);
    for (const text of ['', 'a', 'x'.repeat(65)]) {
      const refused = await search(world, text);
      expect([refused.status, paths(refused)]).toEqual([400, ['contains']]);
      expect(refused.body.errors[0].message).toContain('must have 2 to 64 characters');
    }
  });
});
