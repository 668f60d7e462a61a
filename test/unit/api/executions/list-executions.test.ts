import { allPages } from '../lists';
import { type Answered, ApiWorld } from '../world';

describe('GET /v1/jobs/{jobId}/executions', () => {
  const T0 = Date.UTC(2026, 11, 1, 8, 30);
  async function withRuns(count: number): Promise<ApiWorld> {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'pause'); // so that nothing is planned, and only rows are listed
    for (let at = 0; at < count; at++) {
      await world.post('a', 'run');
      await world.clock.advance(60_000);
    }
    return world;
  }
  const dueTimes = ({ body }: Answered): string[] =>
    body.items.map(({ dueAt }: { dueAt: string }) => dueAt.slice(11, 16));

  it('has pages, newest first or oldest first', async () => {
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

  it('hides rows beyond their retention that DynamoDB has not removed yet', async () => {
    const world = await withRuns(1);
    const { execId } = (await world.executions('a')).body.items[0];
    const cancel = 'POST /v1/jobs/{jobId}/executions/{execId}/cancel';
    await world.call(cancel, { jobId: 'a', execId });
    await world.call('DELETE /v1/jobs/{jobId}', { jobId: 'a' });
    await world.clock.advance(30 * 86_400_000 - 1_000);
    expect((await world.executions('a')).body.items).toHaveLength(1);
    await world.clock.advance(1_000);
    expect(world.tables.rows('Executions').filter((row) => row.execId === execId)).toHaveLength(1);
    expect((await world.executions('a')).status).toBe(404);
    const one = await world.call('GET /v1/jobs/{jobId}/executions/{execId}', { jobId: 'a', execId });
    expect(one.status).toBe(404);
  });

  it('is empty for a job without history, and 404 without job and history', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'pause');
    expect((await world.executions('a')).body).toEqual({ items: [], nextCursor: null });
    expect((await world.executions('b')).status).toBe(404);
    expect((await world.executions('no job#1')).status).toBe(404);
  });
});
