import { putEnded } from '../ended-row';
import { jobIdAt, worldWithJobs } from '../lists';
import { ApiWorld, paths } from '../world';
import { allPages, bulk, worldWithCopies } from './bulk-calls';

const BILLING = { tag: ['team:billing'] };

/** Jobs of which every other one has the tag. */
const mixed = (count: number) =>
  worldWithJobs(count, (at) => ({ tags: { team: at % 2 === 0 ? 'billing' : 'ops' } }));

const statusesOf = async (world: ApiWorld, count: number) =>
  Promise.all(Array.from({ length: count }, async (_, at) => (await world.jobRow(jobIdAt(at)))?.status));

describe('POST /v1/bulk', () => {
  it('pauses what the filter selects, and nothing else', async () => {
    const world = await mixed(4);
    await world.post(jobIdAt(2), 'pause');
    expect((await bulk(world, { action: 'pause', filter: BILLING })).body).toEqual({
      matched: 2,
      done: 1,
      unchanged: 1,
      failed: [],
      nextCursor: null,
    });
    expect(await statusesOf(world, 4)).toEqual(['paused', 'active', 'paused', 'active']);
    const { body } = await bulk(world, { action: 'resume', filter: { status: 'paused' } });
    expect(body).toMatchObject({ matched: 2, done: 2 });
    expect(await statusesOf(world, 4)).toEqual(['active', 'active', 'active', 'active']);
  });

  it('selects by each field of the filter of a list', async () => {
    const world = await mixed(4);
    await world.create({ jobId: 'other', name: 'Warehouse', target: { type: 'worker', queue: 'w' } });
    for (const filter of [{ contains: 'wareh' }, { q: 'oth' }, { kind: 'worker' }, { target: 'worker' }])
      expect((await bulk(world, { action: 'pause', filter, dryRun: true })).body.matched).toBe(1);
    expect((await bulk(world, { action: 'pause', all: true, dryRun: true })).body.matched).toBe(5);
  });

  it('selects a job with nothing left to run as completed, though it is paused', async () => {
    const world = await mixed(2);
    const dueAtMs = world.clock.nowMs() + 10_000;
    await world.create({ jobId: 'once', schedule: { type: 'delay', delay: '10s' } });
    await world.clock.advance(11_000);
    await putEnded(world, 'once', dueAtMs);
    await bulk(world, { action: 'pause', all: true });
    const matched = async (status: string) =>
      (await bulk(world, { action: 'resume', filter: { status }, dryRun: true })).body.matched;
    expect([await matched('paused'), await matched('completed'), await matched('active')]).toEqual([2, 1, 0]);
  });

  it('keeps actor and note with each change, as the single call does', async () => {
    const world = await mixed(2);
    const note = 'freeze — until Monday';
    await bulk(
      world,
      { action: 'pause', filter: BILLING, note },
      { headers: { 'quarterjack-note': 'other' } },
    );
    expect((await world.get(jobIdAt(0))).body).toMatchObject({ note, by: { sub: 'alice' }, changeNumber: 2 });
    expect((await world.get(jobIdAt(1))).body).toMatchObject({ changeNumber: 1 });
  });

  it('has pages of a hundred, and jobs that vanish between them do no harm', async () => {
    const world = await worldWithCopies(108);
    const first = await bulk(world, { action: 'pause', all: true });
    expect(first.body).toMatchObject({ matched: 100, done: 100 });
    for (const at of [98, 99, 100, 101]) expect((await world.remove(jobIdAt(at))).status).toBe(204);
    const cursor = first.body.nextCursor as string;
    const rest = await allPages(world, { action: 'pause', all: true, cursor });
    expect(rest.map(({ body }) => body.done as number)).toEqual([6]);
    // A repeat of the page finds all of it done.
    const again = await bulk(world, { action: 'pause', all: true, cursor });
    expect(again.body).toMatchObject({ matched: 6, done: 0, unchanged: 6 });
    expect(new Set(await statusesOf(world, 108))).toEqual(new Set(['paused', undefined]));
  });

  it('leaves out what was created after it began', async () => {
    const world = await worldWithCopies(101);
    const first = await bulk(world, { action: 'pause', all: true });
    await world.clock.advance(1);
    await world.create({ jobId: 'z-new' });
    await bulk(world, { action: 'pause', all: true, cursor: first.body.nextCursor });
    expect(await statusesOf(world, 101)).not.toContain('active');
    expect(await world.jobRow('z-new')).toMatchObject({ status: 'active' });
  });

  it('counts everything in a dry run, and changes nothing', async () => {
    const world = await worldWithCopies(102);
    const { body } = await bulk(world, { action: 'delete', all: true, dryRun: true });
    expect(body).toEqual({ matched: 102, done: 0, unchanged: 0, failed: [], nextCursor: null });
    expect(new Set(await statusesOf(world, 102))).toEqual(new Set(['active']));
  });

  it('stops after ten seconds, and goes on with the cursor', async () => {
    const world = await worldWithCopies(30);
    const { list } = world.deps.jobs;
    world.deps.jobs.list = async (project, page) => {
      await world.clock.advance(4_000);
      return list(project, { ...page, limit: 5 });
    };
    const counted = await bulk(world, { action: 'pause', all: true, dryRun: true });
    expect(counted.body).toMatchObject({ matched: 15, nextCursor: expect.any(String) as string });
    const pages = await allPages(world, { action: 'pause', all: true });
    expect(pages.map(({ body }) => body.done as number)).toEqual([10, 10, 10]);
  });

  it('patches each job, and lists those that the patch does not fit', async () => {
    const world = await mixed(2);
    await world.create({ jobId: 'short', tags: { team: 'billing' }, retry: { maxDelay: '10s' } });
    const patch = { retry: { initialDelay: '1m' }, tags: { owner: 'ann' } };
    const { body } = await bulk(world, { action: 'patch', filter: BILLING, patch });
    expect(body).toMatchObject({
      matched: 2,
      done: 1,
      failed: [{ jobId: 'short', problem: { status: 400, errors: [{ path: 'retry.maxDelay' }] } }],
    });
    expect(await world.jobRow(jobIdAt(0))).toMatchObject({
      tags: { team: 'billing', owner: 'ann' },
      retry: { initialDelay: '1m' },
    });
    expect((await bulk(world, { action: 'patch', filter: BILLING, patch })).body.unchanged).toBe(1);
  });

  it('does not change a job that left the selection meanwhile', async () => {
    const world = await mixed(1);
    world.beforeNextWrite(() => world.patch(jobIdAt(0), { tags: { team: 'ops' } }));
    const { body } = await bulk(world, { action: 'pause', filter: BILLING });
    expect(body).toEqual({ matched: 0, done: 0, unchanged: 0, failed: [], nextCursor: null });
    expect(await world.jobRow(jobIdAt(0))).toMatchObject({ status: 'active' });
  });

  it('changes a job that was changed meanwhile and is still selected', async () => {
    const world = await mixed(1);
    world.beforeNextWrite(() => world.patch(jobIdAt(0), { name: 'other' }));
    expect((await bulk(world, { action: 'pause', filter: BILLING })).body).toMatchObject({ done: 1 });
    expect(await world.jobRow(jobIdAt(0))).toMatchObject({ status: 'paused', name: 'other' });
  });

  it('does the work once, if two bulks run at once', async () => {
    const world = await worldWithCopies(60);
    const both = await Promise.all([1, 2].map(() => bulk(world, { action: 'pause', all: true })));
    const sum = (field: string) => both.reduce((total, { body }) => total + (body[field] as number), 0);
    expect({ done: sum('done'), unchanged: sum('unchanged') }).toEqual({ done: 60, unchanged: 60 });
    const rows = await Promise.all(Array.from({ length: 60 }, (_, at) => world.jobRow(jobIdAt(at))));
    expect(new Set(rows.map((row) => row?.generation))).toEqual(new Set([2]));
  });
});

