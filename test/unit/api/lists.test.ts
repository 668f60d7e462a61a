import { CronCalendar } from '../../../lambdas/core/schedule/cron-calendar';
import { anExecution } from '../../support/factories';
import { aBody, type Answered, ApiWorld } from './world';

const list = (world: ApiWorld, query = '', user = 'alice') =>
  world.call('GET /v1/jobs', {}, undefined, { query, user });
const ids = ({ body }: Answered): string[] => body.items.map(({ jobId }: { jobId: string }) => jobId);

/** All pages of a query, following the cursors. */
async function allPages(page: (cursor: string) => Promise<Answered>): Promise<Answered[]> {
  const pages = [await page('')];
  while (pages.at(-1)!.body.nextCursor !== null) {
    if (pages.length > 50) throw new Error('the list does not end');
    pages.push(await page(`&cursor=${pages.at(-1)!.body.nextCursor as string}`));
  }
  return pages;
}

async function worldWith(count: number, body: (at: number) => object = () => ({})): Promise<ApiWorld> {
  const world = new ApiWorld();
  for (let at = 0; at < count; at++)
    await world.create({ jobId: `job-${String(at).padStart(3, '0')}`, ...body(at) });
  return world;
}

describe('GET /v1/jobs', () => {
  it('pages by jobId, 25 at a time unless asked otherwise, with nothing twice and nothing missing', async () => {
    const world = await worldWith(60);
    const pages = await allPages((cursor) => list(world, `limit=25${cursor}`));
    expect(pages.map(({ body }) => body.items.length)).toEqual([25, 25, 10]);
    const all = pages.flatMap(ids);
    expect(all).toEqual([...all].sort());
    expect(new Set(all).size).toBe(60);
    expect(ids(await list(world))).toHaveLength(25);
    expect((await list(world, 'limit=60')).body.nextCursor).toBeNull();
    expect(
      (await allPages((cursor) => list(world, `limit=30${cursor}`))).map(({ body }) => body.items.length),
    ).toEqual([30, 30]);
  });

  it('shows each job but for its last execution', async () => {
    const world = new ApiWorld();
    const { body } = await world.create({ jobId: 'a' });
    const { lastExecution: _, ...rest } = body;
    expect((await list(world)).body.items).toEqual([rest]);
  });

  it('filters by prefix of jobId or name, by tags (all of them) and by status', async () => {
    const world = await worldWith(30, (at) => ({
      name: at % 10 === 0 ? 'Nightly' : 'other',
      tags: { team: at % 2 ? 'odd' : 'even', tier: at < 15 ? 'a:b' : 'c' },
    }));
    await world.post('job-004', 'pause');
    expect(ids(await list(world, 'q=Night'))).toEqual(['job-000', 'job-010', 'job-020']);
    expect(ids(await list(world, 'q=job-02&limit=100'))).toHaveLength(10);
    expect(ids(await list(world, 'tag=team:odd&limit=100'))).toHaveLength(15);
    expect(ids(await list(world, 'tag=team:odd&tag=tier:a:b&limit=100'))).toHaveLength(7);
    expect(ids(await list(world, 'tag=__proto__:x'))).toEqual([]);
    expect(ids(await list(world, 'status=paused'))).toEqual(['job-004']);
    expect(ids(await list(world, 'status=active&q=job-00'))).toHaveLength(9);
    expect(ids(await list(world, 'status=completed'))).toEqual([]);
  });

  it('ends a page before it grows beyond what Lambda can answer', async () => {
    const world = await worldWith(60, () => ({ payload: 'x'.repeat(60_000) }));
    const pages = await allPages((cursor) => list(world, `limit=100${cursor}`));
    expect(pages.length).toBeGreaterThan(1);
    for (const { body } of pages) expect(JSON.stringify(body).length).toBeLessThan(3_000_000);
    expect(new Set(pages.flatMap(ids)).size).toBe(60);
    expect(pages.flatMap(ids)).toHaveLength(60);
  });

  it('pages through what a filter leaves, though its rows lie far apart', async () => {
    const world = await worldWith(1_200, (at) => ({ tags: { last: String(at === 999) } }));
    const pages = await allPages((cursor) => list(world, `tag=last:true${cursor}`));
    expect(pages.map(ids)).toEqual([[], ['job-999']]);
  });

  it('pages through what a filter leaves', async () => {
    const world = await worldWith(120, (at) => ({ tags: { third: String(at % 3) } }));
    const pages = await allPages((cursor) => list(world, `tag=third:1&limit=15${cursor}`));
    expect(pages.flatMap(ids)).toHaveLength(40);
    expect(pages.map(({ body }) => body.items.length)).toEqual([15, 15, 10]);
  });
});

