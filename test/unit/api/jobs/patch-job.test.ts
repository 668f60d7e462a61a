import { ApiWorld } from '../world';

describe('PATCH /v1/jobs/{jobId}', () => {
  it('merges: null removes, objects merge, other values replace', async () => {
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

  it('keeps revision and generation, and writes no entry, if the schedule stays', async () => {
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

  it('begins a new generation with a new entry if the schedule changes', async () => {
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
    expect(world.entries.map((entry) => JSON.stringify(entry).includes(after.revision))).toEqual([true]);
  });

  it('changes the type of a schedule, and its default misfire policy', async () => {
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

  it('changes nothing if nothing differs', async () => {
    const world = new ApiWorld();
    const { headers } = await world.create({ jobId: 'a' });
    expect((await world.patch('a', { priority: 'medium', jobId: 'a' })).headers.etag).toBe(headers.etag);
    expect((await world.patch('a', {})).headers.etag).toBe(headers.etag);
  });

  it('merges again into the job as another request wrote it meanwhile', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', name: 'n', tags: { a: '1' } });
    world.beforeNextWrite(() => world.patch('a', { tags: { b: '2' } }));
    const { status, body } = await world.patch('a', { tags: { c: '3' } });
    expect(status).toBe(200);
    expect(body.tags).toEqual({ a: '1', b: '2', c: '3' });
  });

  it('answers 412 to a lost race with If-Match', async () => {
    const world = new ApiWorld();
    const { headers } = await world.create({ jobId: 'a' });
    world.beforeNextWrite(() => world.patch('a', { name: 'faster' }));
    expect(
      (await world.patch('a', { name: 'slower' }, { headers: { 'if-match': headers.etag! } })).status,
    ).toBe(412);
    expect((await world.get('a')).body.name).toBe('faster');
  });

  it('answers 409 if it loses every race, and 404 if the job is deleted meanwhile', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const jobs = { ...world.deps.jobs };
    world.deps.jobs.replace = async (job) => ({
      outcome: 'changed',
      current: { ...job, etag: 'x', tags: {} },
    });
    expect((await world.patch('a', { tags: { t: '1' } })).status).toBe(409);
    Object.assign(world.deps.jobs, jobs);
    world.beforeNextWrite(() => world.remove('a'));
    expect((await world.patch('a', { name: 'late' })).status).toBe(404);
  });
});
