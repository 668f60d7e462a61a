import { CronCalendar } from '../../../../lambdas/core/schedule/cron-calendar';
import { anExecution } from '../../../support/factories';
import { allPages } from '../lists';
import { type Answered, ApiWorld } from '../world';

describe('executions without a row', () => {
  const everyMinute = { jobId: 'a', schedule: { type: 'cron', expression: '* * * * *' } };
  const shown = ({ body }: Answered): string[] =>
    body.items.map(
      ({ dueAt, status }: { dueAt: string; status: string }) => `${dueAt.slice(11, 16)} ${status}`,
    );
  const cancel = 'POST /v1/jobs/{jobId}/executions/{execId}/cancel';

  it('are listed by due time on every page: the next one as scheduled, waiting ones as queued', async () => {
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
    const ascending = await allPages((cursor) => world.executions('a', `order=asc&limit=2${cursor}`));
    expect(ascending.flatMap(shown)).toEqual(shown(await world.executions('a')).toReversed());
    expect(shown(await world.executions('a', 'status=scheduled'))).toEqual(['08:34 scheduled']);
    expect(shown(await world.executions('a', 'status=succeeded'))).toEqual([]);
  });

  it('can be cancelled by their id', async () => {
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

  it('are not listed twice if their row is written while they are listed', async () => {
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

  it('are listed behind newer ones that have a row', async () => {
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

  it('are not listed if they were cancelled ahead of their time', async () => {
    const world = new ApiWorld();
    await world.create(everyMinute);
    const [next] = (await world.executions('a')).body.items;
    await world.call(cancel, { jobId: 'a', execId: next.execId });
    expect(shown(await world.executions('a'))).toEqual(['08:31 cancelled']);
    expect(shown(await world.executions('a', 'status=scheduled'))).toEqual([]);
  });

  it('are listed by a status that no row has', async () => {
    const world = new ApiWorld();
    await world.create(everyMinute);
    await world.clock.advance(60_000);
    for (let run = 0; run < 3; run++) await world.post('a', 'run');
    const { body } = await world.executions('a', 'status=scheduled&order=asc&limit=1');
    expect(shown({ body } as Answered)).toEqual(['08:32 scheduled']);
    expect(body.nextCursor).toBeNull();
  });

  it('of a schedule with maxRuns are counted once per list, not once each', async () => {
    const world = new ApiWorld();
    const schedule = { type: 'cron', expression: '* * * * *', maxRuns: 100 };
    await world.create({ jobId: 'a', schedule });
    await world.clock.advance(50 * 60_000);
    const next = jest.spyOn(CronCalendar.prototype, 'next');
    expect((await world.executions('a', 'limit=100')).body.items).toHaveLength(51);
    expect(next.mock.calls.length).toBeLessThan(400);
    next.mockRestore();
  });

  it('of a paused job are one skipped record during the pause', async () => {
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