describe('a cursor', () => {
  let world: ApiWorld;
  let cursor: string;
  beforeAll(async () => {
    world = await worldWith(3);
    cursor = (await list(world, 'limit=1&q=job')).body.nextCursor as string;
  });

  it('is good for the same user and query, with another limit too', async () => {
    expect(ids(await list(world, `q=job&limit=2&cursor=${cursor}`))).toEqual(['job-001', 'job-002']);
  });

  it.each([
    ['another filter', () => `q=jo&cursor=${cursor}`],
    ['no filter', () => `cursor=${cursor}`],
    [
      'a changed position',
      () => `q=job&cursor=${Buffer.from('{"after":"a"}').toString('base64url')}.${cursor.split('.')[1]!}`,
    ],
    ['a changed signature', () => `q=job&cursor=${cursor.slice(0, -2)}xx`],
    ['something appended', () => `q=job&cursor=${cursor}.x`],
    ['no signature', () => `q=job&cursor=${cursor.split('.')[0]!}`],
    ['nothing of ours', () => 'q=job&cursor=%F0%9F%98%80'],
  ])('is refused with %s', async (_what, query) => {
    const answered = await list(world, query());
    expect(answered).toMatchObject({ status: 400, body: { errors: [{ path: 'cursor' }] } });
  });

  it('is refused for another user, and on another list', async () => {
    expect((await list(world, `q=job&cursor=${cursor}`, 'bob')).status).toBe(400);
    expect((await world.executions('job-000', `cursor=${cursor}`)).status).toBe(400);
  });

  it('is refused by a deployment with another secret', async () => {
    const other = new ApiWorld({ secret: { get: () => Promise.resolve(Buffer.alloc(32, 8)) } });
    expect((await list(other, `q=job&cursor=${cursor}`)).status).toBe(400);
  });
});

describe('GET /v1/jobs/{jobId}/executions', () => {
  const T0 = Date.UTC(2026, 11, 1, 8, 30);
  async function withRuns(count: number): Promise<ApiWorld> {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'pause'); // nothing is planned: what is listed is stored
    for (let at = 0; at < count; at++) {
      await world.post('a', 'run');
      await world.clock.advance(60_000);
    }
    return world;
  }
  const dueTimes = ({ body }: Answered): string[] =>
    body.items.map(({ dueAt }: { dueAt: string }) => dueAt.slice(11, 16));

  it('lists newest first, or oldest first, in pages', async () => {
    const world = await withRuns(7);
    const pages = await allPages((cursor) => world.executions('a', `limit=3${cursor}`));
    expect(pages.map(dueTimes)).toEqual([
      ['08:36', '08:35', '08:34'],
      ['08:33', '08:32', '08:31'],
      ['08:30'],
    ]);
    expect(dueTimes(await world.executions('a', 'order=asc&limit=2'))).toEqual(['08:30', '08:31']);
  });

  it('filters by due time (from inclusive, to exclusive) and status', async () => {
    const world = await withRuns(5);
    const at = (minutes: number) => new Date(T0 + minutes * 60_000).toISOString();
    expect(dueTimes(await world.executions('a', `from=${at(1)}&to=${at(3)}`))).toEqual(['08:32', '08:31']);
    expect(dueTimes(await world.executions('a', `from=${at(3)}&order=asc`))).toEqual(['08:33', '08:34']);
    expect(dueTimes(await world.executions('a', `to=${at(1)}`))).toEqual(['08:30']);
    expect((await world.executions('a', 'status=queued')).body.items).toHaveLength(5);
    expect((await world.executions('a', 'status=failed')).body).toEqual({ items: [], nextCursor: null });
  });

  it('shows no row beyond its retention, though DynamoDB has not removed it yet', async () => {
    const world = await withRuns(1);
    const { execId } = (await world.executions('a')).body.items[0];
    const cancel = 'POST /v1/jobs/{jobId}/executions/{execId}/cancel';
    await world.call(cancel, { jobId: 'a', execId });
    await world.call('DELETE /v1/jobs/{jobId}', { jobId: 'a' });
    await world.clock.advance(30 * 86_400_000 - 1_000);
    expect((await world.executions('a')).body.items).toHaveLength(1);
    await world.clock.advance(1_000);
    expect(world.tables.rows('Executions')).toHaveLength(1);
    expect((await world.executions('a')).status).toBe(404);
    const one = await world.call('GET /v1/jobs/{jobId}/executions/{execId}', { jobId: 'a', execId });
    expect(one.status).toBe(404);
  });

  it('is empty for a job without history, and 404 where there is neither job nor history', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'pause');
    expect((await world.executions('a')).body).toEqual({ items: [], nextCursor: null });
    expect((await world.executions('b')).status).toBe(404);
    expect((await world.executions('no job#1')).status).toBe(404);
  });
});

