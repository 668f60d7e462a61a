import { type Usage, NO_USAGE } from '../../../lambdas/core/quotas/usage';
import { throttled } from '../../support/dynamo/errors';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { noQuotas } from '../../support/no-quotas';
import { PipelineWorld } from '../../support/pipeline-world';

const quotaLimits = { ...noQuotas.quotaLimits, jobs: 100, firesPerMinute: 100, payloadBytes: 1_000 };
const long = { remainingMs: () => 300_000 };

async function counted() {
  const world = await PipelineWorld.started(1);
  const { usage } = world.deps;
  const audit = (left = long) => world.audit(quotaLimits, left);
  const create = (userId: string, jobId: string, overrides: Parameters<typeof newJobAt>[1] = {}) =>
    world.create(newJobAt(world, { userId, jobId, payload: 'x'.repeat(18), ...overrides }));
  const of = (userId: string): Promise<Usage> => usage.get(userId, { consistent: true });
  return { world, usage, audit, create, of };
}

const schedule = { type: 'at' as const, at: new Date(T0_MS + 90_000).toISOString() };

test('the auditor counts jobs with a future occurrence, their fires by schedule, and their payloads', async () => {
  const { audit, create, of } = await counted();
  for (let index = 0; index < 3; index++) await create('alice', `job-${index}`);
  await create('alice', 'paused', { status: 'paused', pausedAtMs: T0_MS });
  await create('bob', 'often', { schedule: { type: 'interval', every: '1s' } });
  await audit();
  expect(await of('alice')).toEqual({ jobs: 4, firesPerHour: 180, payloadBytes: 80, liveRuns: 0 });
  expect(await of('bob')).toEqual({ jobs: 1, firesPerHour: 3_600, payloadBytes: 20, liveRuns: 0 });
});

test('one-time jobs that have fired no longer count, and neither do deleted jobs', async () => {
  const { world, audit, create, of } = await counted();
  for (let index = 0; index < 5; index++) await create('alice', `job-${index}`, { schedule });
  await audit();
  expect(await of('alice')).toEqual({ jobs: 5, firesPerHour: 5, payloadBytes: 100, liveRuns: 0 });
  await world.run(120_000);
  await audit();
  expect(await of('alice')).toEqual(NO_USAGE);
  await create('bob', 'only');
  await audit();
  await world.deps.jobs.remove({ userId: 'bob', jobId: 'only' });
  await audit();
  expect(await of('bob')).toEqual(NO_USAGE);
});

test('a job created while the auditor counts is not lost, and a correct count is not written', async () => {
  const { world, usage, audit, create, of } = await counted();
  for (let index = 0; index < 5; index++) await create('alice', `job-${index}`);
  let scans = 0;
  world.dynamo.faults = {
    after: async ({ command }) => {
      if (command === 'ScanCommand' && ++scans === 1) await usage.add('alice', { ...NO_USAGE, jobs: 7 });
    },
  };
  await audit();
  expect((await of('alice')).jobs).toBe(12);
  world.dynamo.faults = {};
  await audit();
  expect((await of('alice')).jobs).toBe(5);
  const writes = world.tables.units('jobs').writeUnits;
  await audit();
  expect(world.tables.units('jobs').writeUnits).toBe(writes);
});

test('a slice that outlasts its invocation continues where it stopped, and corrects no user twice', async () => {
  const { world, audit, create, of } = await counted();
  for (const userId of ['alice', 'bob', 'carol'])
    for (let index = 0; index < 20; index++) await create(userId, `job-${index}`);
  const jobs: number[] = [];
  for (let complete = false; !complete;) {
    let calls = 0;
    const result = await audit({ remainingMs: () => (calls++ < 8 ? 300_000 : 9_000) });
    ({ complete } = result);
    jobs.push(result.jobs);
    await world.run(10_000);
  }
  expect(jobs.length).toBeGreaterThan(5);
  expect(jobs.reduce((sum, count) => sum + count, 0)).toBe(60);
  for (const userId of ['alice', 'bob', 'carol']) expect((await of(userId)).jobs).toBe(20);
});

test('a corrected user is not corrected again if the rest of the slice cannot be read', async () => {
  const { world, audit, create, of } = await counted();
  for (let index = 0; index < 120; index++) await create('alice', `job-${index}`);
  for (const jobId of ['a', 'b', 'c']) await create('bob', jobId);
  let calls = 0;
  await audit({ remainingMs: () => (calls++ === 0 ? 300_000 : 15_000) }); // one slice: most of alice's jobs
  world.dynamo.faults = {
    before: ({ command, input }) => {
      if (command === 'QueryCommand' && JSON.stringify(input).includes('bob/b')) throw throttled();
    },
  };
  await expect(audit()).rejects.toThrow();
  expect((await of('alice')).jobs).toBe(120);
  world.dynamo.faults = {};
  expect((await audit()).complete).toBe(true);
  expect((await of('alice')).jobs).toBe(120);
  expect((await of('bob')).jobs).toBe(3);
});

test('a user whose jobs take several slices is counted over all of them', async () => {
  const { audit, create, of } = await counted();
  for (let index = 0; index < 250; index++) await create('alice', `job-${String(index).padStart(3, '0')}`);
  await create('zoe', 'only');
  let slices = 0;
  for (let complete = false; !complete; slices++) {
    let calls = 0;
    ({ complete } = await audit({ remainingMs: () => (calls++ === 0 ? 300_000 : 0) }));
  }
  expect(slices).toBeGreaterThanOrEqual(3);
  expect((await of('alice')).jobs).toBe(250);
  expect((await of('zoe')).jobs).toBe(1);
});
