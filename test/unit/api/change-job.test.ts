import { aBody, ApiWorld } from './world';

const ascending = (a: number, b: number) => a - b;

const put = (world: ApiWorld, jobId: string, body: object, headers: Record<string, string> = {}) =>
  world.call('PUT /v1/jobs/{jobId}', { jobId }, { ...aBody(), ...body }, { headers });
const remove = (world: ApiWorld, jobId: string, headers: Record<string, string> = {}) =>
  world.call('DELETE /v1/jobs/{jobId}', { jobId }, undefined, { headers });

/** Lets `meddle` run after the next read of the job and before the write that follows it. */
function between(world: ApiWorld, meddle: () => Promise<unknown>): void {
  const jobs = { ...world.deps.jobs };
  let done = false;
  const once = async () => {
    if (done) return;
    done = true;
    await meddle();
  };
  world.deps.jobs.replace = async (job, etag) => {
    await once();
    return jobs.replace(job, etag);
  };
  world.deps.jobs.remove = async (ref, etag) => {
    await once();
    return jobs.remove(ref, etag);
  };
}

describe('PUT /v1/jobs/{jobId}', () => {
  it('creates, then replaces; what it leaves out goes back to its default', async () => {
    const world = new ApiWorld();
    const first = await put(world, 'a', { name: 'one', priority: 'high', payload: { x: 1 } });
    expect(first).toMatchObject({ status: 201, headers: { location: '/v1/jobs/a' } });
    const second = await put(world, 'a', { jobId: 'a', name: 'two' });
    expect(second).toMatchObject({ status: 200, body: { name: 'two', priority: 'medium', generation: 1 } });
    expect(second.body).not.toHaveProperty('payload');
    expect((await world.get('a')).body).toEqual(second.body);
    expect(second.headers.etag).not.toBe(first.headers.etag);
  });

  it('changes nothing where it is equal to what is stored, though its time has passed', async () => {
    const world = new ApiWorld();
    const body = {
      schedule: { type: 'at', at: '2026-12-01T08:31:00Z' },
      target: { ...aBody().target, mode: 'sync' },
    };
    const first = await put(world, 'a', body);
    await world.clock.advance(120_000);
    const second = await put(world, 'a', { ...body, priority: 'medium' });
    expect(second.status).toBe(200);
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(second.body.updatedAt).toBe(first.body.updatedAt);
    expect(world.entries).toHaveLength(1);
  });

  it('leaves a paused job paused', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'pause');
    expect((await put(world, 'a', { schedule: 'rate(1 hour)' })).body).toMatchObject({
      status: 'paused',
      nextFireAt: null,
    });
    expect(world.entries).toHaveLength(1);
  });

  it('with If-Match only replaces what it saw, and never creates', async () => {
    const world = new ApiWorld();
    expect((await put(world, 'a', {}, { 'If-Match': '*' })).status).toBe(412);
    expect(await world.jobRow('a')).toBeUndefined();
    const { headers } = await put(world, 'a', {});
    expect((await put(world, 'a', { name: 'x' }, { 'If-Match': '"other"' })).status).toBe(412);
    expect((await put(world, 'a', { name: 'x' }, { 'If-Match': `"b", ${headers.etag}` })).status).toBe(200);
    expect((await put(world, 'a', { name: 'y' }, { 'If-Match': headers.etag! })).status).toBe(412);
    expect((await put(world, 'a', { name: 'y' }, { 'If-Match': '*' })).status).toBe(200);
  });

  it('with If-None-Match only creates', async () => {
    const world = new ApiWorld();
    const { headers } = await put(world, 'a', {}, { 'If-None-Match': '*' });
    expect((await put(world, 'a', { name: 'x' }, { 'If-None-Match': '*' })).status).toBe(412);
    expect((await put(world, 'a', { name: 'x' }, { 'If-None-Match': headers.etag! })).status).toBe(412);
    expect((await put(world, 'a', { name: 'x' }, { 'If-None-Match': '"other"' })).status).toBe(200);
    const both = await Promise.all([1, 2].map(() => put(world, 'b', {}, { 'If-None-Match': '*' })));
    expect(both.map(({ status }) => status).toSorted(ascending)).toEqual([201, 412]);
  });
});

