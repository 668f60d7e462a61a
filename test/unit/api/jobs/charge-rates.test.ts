import { quotas } from '../../../../lambdas/api/jobs/charge-quotas';
import { rateQuotas } from '../../../../lambdas/api/jobs/charge-rates';
import type { QuotaLimits } from '../../../../lambdas/core/contracts/quotas';
import { dynamoUsageStore } from '../../../../lambdas/core/store/dynamo/dynamo-usage-store';
import { noQuotas } from '../../../support/no-quotas';
import { ApiWorld } from '../world';

const usageOf = ({ dynamo, clock, random }: ApiWorld) =>
  dynamoUsageStore({ documents: dynamo, table: 'Jobs', clock, random });

/** The API of a deployment with these quotas. */
function bounded(limits: Partial<QuotaLimits>): ApiWorld {
  const world = new ApiWorld();
  const quotaLimits = { ...noQuotas.quotaLimits, ...limits };
  Object.assign(world.deps, { quotas: quotas(quotaLimits, { usage: usageOf(world), clock: world.clock }) });
  return world;
}

/** Statuses of so many calls, one after the other. */
async function statuses(count: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await call()).status);
  return found;
}

describe('quotas of a minute', () => {
  it('reject requests with 429 until the next minute, of one user alone', async () => {
    const world = bounded({ requestsPerMinute: 3 });
    const list = (user?: string) => world.call('GET /v1/jobs', {}, undefined, { user });
    await world.clock.advance(20_000 - (world.clock.nowMs() % 60_000));
    expect(await statuses(3, list)).toEqual([200, 200, 200]);
    expect(await list()).toMatchObject({
      status: 429,
      headers: { 'retry-after': '40', 'content-type': 'application/problem+json' },
      body: {
        type: '/v1/problems/quota-exceeded',
        detail: expect.stringContaining('the quota requestsPerMinute is 3'),
      },
    });
    expect((await list('bob')).status).toBe(200);
    expect((await world.call('GET /v1/admin/status')).status).toBe(200);
    await world.clock.advance(40_000);
    expect((await list()).status).toBe(200);
  });

  it('reject changes that plan anew, and no others', async () => {
    const world = bounded({ changesPerMinute: 3 });
    await world.create({ jobId: 'a' });
    expect(await statuses(2, () => world.post('a', 'pause'))).toEqual([200, 200]);
    expect((await world.post('a', 'resume')).status).toBe(200);
    expect((await world.patch('a', { name: 'nightly' })).status).toBe(200);
    expect((await world.patch('a', { schedule: { expression: '1 9 * * *' } })).status).toBe(200);
    expect((await world.patch('a', { schedule: { expression: '2 9 * * *' } })).status).toBe(429);
    expect((await world.create({ jobId: 'b' })).status).toBe(429);
    expect((await world.post('a', 'pause')).status).toBe(200);
    expect((await world.remove('a')).status).toBe(204);
  });

  it('reject changes of what a job is to do in time', async () => {
    const world = bounded({ changesPerMinute: 3 });
    await world.create({ jobId: 'a', expectEvery: '24h' });
    const expecting = async (expectEvery: string | null) => {
      await world.clock.advance(1_000);
      return (await world.patch('a', { expectEvery })).status;
    };
    expect([await expecting('25h'), await expecting('26h'), await expecting('27h')]).toEqual([200, 200, 429]);
    expect(await expecting(null)).toBe(200);
  });

  it('reject manual runs and retries, but no replay', async () => {
    const world = bounded({ runsPerMinute: 2 });
    await world.create({ jobId: 'a' });
    const keyed = { headers: { 'Idempotency-Key': 'once' } };
    expect((await world.post('a', 'run', {}, keyed)).status).toBe(202);
    expect((await world.post('a', 'run')).status).toBe(202);
    expect((await world.post('a', 'run')).status).toBe(429);
    expect((await world.post('a', 'run', {}, keyed)).status).toBe(202);
  });

  it('are shared by all processes, within a hundredth for each', async () => {
    const world = new ApiWorld();
    const limits = { ...noQuotas.quotaLimits, runsPerMinute: 1_000 };
    const deps = { usage: usageOf(world), clock: world.clock };
    const processes = Array.from({ length: 20 }, () => rateQuotas(limits, deps));
    const before = world.tables.units().writeUnits;
    let admitted = 0;
    for (let index = 0; index < 3_000; index++)
      await processes[index % 20]!('alice', 'runs').then(
        () => admitted++,
        () => undefined,
      );
    expect(admitted).toBeGreaterThanOrEqual(1_000);
    expect(admitted).toBeLessThanOrEqual(1_000 + 20 * 10);
    expect(world.tables.units().writeUnits - before).toBeLessThan(200);
  });
});
