import { ApiWorld } from '../world';

describe('DELETE /v1/jobs/{jobId}', () => {
  it('answers 204, then 404; the history stays readable', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'run');
    expect(await world.remove('a')).toMatchObject({ status: 204, body: undefined });
    expect((await world.remove('a')).status).toBe(404);
    expect((await world.get('a')).status).toBe(404);
    const listed = await world.executions('a');
    expect(listed).toMatchObject({ status: 200, body: { items: [{ trigger: 'manual' }] } });
    const { execId } = listed.body.items[0];
    const one = await world.call('GET /v1/jobs/{jobId}/executions/{execId}', { jobId: 'a', execId });
    expect(one.status).toBe(200);
  });

  it('answers 503, and keeps a paused job, if the record of its pause took too long', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'interval', every: '10s' } });
    await world.post('a', 'pause');
    await world.clock.advance(60_000);
    const { putEnded } = world.deps.ends;
    world.deps.ends.putEnded = async (row) => {
      const written = await putEnded(row);
      await world.clock.sleep(12_000);
      return written;
    };
    // What falls due after the record would be in no record, once the job is gone.
    expect((await world.clock.settle(world.remove('a'))).status).toBe(503);
    expect(await world.jobRow('a')).toMatchObject({ status: 'paused' });
    world.deps.ends.putEnded = putEnded;
    expect((await world.remove('a')).status).toBe(204);
  });

  it('honours If-Match, also in a race', async () => {
    const world = new ApiWorld();
    const { headers } = await world.create({ jobId: 'a' });
    expect((await world.remove('a', { headers: { 'if-match': '"other"' } })).status).toBe(412);
    world.beforeNextWrite(() => world.patch('a', { name: 'faster' }));
    expect((await world.remove('a', { headers: { 'if-match': headers.etag! } })).status).toBe(412);
    expect((await world.remove('a')).status).toBe(204);
  });
});