describe('pause and resume', () => {
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

describe('PATCH /v1/jobs/{jobId}', () => {
  it('merges: null removes, objects merge, the rest replaces', async () => {
    const world = new ApiWorld();
    await world.create({
      jobId: 'a',
      name: 'n',
      payload: { a: { b: 1, c: 2 }, d: [1] },
      tags: { t: 'x', u: 'y' },
    });
    const { status, body } = await world.patch('a', {
      name: null,
      priority: null,
      payload: { a: { b: null }, d: [2, 3], __proto: 1 },
      tags: { t: null, v: 'z' },
      retry: { maxAttempts: 9 },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      priority: 'medium',
      payload: { a: { c: 2 }, d: [2, 3] },
      tags: { u: 'y', v: 'z' },
      retry: { maxAttempts: 9, initialDelay: '10s' },
    });
    expect(body).not.toHaveProperty('name');
    expect(body.payload.a).toEqual({ c: 2 });
  });

  it('keeps revision and generation, and writes no entry, where the schedule stays', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const before = (await world.jobRow('a'))!;
    await world.clock.advance(1_000);
    await world.patch('a', { name: 'other', target: { url: 'https://example.org/' } });
    const after = (await world.jobRow('a'))!;
    expect(after).toMatchObject({
      revision: before.revision,
      generation: 1,
      scheduleChangedAtMs: before.scheduleChangedAtMs,
    });
    expect(after.etag).not.toBe(before.etag);
    expect(after.updatedAtMs).toBe(before.updatedAtMs + 1_000);
    expect(world.entries).toHaveLength(1);
  });

  it('begins a new generation with a new entry, written first, where the schedule changes', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const before = (await world.jobRow('a'))!;
    await world.clock.advance(1_000);
    const { body } = await world.patch('a', { schedule: { expression: '30 9 * * *' } });
    expect(body).toMatchObject({ generation: 2, nextFireAt: '2026-12-01T09:30:00.000Z' });
    const after = (await world.jobRow('a'))!;
    expect(after.revision).not.toBe(before.revision);
    expect(after).toMatchObject({
      scheduleChangedAtMs: before.scheduleChangedAtMs + 1_000,
      activeSinceMs: before.activeSinceMs,
    });
    expect(world.entries.map((entry) => JSON.stringify(entry).includes(after.revision))).toEqual([
      false,
      true,
    ]);
  });

  it('turns a schedule into one of another type, and its default misfire policy with it', async () => {
    const world = new ApiWorld();
    await world.create({
      jobId: 'a',
      schedule: { type: 'cron', expression: '0 9 * * *', timezone: 'Europe/Berlin' },
    });
    const interval = await world.patch('a', { schedule: { type: 'interval', every: '1h' } });
    expect(interval.body.schedule).toEqual({ type: 'interval', every: '1h', timezone: 'Europe/Berlin' });
    const once = await world.patch('a', { schedule: { type: 'delay', delay: '1h' } });
    expect(once.body).toMatchObject({
      schedule: { type: 'delay', delay: '1h' },
      misfire: { policy: 'fire-now' },
    });
    expect((await world.jobRow('a'))?.expiresAtSec).toEqual(expect.any(Number));
    const again = await world.patch('a', { schedule: 'rate(1 hour)', misfire: { policy: 'skip' } });
    expect(again.body).toMatchObject({
      schedule: 'rate(1 hour)',
      misfire: { policy: 'skip' },
      generation: 4,
    });
    expect(await world.jobRow('a')).not.toHaveProperty('expiresAtSec');
  });

  it('changes nothing where nothing differs', async () => {
    const world = new ApiWorld();
    const { headers } = await world.create({ jobId: 'a' });
    expect((await world.patch('a', { priority: 'medium', jobId: 'a' })).headers.etag).toBe(headers.etag);
    expect((await world.patch('a', {})).headers.etag).toBe(headers.etag);
  });

  it('merges again into what somebody else wrote meanwhile', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', name: 'n', tags: { a: '1' } });
    between(world, () => world.patch('a', { tags: { b: '2' } }));
    const { status, body } = await world.patch('a', { tags: { c: '3' } });
    expect(status).toBe(200);
    expect(body.tags).toEqual({ a: '1', b: '2', c: '3' });
  });

  it('answers 412 to a race where If-Match was given', async () => {
    const world = new ApiWorld();
    const { headers } = await world.create({ jobId: 'a' });
    between(world, () => world.patch('a', { name: 'faster' }));
    expect(
      (await world.patch('a', { name: 'slower' }, { headers: { 'if-match': headers.etag! } })).status,
    ).toBe(412);
    expect((await world.get('a')).body.name).toBe('faster');
  });

  it('answers 409 where it loses every race, and 404 where the job goes meanwhile', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const jobs = { ...world.deps.jobs };
    world.deps.jobs.replace = async (job) => ({
      outcome: 'changed',
      current: { ...job, etag: 'x', tags: {} },
    });
    expect((await world.patch('a', { tags: { t: '1' } })).status).toBe(409);
    Object.assign(world.deps.jobs, jobs);
    between(world, () => remove(world, 'a'));
    expect((await world.patch('a', { name: 'late' })).status).toBe(404);
  });
});

