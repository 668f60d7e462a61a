import { putEnded } from '../ended-row';
import { ApiWorld } from '../world';

describe('pause and resume', () => {
  it('pause: no next occurrence, a new generation, no entry; a repeat changes nothing', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const first = await world.post('a', 'pause');
    expect(first).toMatchObject({ status: 200, body: { status: 'paused', generation: 2, nextFireAt: null } });
    const second = await world.post('a', 'pause', {});
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(world.entries).toEqual([]);
    expect(world.queue.messages).toEqual([]);
  });

  it('resume: an entry for the first occurrence after now; missed ones do not fire', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'pause');
    await world.clock.advance(50 * 60_000); // 09:20: the occurrence of 09:00 is missed
    const { body } = await world.post('a', 'resume');
    expect(body).toMatchObject({ status: 'active', generation: 3, nextFireAt: '2026-12-02T09:00:00.000Z' });
    const row = (await world.jobRow('a'))!;
    expect(row.activeSinceMs).toBe(world.clock.nowMs());
    expect(row).not.toHaveProperty('pausedAtMs');
    expect(JSON.stringify(world.entries.at(-1))).toContain(row.revision);
    expect(world.queue.messages).toEqual([]);
    expect((await world.post('a', 'resume')).headers.etag).toBe(`"${row.etag}"`);
  });

  it('resume, a change of schedule and delete each record the missed occurrences as one row', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'interval', every: '1s' } });
    await world.post('a', 'pause');
    await world.clock.advance(90 * 60_000 + 500);
    await world.patch('a', { schedule: { every: '60s' } });
    await world.clock.advance(150_000);
    await world.post('a', 'resume');
    await world.post('a', 'pause');
    await world.clock.advance(61_000);
    await world.remove('a');
    const { items } = (await world.executions('a', 'order=asc')).body;
    expect(items).toMatchObject([
      {
        status: 'skipped',
        reason: 'paused',
        skipped: { from: '2026-12-01T08:30:01.000Z', to: '2026-12-01T10:00:00.000Z', count: 5_400 },
      },
      {
        status: 'skipped',
        reason: 'paused',
        skipped: { from: '2026-12-01T10:01:00.500Z', to: '2026-12-01T10:02:00.500Z', count: 2 },
      },
      { status: 'skipped', reason: 'paused', skipped: null, dueAt: '2026-12-01T10:03:00.500Z' },
    ]);
    expect(items).toHaveLength(3);
  });

  it('a one-time job whose time comes in its pause is completed, and its record says why it did not run', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'once', schedule: { type: 'at', at: '2026-12-01T09:30:00Z' } });
    await world.clock.advance(60_000);
    expect((await world.post('once', 'pause')).body.status).toBe('paused');
    const at = async (action?: 'resume') => {
      if (action) await world.post('once', action);
      const { items } = (await world.call('GET /v1/jobs/{jobId}/executions', { jobId: 'once' })).body;
      const records = items.map(({ status, reason }: Record<string, string>) => `${status} ${reason}`);
      return [(await world.get('once')).body.status, ...records];
    };
    expect(await at()).toEqual(['paused']);
    await world.clock.advance(2 * 3_600_000);
    const completed = ['completed', 'skipped paused'];
    expect([await at(), await at('resume')]).toEqual([completed, completed]);
    expect((await world.post('once', 'run')).status).toBe(202);
  });

  it('a job with nothing left to run is completed, paused or not, and its next schedule begins paused', async () => {
    const world = new ApiWorld();
    const dueAtMs = world.clock.nowMs() + 10_000;
    await world.create({ jobId: 'once', schedule: { type: 'delay', delay: '10s' } });
    await world.create({ jobId: 'daily' });
    await world.post('daily', 'pause');
    await world.clock.advance(11_000);
    expect((await world.post('once', 'pause')).body.status).toBe('paused'); // its execution may yet begin
    await putEnded(world, 'once', dueAtMs);
    expect((await world.get('once')).body.status).toBe('completed');
    expect((await world.post('once', 'pause')).body).toMatchObject({ status: 'completed', changeNumber: 2 });
    const listed = async (query: string): Promise<string[]> =>
      (await world.call('GET /v1/jobs', {}, undefined, { query })).body.items.map(
        ({ jobId }: { jobId: string }) => jobId,
      );
    expect(await listed('status=completed')).toEqual(['once']);
    expect(await listed('status=paused')).toEqual(['daily']);
    expect(await listed('status=active')).toEqual([]);
    expect(await listed('status=completed&fields=summary')).toEqual(['once']);
    const tomorrow = { schedule: { type: 'delay', delay: '24h' } };
    expect((await world.patch('once', tomorrow)).body).toMatchObject({ status: 'paused', nextFireAt: null });
    expect((await world.post('once', 'resume')).body).toMatchObject({ status: 'active' });
  });

  it('20 clients at the same time: no change is lost', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 2
          ? world.patch('a', { tags: { [`t${at}`]: 'x' } })
          : world.post('a', at % 4 ? 'pause' : 'resume'),
      ),
    );
    const patched = answers.filter(({ status }, at) => at % 2 === 1 && status === 200);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(Object.keys((await world.get('a')).body.tags)).toHaveLength(patched.length);
    expect(patched.length).toBeGreaterThan(0);
  });

  it('honour If-Match', async () => {
    const world = new ApiWorld();
    const { headers } = await world.create({ jobId: 'a' });
    const stale = { headers: { 'If-Match': '"other"' } };
    expect((await world.post('a', 'pause', undefined, stale)).status).toBe(412);
    const paused = await world.post('a', 'pause', undefined, { headers: { 'If-Match': headers.etag! } });
    expect(paused).toMatchObject({ status: 200, body: { status: 'paused' } });
    expect((await world.post('a', 'resume', undefined, stale)).status).toBe(412);
    expect((await world.post('a', 'resume', undefined, { headers: { 'If-Match': '*' } })).status).toBe(200);
  });
});
