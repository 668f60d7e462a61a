import { quotas } from '../../../../lambdas/api/jobs/charge-quotas';
import { NO_USAGE } from '../../../../lambdas/core/quotas/usage';
import { dynamoUsageStore } from '../../../../lambdas/core/store/dynamo/dynamo-usage-store';
import { FakeRandom } from '../../../support/fake-random';
import { noQuotas } from '../../../support/no-quotas';
import { ApiWorld } from '../world';

const ROOMY = { ...noQuotas.quotaLimits, jobs: 1_000, firesPerMinute: 1_000, payloadBytes: 1_000_000 };
const everySecond = { type: 'interval', every: '1s' };
const eachMinute = { type: 'cron', expression: '* * * * *' };
const inAnHour = { type: 'delay', delay: '1h' };

/** The API of a deployment with these quotas. */
function bounded(limits: Partial<typeof ROOMY>): ApiWorld {
  const world = new ApiWorld();
  const usage = usageOf(world);
  Object.assign(world.deps, { quotas: quotas({ ...ROOMY, ...limits }, { usage, clock: world.clock }) });
  return world;
}

const usageOf = ({ dynamo, clock, random }: ApiWorld) =>
  dynamoUsageStore({ documents: dynamo, table: 'Jobs', clock, random });

describe('quotas', () => {
  it('reject a job above the quota with 429 and Retry-After, and write nothing', async () => {
    const world = bounded({ jobs: 2 });
    expect((await world.create({ jobId: 'a' })).status).toBe(201);
    expect((await world.create({ jobId: 'b' })).status).toBe(201);
    const rows = world.tables.rows('Jobs').length + world.entries.length;
    const refused = await world.create({ jobId: 'c' });
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '600', 'content-type': 'application/problem+json' },
      body: { type: '/v1/problems/quota-exceeded', status: 429 },
    });
    expect(refused.body.detail).toContain('the quota jobs is 2: 2 are used, this would take 1 more');
    expect(world.tables.rows('Jobs').length + world.entries.length).toBe(rows);
    expect((await world.call('PUT /v1/jobs/{jobId}', { jobId: 'c' }, bodyOf(eachMinute))).status).toBe(429);
    expect((await world.create({ jobId: 'c' }, { user: 'bob' })).status).toBe(201);
  });

  it('give back what a deleted job used, and count neither a replay nor a lost race twice', async () => {
    const world = bounded({ jobs: 2 });
    const keyed = { headers: { 'Idempotency-Key': 'once' } };
    await world.create({}, keyed);
    await world.create({}, keyed);
    await world.create({ jobId: 'b' });
    expect((await world.create({ jobId: 'b' })).status).toBe(429);
    expect((await world.call('DELETE /v1/jobs/{jobId}', { jobId: 'b' })).status).toBe(204);
    expect((await world.create({ jobId: 'b' })).status).toBe(201);
    expect((await world.create({}, keyed)).status).toBe(201);

    const other = bounded({ jobs: 2 });
    await other.create({ jobId: 'a' });
    for (let tries = 0; tries < 3; tries++) expect((await other.create({ jobId: 'a' })).status).toBe(409);
    expect((await other.create({ jobId: 'b' })).status).toBe(201);
  });

  it('count fires by the schedule: on create, on a faster schedule, and on resume', async () => {
    const world = bounded({ firesPerMinute: 61 });
    expect((await world.create({ jobId: 'a', schedule: everySecond })).status).toBe(201);
    expect((await world.create({ jobId: 'b', schedule: eachMinute })).status).toBe(201);
    expect((await world.create({ jobId: 'c', schedule: eachMinute })).status).toBe(429);
    expect((await world.patch('b', { schedule: { type: 'interval', every: '30s' } })).status).toBe(429);
    expect((await world.patch('b', { priority: 'high' })).status).toBe(200);
    await world.post('a', 'pause');
    expect((await world.create({ jobId: 'c', schedule: eachMinute })).status).toBe(201);
    expect((await world.post('a', 'resume')).status).toBe(429);
    expect((await world.get('a')).body.status).toBe('paused');
    expect((await world.patch('c', { schedule: inAnHour })).status).toBe(200);
  });

  it('allow every change that lowers the usage, even far above a quota', async () => {
    const world = bounded({ jobs: 3, firesPerMinute: 1, payloadBytes: 100 });
    const definition = { schedule: eachMinute, payload: 'x'.repeat(90) };
    expect((await world.create({ jobId: 'a', ...definition })).status).toBe(201);
    await usageOf(world).add('alice', { ...NO_USAGE, jobs: 50, firesPerHour: 6_000, payloadBytes: 5_000 });
    expect((await world.patch('a', { payload: 'x'.repeat(91) })).status).toBe(429);
    expect((await world.patch('a', { payload: 'x'.repeat(40) })).status).toBe(200);
    expect((await world.patch('a', { schedule: inAnHour })).status).toBe(200);
    expect((await world.patch('a', { priority: 'high' })).status).toBe(200);
    expect((await world.post('a', 'pause')).status).toBe(200);
    expect((await world.call('DELETE /v1/jobs/{jobId}', { jobId: 'a' })).status).toBe(204);
  });

  it('check the items of a batch one after the other', async () => {
    const world = bounded({ jobs: 12 });
    const jobs = Array.from({ length: 30 }, (_, index) => ({ jobId: `job-${index}`, ...bodyOf(inAnHour) }));
    const { status, body } = await world.call('POST /v1/jobs/batch', {}, { jobs });
    expect(status).toBe(207);
    const outcomes = body.outcomes as { status: number; problem?: { type: string; detail: string } }[];
    expect(outcomes.filter((outcome) => outcome.status === 201)).toHaveLength(12);
    const refused = outcomes.filter((outcome) => outcome.status === 429);
    expect(refused).toHaveLength(18);
    for (const { problem } of refused) {
      expect(problem!.type).toBe('/v1/problems/quota-exceeded');
      expect(problem!.detail).toContain('the quota jobs is 12');
    }
    expect((await usageOf(world).get('alice')).jobs).toBe(12);
  });

  it('undo the charge of a change that lost its race, also a negative one', async () => {
    const world = bounded({ jobs: 1, payloadBytes: 100 });
    expect((await world.create({ jobId: 'a', schedule: inAnHour, payload: 'x'.repeat(98) })).status).toBe(
      201,
    );
    let lost = 0;
    world.dynamo.faults = {
      before: async ({ command, input }) => {
        if (command !== 'PutCommand' || input.TableName !== 'Jobs' || lost++ > 0) return;
        expect((await world.patch('a', { priority: 'high' })).status).toBe(200);
      },
    };
    expect((await world.patch('a', { payload: 'x'.repeat(48) })).status).toBe(200);
    expect(lost).toBeGreaterThan(1);
    expect(await usageOf(world).get('alice')).toEqual({
      jobs: 1,
      firesPerHour: 1,
      payloadBytes: 50,
      liveRuns: 0,
    });
  });

  it('count payloads in bytes', async () => {
    const world = bounded({ payloadBytes: 100 });
    expect((await world.create({ jobId: 'a', payload: 'x'.repeat(50) })).status).toBe(201);
    expect((await world.create({ jobId: 'b', payload: 'x'.repeat(50) })).status).toBe(429);
    expect((await world.patch('a', { payload: 'ü'.repeat(50) })).status).toBe(429);
    expect((await world.patch('a', { payload: null })).status).toBe(200);
    expect((await world.create({ jobId: 'b', payload: 'x'.repeat(50) })).status).toBe(201);
  });

  it('hardly ever write, and read once a minute, while the usage is far below', async () => {
    const world = bounded({ jobs: 1_000_000, firesPerMinute: 1_000_000 });
    await world.create({ jobId: 'first', schedule: inAnHour });
    const seen: string[] = [];
    world.dynamo.faults = {
      before: ({ input }) => {
        if (JSON.stringify(input).includes('#usage')) seen.push('usage');
      },
    };
    for (let index = 0; index < 50; index++)
      expect((await world.create({ jobId: `job-${index}`, schedule: inAnHour })).status).toBe(201);
    expect(seen).toEqual([]);
  });

  it.each([1, 2, 3])(
    'are exceeded by less than 5 %% by fifty concurrent processes (seed %i)',
    async (seed) => {
      const random = new FakeRandom(seed);
      const { dynamo, clock, tables } = new ApiWorld();
      const usage = dynamoUsageStore({ documents: dynamo, table: 'Jobs', clock, random });
      const limits = { ...ROOMY, jobs: 10_000 };
      const processes = Array.from({ length: 50 }, () => quotas(limits, { usage, clock }));
      const writes = tables.units().writeUnits;
      let admitted = 0;
      for (let refused = 0; refused < 200;) {
        const one = random.pick(processes);
        clock.stepWall(10);
        await one.charge('alice', { ...NO_USAGE, jobs: 1 }).then(
          () => (admitted += 1),
          () => (refused += 1),
        );
      }
      expect(admitted).toBeGreaterThanOrEqual(10_000);
      expect(admitted).toBeLessThanOrEqual(10_500);
      expect(tables.units().writeUnits - writes).toBeLessThan(0.4 * admitted);
    },
  );
});

const bodyOf = (schedule: object) => ({
  schedule,
  target: { type: 'http', url: 'https://example.com/hook' },
});
