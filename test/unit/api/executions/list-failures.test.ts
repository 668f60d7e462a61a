import { execIdOfOccurrence } from '../../../../lambdas/core/contracts/tables';
import { DAY_MS } from '../../../../lambdas/core/clock/clock';
import { paths, ApiWorld } from '../world';

const failures = (world: ApiWorld, query = '', user = 'alice') =>
  world.call('GET /v1/failures', {}, undefined, { query, user });

/** An execution that was claimed and has ended. */
async function ended(
  world: ApiWorld,
  { user = 'alice', jobId = 'a', agoMs = 0, status = 'failed' as 'failed' | 'succeeded' | 'skipped' } = {},
): Promise<string> {
  const dueAtMs = world.clock.nowMs() - agoMs;
  const ref = { jobKey: world.jobKey(jobId, user), execId: execIdOfOccurrence(dueAtMs) };
  const claim = { attempt: 1, claimId: 'claim', trigger: 'schedule', dueAtMs, nowMs: dueAtMs } as const;
  await world.deps.executions.claim({ ...ref, ...claim });
  await world.deps.ends.finish(
    { ...ref, claimId: 'claim', fence: 1, attempt: 1 },
    {
      status,
      reason: status === 'failed' ? 'fatal' : status === 'skipped' ? 'deleted' : undefined,
      finishedAtMs: dueAtMs + 5,
      expiresAtSec: Math.floor((dueAtMs + 30 * DAY_MS) / 1_000),
    },
    [],
  );
  return ref.execId;
}

describe('GET /v1/failures', () => {
  it('lists failed and skipped executions of all jobs, newest first', async () => {
    const world = new ApiWorld();
    await ended(world, { jobId: 'a', agoMs: 60_000 });
    await ended(world, { jobId: 'b', agoMs: 30_000, status: 'skipped' });
    await ended(world, { jobId: 'c', agoMs: 10_000, status: 'succeeded' });
    await ended(world, { jobId: 'z', agoMs: DAY_MS });
    const { status, body } = await failures(world);
    expect(status).toBe(200);
    expect(body.items).toMatchObject([
      { jobId: 'b', status: 'skipped', reason: 'deleted' },
      { jobId: 'a', status: 'failed', reason: 'fatal' },
      { jobId: 'z', status: 'failed' },
    ]);
    expect(body.nextCursor).toBeNull();
    expect((await failures(world, 'status=skipped')).body.items).toMatchObject([{ jobId: 'b' }]);
    expect((await failures(world, '', 'bob')).body).toEqual({ items: [], nextCursor: null });
  });

  it('covers the last week by default, and any time within retention on request', async () => {
    const world = new ApiWorld();
    for (const days of [0, 3, 8, 20, 29]) await ended(world, { jobId: `d${days}`, agoMs: days * DAY_MS });
    const jobIds = async (query: string) =>
      (await failures(world, query)).body.items.map(({ jobId }: { jobId: string }) => jobId);
    expect(await jobIds('')).toEqual(['d0', 'd3']);
    expect(await jobIds('from=2026-11-01T00:00:00Z')).toEqual(['d0', 'd3', 'd8', 'd20', 'd29']);
    expect(await jobIds('from=2000-01-01T00:00:00Z&to=2026-11-24T00:00:00Z')).toEqual(['d8', 'd20', 'd29']);
    expect(await jobIds('to=2026-11-24T00:00:00Z')).toEqual(['d8']);
    expect(await jobIds('to=2001-01-01T00:00:00Z')).toEqual([]);
    expect(paths(await failures(world, 'from=2026-12-01T00:00:00Z&to=2026-12-01T00:00:00Z'))).toEqual(['to']);
  });

  it('has pages, with cursors that no other list accepts', async () => {
    const world = new ApiWorld();
    for (let at = 0; at < 7; at++) await ended(world, { jobId: `j${at}`, agoMs: at * 3_600_000 });
    const first = await failures(world, 'limit=4');
    const cursor = first.body.nextCursor as string;
    const second = await failures(world, `limit=4&cursor=${cursor}`);
    const jobIds = [...first.body.items, ...second.body.items].map(({ jobId }) => jobId as string);
    expect(jobIds).toEqual(['j0', 'j1', 'j2', 'j3', 'j4', 'j5', 'j6']);
    expect(second.body.nextCursor).toBeNull();
    expect(paths(await failures(world, `cursor=${cursor}`, 'bob'))).toEqual(['cursor']);
    expect(paths(await failures(world, `status=failed&cursor=${cursor}`))).toEqual(['cursor']);
    const otherList = await world.call('GET /v1/jobs', {}, undefined, { query: `cursor=${cursor}` });
    expect(paths(otherList)).toEqual(['cursor']);
  });

  it('ends if the default week has moved past the cursor meanwhile', async () => {
    const world = new ApiWorld();
    for (const jobId of ['a', 'b']) await ended(world, { jobId, agoMs: 7 * DAY_MS - 5_000 });
    const { body } = await failures(world, 'limit=1');
    expect(body.items).toHaveLength(1);
    await world.clock.advance(10_000);
    expect(await failures(world, `limit=1&cursor=${body.nextCursor as string}`)).toMatchObject({
      status: 200,
      body: { items: [], nextCursor: null },
    });
  });

  it('no longer lists an execution that its user retries', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const execId = await ended(world);
    expect((await failures(world)).body.items).toHaveLength(1);
    const path = { jobId: 'a', execId };
    expect((await world.call('POST /v1/jobs/{jobId}/executions/{execId}/retry', path)).status).toBe(202);
    expect((await failures(world)).body.items).toEqual([]);
  });
});