describe('executions without a row', () => {
  const everyMinute = { jobId: 'a', schedule: { type: 'cron', expression: '* * * * *' } };
  const shown = ({ body }: Answered): string[] =>
    body.items.map(
      ({ dueAt, status }: { dueAt: string; status: string }) => `${dueAt.slice(11, 16)} ${status}`,
    );
  const cancel = 'POST /v1/jobs/{jobId}/executions/{execId}/cancel';

  it('are in their places, on whatever page: the next one as scheduled, those that wait as queued', async () => {
    const world = new ApiWorld();
    await world.create(everyMinute);
    await world.post('a', 'run');
    await world.clock.advance(3 * 60_000);
    expect(shown(await world.executions('a'))).toEqual([
      '08:34 scheduled',
      '08:33 queued',
      '08:32 queued',
      '08:31 queued',
      '08:30 queued',
    ]);
    const pages = await allPages((cursor) => world.executions('a', `limit=2${cursor}`));
    expect(pages.map(shown)).toEqual([
      ['08:34 scheduled', '08:33 queued'],
      ['08:32 queued', '08:31 queued'],
      ['08:30 queued'],
    ]);
    const inTurn = await allPages((cursor) => world.executions('a', `order=asc&limit=2${cursor}`));
    expect(inTurn.flatMap(shown)).toEqual(shown(await world.executions('a')).toReversed());
    expect(shown(await world.executions('a', 'status=scheduled'))).toEqual(['08:34 scheduled']);
    expect(shown(await world.executions('a', 'status=succeeded'))).toEqual([]);
  });

  it('can be read and cancelled by their id, and then never run', async () => {
    const world = new ApiWorld();
    await world.create(everyMinute);
    await world.clock.advance(60_000);
    const [next, waiting] = (await world.executions('a')).body.items;
    for (const { execId } of [next, waiting]) {
      expect((await world.call(cancel, { jobId: 'a', execId })).status).toBe(202);
    }
    expect(shown(await world.executions('a', 'status=cancelled'))).toEqual([
      '08:32 cancelled',
      '08:31 cancelled',
    ]);
    expect(await world.call(cancel, { jobId: 'a', execId: '20261201T120000.000Z' })).toMatchObject({
      status: 404,
    });
  });

  it('are not shown beside their row, where that is written while they are listed', async () => {
    const world = new ApiWorld();
    await world.create(everyMinute);
    await world.clock.advance(60_000);
    const { executions } = world.deps;
    const { list } = executions;
    let asked = 0;
    executions.list = async (...query) => {
      const page = await list(...query);
      if (++asked === 1) await world.claim('a', '20261201T083100.000Z');
      return page;
    };
    expect(shown(await world.executions('a'))).toEqual(['08:32 scheduled', '08:31 running']);
  });

  it('wait behind newer ones that have ended', async () => {
    const world = new ApiWorld();
    await world.create(everyMinute);
    await world.clock.advance(120_000);
    await world.claim('a', '20261201T083200.000Z');
    for (const limit of [1, 2, 3, 50]) {
      const pages = await allPages((cursor) => world.executions('a', `limit=${limit}${cursor}`));
      expect(pages.flatMap(shown)).toEqual(['08:33 scheduled', '08:32 running', '08:31 queued']);
    }
  });

  it('that were skipped one by one are one record, in the list and by its id', async () => {
    const world = new ApiWorld();
    await world.create(everyMinute);
    await world.clock.advance(180_000);
    for (const minute of [31, 32, 33]) {
      const execId = `20261201T08${minute}00.000Z`;
      const dueAtMs = Date.UTC(2026, 11, 1, 8, minute);
      const ended = { status: 'skipped', reason: 'overlap', finishedAtMs: dueAtMs } as const;
      await world.deps.ends.putEnded(
        anExecution({ jobKey: world.jobKey('a'), execId, dueAtMs, fence: 0, attempts: [], ...ended }),
      );
    }
    const { items } = (await world.executions('a', 'status=skipped')).body;
    expect(items).toEqual([expect.objectContaining({ skipped: expect.objectContaining({ count: 3 }) })]);
    const read = { jobId: 'a', execId: items[0].execId };
    expect((await world.call('GET /v1/jobs/{jobId}/executions/{execId}', read)).body).toEqual(items[0]);
    expect((await world.call('POST /v1/jobs/{jobId}/executions/{execId}/retry', read)).status).toBe(409);
  });

  it('are not listed where they were cancelled ahead, whatever is asked for', async () => {
    const world = new ApiWorld();
    await world.create(everyMinute);
    const [next] = (await world.executions('a')).body.items;
    await world.call(cancel, { jobId: 'a', execId: next.execId });
    expect(shown(await world.executions('a'))).toEqual(['08:31 cancelled']);
    expect(shown(await world.executions('a', 'status=scheduled'))).toEqual([]);
  });

  it('are found on the first page of a status that no row has', async () => {
    const world = new ApiWorld();
    await world.create(everyMinute);
    await world.clock.advance(60_000);
    for (let run = 0; run < 3; run++) await world.post('a', 'run');
    const { body } = await world.executions('a', 'status=scheduled&order=asc&limit=1');
    expect(shown({ body } as Answered)).toEqual(['08:32 scheduled']);
    expect(body.nextCursor).toBeNull();
  });

  it('of a schedule that is counted are counted once, not once for each of them', async () => {
    const world = new ApiWorld();
    const schedule = { type: 'cron', expression: '* * * * *', maxRuns: 100 };
    await world.create({ jobId: 'a', schedule });
    await world.clock.advance(50 * 60_000);
    const next = jest.spyOn(CronCalendar.prototype, 'next');
    expect((await world.executions('a', 'limit=100')).body.items).toHaveLength(51);
    expect(next.mock.calls.length).toBeLessThan(400);
    next.mockRestore();
  });

  it('of a paused job are one skipped record while it lasts', async () => {
    const world = new ApiWorld();
    await world.create(everyMinute);
    await world.post('a', 'pause');
    await world.clock.advance(90 * 60_000);
    const { items } = (await world.executions('a')).body;
    expect(items).toEqual([expect.objectContaining({ status: 'skipped', reason: 'paused' })]);
    expect(items[0].skipped.count).toBe(90);
    const read = { jobId: 'a', execId: items[0].execId };
    expect((await world.call('GET /v1/jobs/{jobId}/executions/{execId}', read)).body).toEqual(items[0]);
    expect((await world.call(cancel, read)).status).toBe(409);
    await world.post('a', 'resume');
    expect((await world.executions('a', 'status=skipped')).body.items).toEqual(
      items.map((item: object) => ({ ...item, finishedAt: expect.any(String) })),
    );
  });
});