describe('a bulk that deletes', () => {
  const DELETE = { action: 'delete', filter: BILLING };

  it('deletes only if the filter selects as many as expected', async () => {
    const world = await mixed(6);
    expect(await bulk(world, { ...DELETE, expect: 4 })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('expect is 4, but the filter selects 3') as string },
    });
    expect(await statusesOf(world, 6)).not.toContain(undefined);
    expect((await bulk(world, { ...DELETE, expect: 3 })).body).toMatchObject({ matched: 3, done: 3 });
    expect((await statusesOf(world, 6)).filter(Boolean)).toHaveLength(3);
  });

  it('goes on where it was, if its first page is sent again with the same key', async () => {
    const world = await worldWithCopies(102);
    const options = { headers: { 'idempotency-key': 'clean-up' } };
    const body = { action: 'delete', all: true, expect: 102 };
    expect((await bulk(world, body, options)).body.done).toBe(100);
    const again = await bulk(world, body, options);
    expect(again.body).toMatchObject({ done: 2, nextCursor: null });
    expect((await bulk(world, { ...body, expect: 5 }, options)).status).toBe(422);
    expect((await bulk(world, body, { headers: { 'idempotency-key': 'new' } })).status).toBe(409);
  });

  it('spares a job that was changed after it began', async () => {
    const world = await worldWithCopies(101);
    const body = { action: 'delete', all: true, expect: 101 };
    const first = await bulk(world, body);
    await world.clock.advance(1);
    await world.patch(jobIdAt(100), { name: 'kept' });
    expect((await bulk(world, { ...body, cursor: first.body.nextCursor })).body).toMatchObject({
      done: 0,
      failed: [{ jobId: jobIdAt(100), problem: { status: 412 } }],
    });
  });

  it('deletes each job once, if two bulks run at once', async () => {
    const world = await worldWithCopies(40);
    const both = await Promise.all(
      [1, 2].map(() => bulk(world, { action: 'delete', all: true, expect: 40 })),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both.flatMap(({ body }) => body.failed as unknown[])).toEqual([]);
    expect(new Set(await statusesOf(world, 40))).toEqual(new Set([undefined]));
  });
});

