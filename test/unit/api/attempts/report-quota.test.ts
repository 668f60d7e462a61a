import { quotas } from '../../../../lambdas/api/jobs/charge-quotas';
import { minuteOf } from '../../../../lambdas/core/contracts/tables';
import { sealAttemptToken } from '../../../../lambdas/core/delivery/attempt-token';
import { noQuotas } from '../../../support/no-quotas';
import { type Answered, ApiWorld } from '../world';

const HEARTBEAT = 'POST /v1/attempts/heartbeat';
const REPORTS = [
  HEARTBEAT,
  'POST /v1/attempts/complete',
  'POST /v1/attempts/fail',
  'POST /v1/work/release',
  'POST /v1/attempts/log',
] as const;

/** A running attempt of the project `alice`, in a deployment with this quota, 20 s into a minute. */
async function running(reportsPerMinute: number) {
  const world = new ApiWorld();
  const { usage } = world.deps;
  const limits = { ...noQuotas.quotaLimits, reportsPerMinute };
  Object.assign(world.deps, { quotas: quotas(limits, { usage, clock: world.clock }) });
  await world.clock.advance(20_000);
  await world.create({ jobId: 'a' });
  const { execId } = (await world.post('a', 'run')).body;
  await world.claim('a', execId, 'manual');
  const lease = { jobKey: world.jobKey('a'), execId, claimId: 'claim-1', fence: 1, attempt: 1 };
  const token = sealAttemptToken(lease, await world.deps.secret.get());
  const report = (routeKey: string, body: object = {}, given = token): Promise<Answered> =>
    world.call(routeKey, {}, body, { headers: { authorization: `Bearer ${given}` } });
  const row = () => world.deps.executions.get(lease);
  return { world, report, row, lease };
}

const BODIES: Readonly<Record<string, object>> = {
  'POST /v1/attempts/fail': { error: 'e', retriable: true },
};

describe('the quota reportsPerMinute', () => {
  it.each(REPORTS)('refuses %s above it until the next minute, and changes nothing', async (routeKey) => {
    const { world, report, row } = await running(3);
    for (let times = 0; times < 3; times++) expect((await report(HEARTBEAT)).status).toBe(200);
    const before = await row();
    const units = world.tables.units().writeUnits;
    await world.clock.advance(1_000);
    expect(await report(routeKey, BODIES[routeKey])).toMatchObject({
      status: 429,
      headers: { 'retry-after': '39' },
      body: {
        type: '/v1/problems/quota-exceeded',
        detail: expect.stringContaining('the quota reportsPerMinute is 3'),
      },
    });
    expect(await row()).toEqual(before);
    expect(world.tables.units().writeUnits).toBe(units);
    await world.clock.advance(39_000);
    expect((await report('POST /v1/attempts/complete')).body).toEqual({ status: 'succeeded' });
  });

  it('counts no token that this deployment did not make', async () => {
    const { report } = await running(1);
    for (let times = 0; times < 5; times++) {
      expect((await report(HEARTBEAT, {}, 'forged')).status).toBe(401);
      const other = sealAttemptToken(
        { jobKey: 'alice/a', execId: '20261201T083000.000Z', claimId: 'c', fence: 1, attempt: 1 },
        Buffer.from('the secret of another deployment'),
      );
      expect((await report(HEARTBEAT, {}, other)).status).toBe(401);
    }
    expect((await report(HEARTBEAT)).status).toBe(200);
  });

  it('is of one project, and takes nothing of its quota of requests', async () => {
    const { world, report, lease } = await running(2);
    expect((await report(HEARTBEAT)).status).toBe(200);
    expect((await report(HEARTBEAT)).status).toBe(200);
    expect((await report(HEARTBEAT)).status).toBe(429);
    const ofBob = sealAttemptToken(
      { ...lease, jobKey: world.jobKey('a', 'bob') },
      await world.deps.secret.get(),
    );
    expect((await report(HEARTBEAT, {}, ofBob)).status).toBe(409);
    expect((await world.get('a')).status).toBe(200);
  });

  it('costs no write far below it, and is shown with the usage', async () => {
    const { world, report } = await running(1_000);
    const units = world.tables.units().writeUnits;
    for (let times = 0; times < 9; times++) await report(HEARTBEAT);
    expect(world.tables.units().writeUnits - units).toBe(9); // the heartbeats
    await report(HEARTBEAT);
    expect(world.tables.units().writeUnits - units).toBe(10 + 2); // the first step of the minute
    expect((await world.call('GET /v1/usage')).body.reportsPerMinute).toMatchObject({ used: 10 });
  });

  it('counts on in a minute that the version before an update has begun', async () => {
    const { world } = await running(100);
    const minute = minuteOf(world.clock.nowMs());
    const rows = { userId: 'alice', jobId: '#usage', expiresAtSec: 2_000_000_000 };
    const begun = { ...rows, rateMinute: minute, requests: 1, changes: 1, runs: 1 };
    world.tables.apply('PutCommand', { TableName: 'Jobs', Item: begun }, () => false);
    const rates = { requests: 1, changes: 0, runs: 0, reports: 7 };
    expect(await world.deps.usage.addRates('alice', minute, rates)).toEqual({
      requests: 2,
      changes: 1,
      runs: 1,
      reports: 7,
    });
  });
});
