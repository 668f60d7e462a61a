import type { ApiDeps } from '../../../../lambdas/api/request';
import { quotas } from '../../../../lambdas/api/jobs/charge-quotas';
import { dynamoUsageStore } from '../../../../lambdas/core/store/dynamo/dynamo-usage-store';
import { noQuotas } from '../../../support/no-quotas';
import { publicNames } from '../../../support/public-names';
import { aBody, ApiWorld, type CallOptions, paths } from '../world';

const LIMITS = { ...noQuotas.quotaLimits, jobs: 3, firesPerMinute: 100, payloadBytes: 50_000 };

/** A world in which a user may have three jobs. */
function smallWorld(overrides: Partial<ApiDeps> = {}): ApiWorld {
  const world = new ApiWorld(overrides);
  const { dynamo, clock, random } = world;
  const usage = dynamoUsageStore({ documents: dynamo, table: 'Jobs', clock, random });
  Object.assign(world.deps, { quotas: quotas(LIMITS, { usage, clock }) });
  return world;
}

/** Resolves one name to a private address. */
const resolve: ApiDeps['resolve'] = async (host) =>
  host === 'private.test' ? [{ address: '10.0.0.1', family: 4 }] : publicNames(host);

const put = (world: ApiWorld, jobId: string, body: object = {}, options: CallOptions = {}) =>
  world.call(
    'PUT /v1/jobs/{jobId}',
    { jobId },
    { ...aBody(), ...body },
    { query: 'dryRun=true', ...options },
  );

const batch = (world: ApiWorld, bodies: object[], query = 'dryRun=true&replace=true', options = {}) =>
  world.call(
    'POST /v1/jobs/batch',
    {},
    { jobs: bodies.map((body) => ({ ...aBody(), ...body })) },
    { query, ...options },
  );

const statuses = ({ body }: Awaited<ReturnType<typeof batch>>): number[] =>
  body.outcomes.map(({ status }: { status: number }) => status);

/** Everything that is stored, as text. */
/** All rows but audit records: a request that is denied leaves one, dry run or not. */
const stored = (world: ApiWorld) => {
  const rows = ['Jobs', 'Executions', 'Schedule'].map((table) => world.tables.rows(table));
  return JSON.stringify(rows.map((all) => all.filter(({ jobId }) => !String(jobId).startsWith('#audit#'))));
};

describe('PUT with dryRun', () => {
  it('answers with the job as it would be, says what would be done, and writes nothing', async () => {
    const world = new ApiWorld();
    const before = stored(world);
    const answer = await put(world, 'a', { name: 'one' });
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'quarterjack-dry-run': 'created' },
      body: { jobId: 'a', name: 'one', nextFireAt: '2026-12-01T09:00:00.000Z' },
    });
    expect(stored(world)).toBe(before);
    expect(world.queue.messages).toEqual([]);
  });

  it('tells a replacement from a job that stays as it is', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const before = stored(world);
    expect((await put(world, 'a')).headers).toMatchObject({ 'quarterjack-dry-run': 'unchanged' });
    expect(await put(world, 'a', { schedule: 'rate(1 hour)' })).toMatchObject({
      headers: { 'quarterjack-dry-run': 'replaced' },
      body: { generation: 2 },
    });
    expect(stored(world)).toBe(before);
  });

  it.each<[string, object, CallOptions, number]>([
    ['a target', { target: { type: 'http', url: 'https://10.0.0.1/' } }, {}, 400],
    [
      'a name that leads to a private address',
      { target: { type: 'http', url: 'https://private.test/' } },
      {},
      400,
    ],
    ['a pool', { pool: 'nowhere' }, {}, 400],
    ['a time that has passed', { schedule: { type: 'at', at: '2020-01-01T00:00:00Z' } }, {}, 400],
    ['a payload', { payload: 'x'.repeat(70_000) }, {}, 413],
    ['a precondition', {}, { headers: { 'If-Match': '"other"' } }, 412],
    ['a quota', { schedule: 'rate(1 minute)', jobId: 'a', payload: 'y'.repeat(60_000) }, {}, 429],
    ['a scope', {}, { scope: 'jobs:read' }, 403],
    ['its own parameter', {}, { query: 'dryRun=yes' }, 400],
  ])('refuses %s, as the request itself would', async (_what, body, options, status) => {
    const world = smallWorld({ resolve });
    const before = stored(world);
    const dry = await put(world, 'a', body, options);
    expect(dry.status).toBe(status);
    expect(stored(world)).toBe(before);
  });
});

