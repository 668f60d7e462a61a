import { aBody, paths, ApiWorld } from '../world';

const ascending = (a: number, b: number) => a - b;

const batch = (world: ApiWorld, jobs: unknown[], options?: object) =>
  world.call('POST /v1/jobs/batch', {}, { jobs }, options);
const key = { headers: { 'Idempotency-Key': 'k' } };
const statuses = (answered: { body: { outcomes: { status: number }[] } }) =>
  answered.body.outcomes.map(({ status }) => status);

describe('POST /v1/jobs/batch', () => {
  it('creates a hundred jobs, with an outcome for each', async () => {
    const world = new ApiWorld();
    const answered = await batch(
      world,
      Array.from({ length: 100 }, (_, index) => ({ ...aBody(), jobId: `job-${index}` })),
    );
    expect(answered.status).toBe(207);
    expect(answered.body.outcomes).toHaveLength(100);
    for (const [index, outcome] of answered.body.outcomes.entries())
      expect(outcome).toMatchObject({ index, status: 201, job: { jobId: `job-${index}` } });
    expect(answered.body.outcomes[7].job).toEqual((await world.get('job-7')).body);
    expect(world.tables.rows('Jobs')).toHaveLength(100);
    expect(world.meter.total('JobsRegistered')).toBe(100);
  });

  it('writes the entries of a hundred jobs in a few calls', async () => {
    const world = new ApiWorld();
    const calls: string[] = [];
    world.dynamo.faults.before = async ({ command, input }) => {
      await new Promise((resolve) => setImmediate(resolve)); // an answer comes in a later turn
      const { TableName = '', RequestItems = {} } = input as { TableName?: string; RequestItems?: object };
      calls.push(`${command} ${[TableName, ...Object.keys(RequestItems)].join('')}`);
    };
    expect(statuses(await batch(world, Array.from({ length: 100 }, aBody)))).toEqual(Array(100).fill(201));
    expect(calls.filter((one) => one.startsWith('Put') && one.endsWith(' Jobs'))).toHaveLength(100);
    expect(calls.filter((one) => one.endsWith(' Schedule')).length).toBeLessThan(15);
    expect(world.entries).toHaveLength(100);
  });

  it('rejects the jobs whose entries were not written, and no others', async () => {
    const world = new ApiWorld();
    let struck = 0;
    world.dynamo.faults.before = ({ command }) => {
      if (command !== 'BatchWriteCommand' || struck > 0) return;
      struck = 1;
      throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    };
    const jobs = Array.from({ length: 60 }, (_, index) => ({ ...aBody(), jobId: `job-${index}` }));
    const outcomes = statuses(await batch(world, jobs));
    expect(struck).toBe(1);
    expect(new Set(outcomes)).toEqual(new Set([201, 503]));
    expect(world.tables.rows('Jobs')).toHaveLength(outcomes.filter((status) => status === 201).length);
    expect(new Set(statuses(await batch(world, jobs)))).toEqual(new Set([201, 409]));
    expect(world.tables.rows('Jobs')).toHaveLength(60);
  });

  it('checks each job on its own', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'taken' });
    const target = { type: 'http', url: 'https://10.0.0.1/' };
    const answered = await batch(world, [
      aBody(),
      { ...aBody(), jobId: 'taken' },
      { ...aBody(), nonsense: 1 },
      'not a job',
      null,
      { ...aBody(), target },
      { ...aBody(), payload: 'x'.repeat(70_000) },
      { ...aBody(), jobId: 'twin' },
      { ...aBody(), jobId: 'twin', name: 'the second' },
    ]);
    expect(answered.status).toBe(207);
    expect(statuses(answered)).toEqual([201, 409, 400, 400, 400, 400, 413, 201, 409]);
    expect(answered.body.outcomes[2].problem).toMatchObject({
      status: 400,
      errors: [{ path: 'nonsense', message: 'is not a known field' }],
    });
    expect(answered.body.outcomes[5].problem.errors[0].path).toBe('target.url');
    expect((await world.get('twin')).body).not.toHaveProperty('name');
    expect((await world.call('GET /v1/jobs')).body.items).toHaveLength(3);
  });

  it('rejects an invalid batch as a whole', async () => {
    const world = new ApiWorld();
    const many = Array.from({ length: 101 }, aBody);
    for (const jobs of [[], many, {}, 'x', undefined])
      expect(await batch(world, jobs as unknown[])).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'jobs' }] },
      });
    expect(paths(await world.call('POST /v1/jobs/batch', {}, { jobs: [aBody()], x: 1 }))).toEqual(['x']);
    expect(paths(await batch(world, [aBody()], { headers: { 'Idempotency-Key': ' ' } }))).toEqual([
      'Idempotency-Key',
    ]);
    expect((await batch(world, ['x'.repeat(1_100_000)])).status).toBe(413);
    expect(world.tables.rows('Jobs')).toEqual([]);
  });

  it('accepts a larger body than a single create', async () => {
    const world = new ApiWorld();
    const jobs = Array.from({ length: 15 }, () => ({ ...aBody(), payload: 'x'.repeat(60_000) }));
    expect(statuses(await batch(world, jobs))).toEqual(Array(15).fill(201));
  });

  it('repeated with its key creates only the jobs that are missing', async () => {
    const world = new ApiWorld();
    const jobs = [aBody(), { ...aBody(), jobId: 'own' }, { ...aBody(), name: 'third' }];
    const first = await batch(world, jobs, key);
    expect(first.body.outcomes.map(({ replayed }: { replayed: boolean }) => replayed)).toEqual([
      false,
      false,
      false,
    ]);
    const { jobId } = first.body.outcomes[2].job;
    await world.call('DELETE /v1/jobs/{jobId}', { jobId });
    const second = await batch(world, jobs, key);
    expect(statuses(second)).toEqual([201, 201, 201]);
    expect(second.body.outcomes.map(({ replayed }: { replayed: boolean }) => replayed)).toEqual([
      true,
      true,
      false,
    ]);
    expect((await world.call('GET /v1/jobs')).body.items).toHaveLength(3);
    expect(statuses(await batch(world, [{ ...aBody(), name: 'another' }, jobs[1]], key))).toEqual([422, 201]);
  });

  it('creates equal items without a key as separate jobs', async () => {
    const world = new ApiWorld();
    await batch(world, [aBody(), aBody()]);
    expect(world.tables.rows('Jobs')).toHaveLength(2);
  });

  it('answers 503 or 500 for each job that failed, and 201 for the others', async () => {
    const world = new ApiWorld();
    const { create } = world.deps.jobs;
    let made = 0;
    world.deps.jobs.create = (job) => {
      made += 1;
      if (made === 1) throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
      if (made === 2) throw new Error('bug');
      return create(job);
    };
    const answered = await batch(world, [aBody(), aBody(), aBody()]);
    expect(statuses(answered).toSorted(ascending)).toEqual([201, 500, 503]);
    expect(JSON.stringify(answered.body)).not.toContain('bug');
    expect(world.log.lines).toHaveLength(2);
  });
});
