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

  it('honours If-Match, also in a race', async () => {
    const world = new ApiWorld();
    const { headers } = await world.create({ jobId: 'a' });
    expect((await world.remove('a', { headers: { 'if-match': '"other"' } })).status).toBe(412);
    world.beforeNextWrite(() => world.patch('a', { name: 'faster' }));
    expect((await world.remove('a', { headers: { 'if-match': headers.etag! } })).status).toBe(412);
    expect((await world.remove('a')).status).toBe(204);
  });
});