describe('GET …/upcoming and POST /v1/schedules/preview', () => {
  const upcoming = (world: ApiWorld, query = '') =>
    world.call('GET /v1/jobs/{jobId}/upcoming', { jobId: 'a' }, undefined, { query });

  it('lists the next due times with the local clock', async () => {
    const world = new ApiWorld();
    await world.create({
      jobId: 'a',
      schedule: { type: 'cron', expression: '0 9 * * *', timezone: 'Europe/Berlin' },
    });
    const { body } = await upcoming(world, 'count=2');
    expect(body).toEqual({
      times: [
        { at: '2026-12-02T08:00:00.000Z', local: '2026-12-02T09:00:00+01:00' },
        { at: '2026-12-03T08:00:00.000Z', local: '2026-12-03T09:00:00+01:00' },
      ],
    });
    expect((await upcoming(world)).body.times).toHaveLength(10);
  });

  it('lists only the runs that maxRuns leaves, and none while paused', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'interval', every: '1h', maxRuns: 3 } });
    await world.clock.advance(3_600_000);
    expect((await upcoming(world)).body.times).toHaveLength(2);
    await world.post('a', 'pause');
    expect((await upcoming(world)).body.times).toEqual([]);
  });

  it('previews a schedule without a job, in words too', async () => {
    const world = new ApiWorld();
    const { status, body } = await world.call(
      'POST /v1/schedules/preview',
      {},
      {
        schedule: { type: 'cron', expression: '30 2 * * *', timezone: 'Europe/Berlin', jitter: '5m' },
        from: '2027-03-27T12:00:00Z',
        count: 2,
      },
    );
    expect(status).toBe(200);
    expect(body.times).toMatchObject([
      { at: '2027-03-28T01:00:00.000Z', local: '2027-03-28T03:00:00+02:00', note: expect.any(String) },
      { at: '2027-03-29T00:30:00.000Z', local: '2027-03-29T02:30:00+02:00' },
    ]);
    expect(body.description).toMatch(/02:30/);
    expect(world.tables.rows('Jobs')).toEqual([]);
  });

  it('previews from now where nothing else is said', async () => {
    const world = new ApiWorld();
    const { body } = await world.call('POST /v1/schedules/preview', {}, { schedule: aBody().schedule });
    expect(body.times[0].at).toBe('2026-12-01T09:00:00.000Z');
    expect(body.times).toHaveLength(10);
  });
});
