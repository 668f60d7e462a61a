import { aBody, ApiWorld } from '../world';

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

  it('lists only the runs that maxRuns still allows, and none while paused', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'interval', every: '1h', maxRuns: 3 } });
    await world.clock.advance(3_600_000);
    expect((await upcoming(world)).body.times).toHaveLength(2);
    await world.post('a', 'pause');
    expect((await upcoming(world)).body.times).toEqual([]);
    await world.post('a', 'pause', { until: '2026-12-01T11:30:00Z' });
    expect((await upcoming(world)).body.times).toMatchObject([{ at: '2026-12-01T11:30:00.000Z' }]);
  });

  it('previews a schedule without a job, and describes it in words', async () => {
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

  it('previews from now by default', async () => {
    const world = new ApiWorld();
    const { body } = await world.call('POST /v1/schedules/preview', {}, { schedule: aBody().schedule });
    expect(body.times[0].at).toBe('2026-12-01T09:00:00.000Z');
    expect(body.times).toHaveLength(10);
  });
});
