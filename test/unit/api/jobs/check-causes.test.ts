import { ApiWorld, aBody } from '../world';

const after = (...jobs: string[]) => ({ type: 'after', jobs });
const none = { type: 'none' };

describe('a job that waits for others', () => {
  it('names upstream jobs that exist', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'ingest', schedule: none });
    const refused = await world.create({ jobId: 'clean', schedule: after('ingest', 'ingst') });
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'schedule.jobs.1', message: expect.stringContaining('"ingst" is no job') }] },
    });
    const created = await world.create({ jobId: 'clean', schedule: after('ingest') });
    expect(created).toMatchObject({ status: 201, body: { nextFireAt: null, status: 'active' } });
  });

  it('does not wait for itself, by however many others; the circle is named', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: none });
    await world.create({ jobId: 'b', schedule: after('a') });
    await world.create({ jobId: 'c', schedule: after('b') });
    const circle = await world.patch('a', { schedule: after('c') });
    expect(circle).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'schedule.jobs.0', message: 'closes a circle: a → b → c → a' }] },
    });
    const own = await world.patch('a', { schedule: after('a') });
    expect(own.body.errors).toMatchObject([{ message: 'closes a circle: a → a' }]);
    const diamond = await world.create({ jobId: 'd', schedule: after('b', 'c') });
    expect(diamond.status).toBe(201);
  });

  it('is one of at most eleven in a row', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'j0', schedule: none });
    for (let length = 1; length <= 10; length++)
      expect((await world.create({ jobId: `j${length}`, schedule: after(`j${length - 1}`) })).status).toBe(
        201,
      );
    const tooLong = await world.create({ jobId: 'j11', schedule: after('j10') });
    expect(tooLong).toMatchObject({ status: 400, body: { errors: [{ path: 'schedule.jobs' }] } });
  });

  it('is one of at most a hundred that wait for the same', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'ingest', schedule: none });
    const event = { type: 'event', name: 'order.paid' };
    for (const schedule of [after('ingest'), event]) {
      const jobs = Array.from({ length: 100 }, (_, index) => ({
        ...aBody(),
        jobId: `${schedule.type}-${index}`,
        schedule,
      }));
      const { body } = await world.call('POST /v1/jobs/batch', {}, { jobs });
      expect(body.outcomes.every(({ status }: { status: number }) => status === 201)).toBe(true);
      expect((await world.create({ jobId: 'one-more', schedule })).status).toBe(400);
      const changed = await world.patch(`${schedule.type}-7`, { schedule: { ...schedule, on: undefined } });
      expect(changed.status).toBe(200);
    }
  });

  it.each(['', 'replace=true', 'dryRun=true'])(
    'is created in one request with its upstream jobs, in any order (%s)',
    async (query) => {
      const world = new ApiWorld();
      const job = (jobId: string, schedule: object) => ({ ...aBody(), jobId, schedule });
      const jobs = [job('c', after('b', 'a')), job('b', after('a')), job('a', none), job('x', after('y'))];
      const { body } = await world.call('POST /v1/jobs/batch', {}, { jobs }, { query });
      const statuses = body.outcomes.map(({ status }: { status: number }) => status);
      expect(statuses).toEqual([201, 201, 201, 400]);
    },
  );

  it('marks its upstream jobs, which keep their etags; a change at the same time keeps the mark', async () => {
    const world = new ApiWorld();
    const { headers } = await world.create({ jobId: 'a', schedule: none });
    world.beforeNextWrite(() => world.create({ jobId: 'b', schedule: after('a') }));
    const patched = await world.patch('a', { priority: 'high' }, { headers: { 'if-match': headers.etag! } });
    expect(patched.status).toBe(200);
    expect(await world.jobRow('a')).toMatchObject({ priority: 'high', awaitedAtMs: world.clock.nowMs() });
  });
});

describe('an event schedule', () => {
  it.each([
    [{ name: 'a/b' }, 'schedule.name'],
    [{ name: 'a', where: { region: ['eu'] } }, 'schedule.where.region'],
    [{ name: 'a', debounce: '25h' }, 'schedule.debounce'],
    [{ name: 'a', debounce: 'soon' }, 'schedule.debounce'],
  ])('%j is rejected', async (schedule, path) => {
    const answer = await new ApiWorld().create({ schedule: { type: 'event', ...schedule } });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it('keeps its conditions as they are, whatever their names', async () => {
    const world = new ApiWorld();
    const where = { constructor: 'x', 'a.b': 1, big: 1e300, gone: null, yes: true };
    await world.create({ jobId: 'a', schedule: { type: 'event', name: 'order.paid', where } });
    expect((await world.get('a')).body.schedule.where).toEqual(where);
  });
});