describe('a bulk that runs jobs', () => {
  const RUN = { action: 'run', filter: BILLING };
  const key = { headers: { 'idempotency-key': 'nightly-again' } };

  it('runs each job once for each key, however often the page is sent', async () => {
    const world = await mixed(4);
    expect((await bulk(world, RUN, key)).body).toMatchObject({ matched: 2, done: 2 });
    expect((await bulk(world, RUN, key)).body).toMatchObject({ matched: 2, done: 0, unchanged: 2 });
    expect((await world.executions(jobIdAt(0), 'status=queued')).body.items).toHaveLength(1);
    expect((await world.executions(jobIdAt(1), 'status=queued')).body.items).toHaveLength(0);
    // A run of that job alone is another request, also with the same key.
    expect((await world.post(jobIdAt(0), 'run', {}, key)).headers).not.toHaveProperty('idempotency-replayed');
  });

  it('needs a key', async () => {
    expect(paths(await bulk(new ApiWorld(), RUN))).toEqual(['Idempotency-Key']);
  });
});

describe('a bulk is rejected', () => {
  const world = new ApiWorld();
  it.each([
    [{ action: 'pause' }, ['all']],
    [{ action: 'pause', filter: { tag: [] } }, ['all']],
    [{ action: 'stop', all: true }, ['action']],
    [{ action: 'delete', all: true }, ['expect']],
    [{ action: 'patch', all: true }, ['patch']],
    [{ action: 'patch', all: true, patch: { jobId: 'a' } }, ['patch.jobId']],
    [{ action: 'pause', all: true, patch: {} }, ['patch']],
    [{ action: 'pause', filter: { from: '2026-12-01T00:00:00Z' } }, ['filter.from']],
    [{ action: 'cancel', filter: { host: 'x' } }, ['filter.host']],
    [{ action: 'retry', filter: { status: 'paused' } }, ['filter.status']],
    [{ action: 'pause', filter: { status: 'failed' } }, ['filter.status']],
    [{ action: 'pause', all: true, note: 'x'.repeat(501) }, ['note']],
    [{ action: 'pause', all: true, cursor: 'x.y' }, ['cursor']],
    [{ action: 'pause', all: true, jobIds: ['a'] }, ['jobIds']],
  ])('number %# names the field', async (body, expected) => {
    const answer = await bulk(world, body);
    expect(answer.status).toBe(400);
    expect(paths(answer)).toEqual(expected);
  });

  it('with the cursor of another bulk, or of another project', async () => {
    const many = await worldWithCopies(101);
    const { nextCursor: cursor } = (await bulk(many, { action: 'pause', all: true })).body;
    expect(paths(await bulk(many, { action: 'resume', all: true, cursor }))).toEqual(['cursor']);
    expect(paths(await bulk(many, { action: 'pause', all: true, cursor }, { user: 'bob' }))).toEqual([
      'cursor',
    ]);
  });

  it('with a 403 that is on record, if the scope of the action is missing', async () => {
    const scope = 'jobs:read runs:operate';
    const body = { action: 'delete', all: true, expect: 0 };
    expect(await bulk(world, body, { scope })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('the scope jobs:write') as string },
    });
    expect((await bulk(world, { action: 'pause', all: true }, { scope })).status).toBe(200);
    const { body: audit } = await world.call('GET /v1/audit');
    expect(JSON.stringify(audit)).toContain('bulk');
  });
});