describe('a batch with dryRun', () => {
  it('has the outcomes of the same batch without it, and writes nothing', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'taken' });
    const items = [{ jobId: 'new' }, { jobId: 'taken' }, { jobId: 'bad', pool: 'x' }, {}, { jobId: 'new' }];
    const before = stored(world);
    const dry = await batch(world, items, 'dryRun=true');
    expect(stored(world)).toBe(before);
    const real = await batch(world, items, '');
    expect(statuses(dry)).toEqual([201, 409, 400, 201, 409]);
    expect(statuses(real)).toEqual(statuses(dry));
  });

  it('checks the quotas for all items together, and tells how much they need', async () => {
    const world = smallWorld();
    await world.create({ jobId: 'a' });
    const items = ['a', 'b', 'c', 'd'].map((jobId) => ({ jobId, schedule: 'rate(1 hour)' }));
    const dry = await batch(world, items);
    expect(statuses(dry)).toEqual([200, 201, 201, 429]);
    expect(dry.body.outcomes[3].problem.detail).toMatch(/the quota jobs is 3: 1 are used, this would take 3/);
    expect(dry.body.usage.jobs).toEqual({ used: 1, adds: 2, allowed: 3 });
    expect(statuses(await batch(world, items, 'replace=true'))).toEqual([200, 201, 201, 429]);
  });

  it('counts a paused job that will be resumed as active', async () => {
    const limits = { ...noQuotas.quotaLimits, firesPerMinute: 2 };
    const world = new ApiWorld();
    const usage = dynamoUsageStore({
      documents: world.dynamo,
      table: 'Jobs',
      clock: world.clock,
      random: world.random,
    });
    Object.assign(world.deps, { quotas: quotas(limits, { usage, clock: world.clock }) });
    const jobs = ['a', 'b', 'c'].map((jobId) => ({ ...aBody(), jobId, schedule: 'rate(1 minute)' }));
    for (const job of jobs) {
      await world.create(job);
      await world.call('POST /v1/jobs/{jobId}/pause', { jobId: job.jobId });
    }
    const resume = (jobIds: string[], query = 'dryRun=true&replace=true') =>
      world.call('POST /v1/jobs/batch', {}, { jobs, resume: jobIds }, { query });
    const before = stored(world);
    const fits = await resume(['a', 'b']);
    expect(statuses(fits)).toEqual([200, 200, 200]);
    expect(fits.body.usage.firesPerMinute).toEqual({ used: 0, adds: 2, allowed: 2 });
    const tooMany = await resume(['a', 'b', 'c']);
    expect(statuses(tooMany)).toEqual([200, 200, 429]);
    expect(stored(world)).toBe(before);
    const notDry = await resume(['a'], 'replace=true');
    expect([notDry.status, paths(notDry)]).toEqual([400, ['resume']]);
  });

  it('counts no change of a job that exists', async () => {
    const world = smallWorld();
    for (const jobId of ['a', 'b', 'c']) await world.create({ jobId });
    const dry = await batch(world, [{ jobId: 'a', name: 'new' }]);
    expect(statuses(dry)).toEqual([200]);
    expect(dry.body.usage.jobs).toEqual({ used: 3, adds: 0, allowed: 3 });
  });
});

describe('a batch with replace', () => {
  it('creates and replaces, each item as a PUT', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', name: 'old' });
    const items = [{ jobId: 'a', name: 'new' }, { jobId: 'b' }, { name: 'without an id' }];
    const answer = await batch(world, items, 'replace=true');
    expect(statuses(answer)).toEqual([200, 201, 400]);
    expect(answer.body.outcomes[2].problem.errors).toEqual([
      { path: 'jobId', message: 'is required with replace=true' },
    ]);
    expect((await world.get('a')).body).toMatchObject({ name: 'new', generation: 1 });
    expect(answer.body).not.toHaveProperty('usage');
  });

  it('is refused with another value than true or false', async () => {
    const answer = await batch(new ApiWorld(), [{}], 'replace=1');
    expect([answer.status, paths(answer)]).toEqual([400, ['replace']]);
  });
});
