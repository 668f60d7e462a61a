import { ApiWorld } from '../world';

const NIGHTLY = { type: 'cron', expression: '0 2 * * *' };
const THREE = { from: '2026-11-01T00:00:00Z', to: '2026-11-04T00:00:00Z' };

async function worldWithJob(fields: object = {}): Promise<ApiWorld> {
  const world = new ApiWorld();
  await world.create({ jobId: 'etl', schedule: NIGHTLY, ...fields });
  return world;
}

const start = (world: ApiWorld, body: object = {}, headers: Record<string, string> = {}) =>
  world.call('POST /v1/jobs/{jobId}/backfills', { jobId: 'etl' }, { ...THREE, ...body }, { headers });
const get = (world: ApiWorld, execId: string) =>
  world.call('GET /v1/jobs/{jobId}/backfills/{execId}', { jobId: 'etl', execId });
const list = (world: ApiWorld, query = '') =>
  world.call('GET /v1/jobs/{jobId}/backfills', { jobId: 'etl' }, undefined, { query });

test('202 with the backfill, whose run waits for its first attempt and passes no gate', async () => {
  const world = await worldWithJob({ priority: 'high' });
  const { status, headers, body } = await start(world, { parallel: 2, order: 'desc' });
  expect(status).toBe(202);
  expect(body).toMatchObject({
    jobId: 'etl',
    status: 'queued',
    phase: 'starting',
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-04T00:00:00.000Z',
    parallel: 2,
    order: 'desc',
    only: 'missing',
    onFailure: 'continue',
    overlap: 'respect',
    priority: 'low',
    count: 3,
    first: '2026-11-01T02:00:00.000Z',
    last: '2026-11-03T02:00:00.000Z',
    items: { count: 3, succeeded: 0, failed: 0, cancelled: 0, running: 0, waiting: 3 },
    taskId: 'dates',
    createdAt: '2026-12-01T08:30:00.000Z',
    startedAt: null,
    finishedAt: null,
    by: { sub: 'alice' },
  });
  const { execId } = body;
  expect(execId).toMatch(/^20261201T083000\.000Z-bf[a-z0-9]+$/);
  expect(headers.location).toBe(`/v1/jobs/etl/backfills/${execId}`);
  expect((await get(world, execId)).body).toEqual(body);
  const [message] = world.queue.messages;
  expect(message).toMatchObject({ execId, trigger: 'backfill', attempt: 1 });
  expect(message).not.toHaveProperty('overlap');
  const fanOut = { jobKey: world.jobKey('etl'), execId: `${execId}/dates` };
  expect(await world.deps.fanOuts.getItems(fanOut, 0)).toEqual({
    count: 3,
    items: ['2026-11-03T02:00:00.000Z', '2026-11-02T02:00:00.000Z', '2026-11-01T02:00:00.000Z'],
  });
});

test.each([
  ['skip', {}, 1],
  ['queue', {}, 1],
  ['skip', { overlap: 'ignore' }, 3],
  ['allow', {}, 3],
])('of a job with overlap %s, with %j: %i dates at once', async (overlap, fields, parallel) => {
  const world = await worldWithJob({ overlap });
  expect((await start(world, { parallel: 3, ...fields })).body.parallel).toBe(parallel);
  expect(world.queue.messages[0]).not.toHaveProperty('overlap');
});

test('a repeat with the same key is the same backfill; with another body it is refused', async () => {
  const world = await worldWithJob();
  const key = { 'idempotency-key': 'once' };
  const first = await start(world, {}, key);
  const again = await start(world, {}, key);
  expect(again).toMatchObject({ status: 202, body: first.body });
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect((await list(world)).body.items).toHaveLength(1);
  expect((await start(world, { parallel: 2 }, key)).status).toBe(422);
});

test('a repeat finishes what a request that died has left undone', async () => {
  const world = await worldWithJob();
  const key = { 'idempotency-key': 'once' };
  const { putQueued } = world.deps.executions;
  world.deps.executions.putQueued = () => Promise.reject(new Error('died'));
  expect((await start(world, {}, key)).status).toBe(500);
  expect((await list(world)).body.items).toEqual([]);
  world.deps.executions.putQueued = putQueued;
  const { status, body } = await start(world, {}, key);
  expect(status).toBe(202);
  expect((await list(world)).body.items).toEqual([body]);
});

test('the list has the newest first, in pages; also once the job is deleted', async () => {
  const world = await worldWithJob();
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) {
    ids.unshift((await start(world)).body.execId);
    world.clock.stepWall(60_000);
  }
  const page = await list(world, 'limit=2');
  expect(page.body.items.map(({ execId }: { execId: string }) => execId)).toEqual(ids.slice(0, 2));
  const next = await list(world, `limit=2&cursor=${encodeURIComponent(page.body.nextCursor)}`);
  expect(next.body).toMatchObject({ items: [{ execId: ids[2] }], nextCursor: null });
  await world.call('DELETE /v1/jobs/{jobId}', { jobId: 'etl' });
  expect((await list(world)).body.items).toHaveLength(3);
  expect((await get(world, ids[0]!)).status).toBe(200);
});

