import { jobIdsIn, listJobs, worldWithJobs } from '../lists';
import { ApiWorld } from '../world';

describe('a cursor', () => {
  let world: ApiWorld;
  let cursor: string;
  beforeAll(async () => {
    world = await worldWithJobs(3);
    cursor = (await listJobs(world, 'limit=1&q=job')).body.nextCursor as string;
  });

  it('is valid for the same user and query, also with another limit', async () => {
    expect(jobIdsIn(await listJobs(world, `q=job&limit=2&cursor=${cursor}`))).toEqual(['job-001', 'job-002']);
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
    ['a text that is no cursor', () => 'q=job&cursor=%F0%9F%98%80'],
  ])('is rejected with %s', async (_what, query) => {
    const answered = await listJobs(world, query());
    expect(answered).toMatchObject({ status: 400, body: { errors: [{ path: 'cursor' }] } });
  });

  it('is rejected for another user, and by another list', async () => {
    expect((await listJobs(world, `q=job&cursor=${cursor}`, 'bob')).status).toBe(400);
    expect((await world.executions('job-000', `cursor=${cursor}`)).status).toBe(400);
  });

  it('is rejected by a deployment with another secret', async () => {
    const other = new ApiWorld({ secret: { get: () => Promise.resolve(Buffer.alloc(32, 8)) } });
    expect((await listJobs(other, `q=job&cursor=${cursor}`)).status).toBe(400);
  });
});