describe('pause and resume', () => {
  it('pause: no next occurrence, a new generation, no entry; again it changes nothing', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const first = await world.post('a', 'pause');
    expect(first).toMatchObject({ status: 200, body: { status: 'paused', generation: 2, nextFireAt: null } });
    const second = await world.post('a', 'pause', {});
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(world.entries).toHaveLength(1);
    expect(world.queue.messages).toEqual([]);
  });

  it('resume: the first occurrence after now, from an entry of the new generation; nothing fires by itself', async () => {
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

  it('resume, a change of schedule and delete put what was missed into the history, as one row each', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'interval', every: '1s' } });
    await world.post('a', 'pause');
    await world.clock.advance(90 * 60_000 + 500);
    await world.patch('a', { schedule: { every: '60s' } });
    await world.clock.advance(150_000);
    await world.post('a', 'resume');
    await world.post('a', 'pause');
    await world.clock.advance(61_000);
    await remove(world, 'a');
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

  it('20 clients at once: each change is one after another, and none is lost', async () => {
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
});

describe('DELETE /v1/jobs/{jobId}', () => {
  it('answers 204, then 404; the history stays readable', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'run');
    expect(await remove(world, 'a')).toMatchObject({ status: 204, body: undefined });
    expect((await remove(world, 'a')).status).toBe(404);
    expect((await world.get('a')).status).toBe(404);
    const listed = await world.executions('a');
    expect(listed).toMatchObject({ status: 200, body: { items: [{ trigger: 'manual' }] } });
    const { execId } = listed.body.items[0];
    const one = await world.call('GET /v1/jobs/{jobId}/executions/{execId}', { jobId: 'a', execId });
    expect(one.status).toBe(200);
  });

  it('honours If-Match, under a race too', async () => {
    const world = new ApiWorld();
    const { headers } = await world.create({ jobId: 'a' });
    expect((await remove(world, 'a', { 'if-match': '"other"' })).status).toBe(412);
    between(world, () => world.patch('a', { name: 'faster' }));
    expect((await remove(world, 'a', { 'if-match': headers.etag! })).status).toBe(412);
    expect((await remove(world, 'a')).status).toBe(204);
  });
});

describe('GET /v1/jobs/{jobId}', () => {
  it('is completed once nothing is left and the last execution has ended', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'delay', delay: '10s' } });
    await world.clock.advance(11_000);
    expect((await world.get('a')).body).toMatchObject({
      status: 'active',
      nextFireAt: null,
      lastExecution: null,
    });
    const claim = { jobKey: world.jobKey('a'), execId: '20261201T083010.000Z', attempt: 1, claimId: 'c' };
    const dueAtMs = world.clock.nowMs() - 1_000;
    await world.deps.executions.claim({ ...claim, trigger: 'schedule', dueAtMs, nowMs: world.clock.nowMs() });
    expect((await world.get('a')).body).toMatchObject({
      status: 'active',
      lastExecution: { status: 'running' },
    });
    await world.deps.ends.finish(
      { ...claim, fence: 1 },
      { status: 'succeeded', finishedAtMs: world.clock.nowMs(), expiresAtSec: 2_000_000_000 },
      [],
    );
    expect((await world.get('a')).body).toMatchObject({
      status: 'completed',
      lastExecution: { execId: claim.execId, status: 'succeeded', dueAt: '2026-12-01T08:30:10.000Z' },
    });
  });

  it('has no next occurrence once maxRuns is used up', async () => {
    const world = new ApiWorld();
    const { body } = await world.create({
      jobId: 'a',
      schedule: { type: 'interval', every: '1h', maxRuns: 2 },
    });
    expect(body.nextFireAt).toBe('2026-12-01T09:30:00.000Z');
    await world.clock.advance(3_600_000);
    expect((await world.get('a')).body.nextFireAt).toBe('2026-12-01T10:30:00.000Z');
    await world.clock.advance(3_600_000);
    expect((await world.get('a')).body.nextFireAt).toBeNull();
  });

  it('is not confused by the history of an earlier job of the same id', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    await world.post('a', 'run');
    await remove(world, 'a');
    await world.clock.advance(1);
    expect((await world.create({ jobId: 'a' })).body.lastExecution).toBeNull();
  });
});