test('the list of the project has those of all its jobs, by status and in pages, and none of another project', async () => {
  const world = await worldWithJob();
  await world.create({ jobId: 'other', schedule: NIGHTLY });
  const ids: string[] = [];
  for (const jobId of ['etl', 'other', 'etl']) {
    const { body } = await world.call('POST /v1/jobs/{jobId}/backfills', { jobId }, THREE);
    ids.unshift(body.execId);
    world.clock.stepWall(60_000);
  }
  const cancelled = { jobId: 'other', execId: ids[1]! };
  await world.call('POST /v1/jobs/{jobId}/executions/{execId}/cancel', cancelled);
  const listAll = (query: string, options = {}) =>
    world.call('GET /v1/backfills', {}, undefined, { query, ...options });
  const page = await listAll('limit=2');
  expect(page.body.items).toMatchObject([
    { jobId: 'etl', execId: ids[0], status: 'queued' },
    { jobId: 'other', execId: ids[1], status: 'cancelled' },
  ]);
  const cursor = `cursor=${encodeURIComponent(page.body.nextCursor)}`;
  expect((await listAll(cursor)).body).toMatchObject({ items: [{ execId: ids[2] }], nextCursor: null });
  expect((await listAll('status=cancelled')).body.items).toMatchObject([cancelled]);
  expect((await list(world, 'status=queued')).body.items).toHaveLength(2);
  expect((await list(world, 'status=cancelled')).body.items).toEqual([]);
  await world.call('DELETE /v1/jobs/{jobId}', { jobId: 'other' });
  expect((await listAll('')).body.items).toHaveLength(3);
  expect((await listAll('', { user: 'bob' })).body).toEqual({ items: [], nextCursor: null });
  expect((await listAll(cursor, { user: 'bob' })).status).toBe(400);
});

test('a list names what it does not take', async () => {
  const world = await worldWithJob();
  const pathsOf = async (query: string) => {
    const { status, body } = await world.call('GET /v1/backfills', {}, undefined, { query });
    return [status, body.errors.map(({ path }: { path: string }) => path)];
  };
  expect(await pathsOf('status=skipped')).toEqual([400, ['status']]);
  expect(await pathsOf('limit=0')).toEqual([400, ['limit']]);
  expect(await pathsOf('cursor=x')).toEqual([400, ['cursor']]);
  expect((await list(world, 'status=held')).status).toBe(400);
});

test('what is no backfill answers 404', async () => {
  const world = await worldWithJob();
  const { body } = await world.post('etl', 'run');
  expect((await get(world, body.execId)).status).toBe(404);
  expect((await get(world, 'nonsense')).status).toBe(404);
  const gone = await world.call('GET /v1/jobs/{jobId}/backfills', { jobId: 'gone' });
  expect(gone.status).toBe(404);
});

test('a start takes a run of the quota, and room for a live run, whatever the job', async () => {
  const world = await worldWithJob();
  const { quotas, liveRuns } = world.deps;
  const charged: unknown[] = [];
  quotas.chargeRate = (_project, rate) => Promise.resolve(void charged.push(rate));
  await start(world);
  expect(charged).toContain('runs');
  liveRuns.room = () => Promise.resolve(0);
  const refused = await start(world);
  expect(refused).toMatchObject({ status: 429, body: { detail: expect.stringContaining('liveRuns') } });
});

test('starting asks for jobs:write, reading for jobs:read', async () => {
  const world = await worldWithJob();
  const { body } = await start(world);
  const as = (scope: string, routeKey: string) =>
    world.call(routeKey, { jobId: 'etl', execId: body.execId }, THREE, { scope });
  expect((await as('jobs:read runs:operate', 'POST /v1/jobs/{jobId}/backfills')).status).toBe(403);
  expect((await as('jobs:read', 'GET /v1/jobs/{jobId}/backfills/{execId}')).status).toBe(200);
  expect((await as('jobs:read', 'GET /v1/backfills')).status).toBe(200);
  expect((await as('work', 'GET /v1/backfills')).status).toBe(403);
});

test('the parameters of a workflow are checked, and kept for each date', async () => {
  const task = { target: { type: 'http', url: 'https://example.com/load' } };
  const world = await worldWithJob({
    target: undefined,
    workflow: { params: { full: false }, tasks: { load: task } },
  });
  const refused = await start(world, { params: { full: 'yes' } });
  expect(refused.body.errors).toMatchObject([{ path: 'params.full' }]);
  const { body } = await start(world, { params: { full: true } });
  expect(body.params).toEqual({ full: true });
});

test('a backfill that has not begun can be cancelled and retried by its execId', async () => {
  const world = await worldWithJob();
  const { execId } = (await start(world)).body;
  const act = (action: string) =>
    world.call(`POST /v1/jobs/{jobId}/executions/{execId}/${action}`, { jobId: 'etl', execId });
  expect((await act('cancel')).status).toBe(202);
  expect((await get(world, execId)).body).toMatchObject({ status: 'cancelled', phase: 'ended' });
  expect((await act('retry')).status).toBe(202);
  expect((await get(world, execId)).body).toMatchObject({ status: 'retrying', phase: 'starting' });
});
