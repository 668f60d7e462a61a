import type { ProblemView } from '../../../lambdas/core/http/openapi/answers';
import { NO_USAGE } from '../../../lambdas/core/quotas/usage';
import { noQuotas } from '../../support/no-quotas';
import { WorkflowWorld } from '../../support/workflow-world';

const MINUTE_MS = 60_000;
const LIMIT = 2;
const SLOW = { workMs: MINUTE_MS };
const TASK = { target: { type: 'http', url: 'https://example.com/hook' } };

const started = async () => {
  const flow = await WorkflowWorld.started({ liveRuns: LIMIT });
  flow.behave.a = SLOW;
  await flow.save({ a: {} });
  return flow;
};

const liveRuns = async ({ world }: WorkflowWorld) =>
  (await world.deps.usage.get('alice', { consistent: true })).liveRuns;

test('a run above the quota is refused, a plain job is not, and the next run after an end starts', async () => {
  const flow = await started();
  const { world } = flow;
  for (let run = 0; run < LIMIT; run++) await flow.run();
  await world.run(2_000);
  expect(await liveRuns(flow)).toBe(LIMIT);
  const usage = await world.api('getUsage');
  expect(usage.body).toMatchObject({ liveRuns: { used: LIMIT } });

  const refused = await world.api('runJob', { jobId: flow.jobId });
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '30' } });
  expect((refused.body as ProblemView).detail).toMatch(/^the quota liveRuns is .*: there is room for 0 more/);
  await world.api('putJob', { jobId: 'plain' }, { schedule: { type: 'none' }, ...TASK });
  expect((await world.api('runJob', { jobId: 'plain' })).status).toBe(202);

  await world.run(2 * MINUTE_MS);
  expect(await liveRuns(flow)).toBe(0);
  expect((await world.api('runJob', { jobId: flow.jobId })).status).toBe(202);
});

test('an event is refused as a whole, and the end of a job records the run that has no room', async () => {
  const flow = await started();
  const { world } = flow;
  const workflow = { tasks: { b: TASK } };
  const start = (jobId: string, schedule: object) => world.api('putJob', { jobId }, { schedule, workflow });
  await world.api('putJob', { jobId: 'plain' }, { schedule: { type: 'none' }, ...TASK });
  await start('after-plain', { type: 'after', jobs: ['plain'] });
  await start('on-event', { type: 'event', name: 'paid' });
  for (let run = 0; run < LIMIT; run++) await flow.run();
  await world.run(2_000);

  const event = await world.api('sendEvent', {}, { name: 'paid' });
  expect(event.status).toBe(429);
  expect(world.executions({ userId: 'alice', jobId: 'on-event' })).toEqual([]);
  await world.api('runJob', { jobId: 'plain' });
  await world.run(5_000);
  const [skipped, ...others] = world.executions({ userId: 'alice', jobId: 'after-plain' });
  expect(skipped).toMatchObject({ status: 'skipped', reason: 'live-runs', trigger: 'after' });
  expect(others).toEqual([]);
});

test('the schedule starts runs above the quota, and they count', async () => {
  const flow = await started();
  const every = { schedule: { type: 'interval', every: '10s' } };
  await flow.save({ a: {} }, every);
  await flow.world.run(45_000);
  expect(await liveRuns(flow)).toBeGreaterThan(LIMIT);
});

test('neither a backfill nor the run of a date behind counts as live, for the auditor either', async () => {
  const flow = await started();
  const { world } = flow;
  await flow.save({ a: {} }, { schedule: { type: 'cron', expression: '0 2 * * *' } });
  const range = { from: '2019-03-01T00:00:00Z', to: '2019-03-03T00:00:00Z' };
  const { body } = await world.api('startBackfill', { jobId: flow.jobId }, range);
  await world.run(20_000);
  const { execId } = body as { execId: string };
  expect((await world.api('getBackfill', { jobId: flow.jobId, execId })).body).toMatchObject({
    items: { running: 1, waiting: 1 },
  });
  expect(await liveRuns(flow)).toBe(0);
  await world.audit({ ...noQuotas.quotaLimits, liveRuns: LIMIT });
  expect(await liveRuns(flow)).toBe(0);
  await world.run(5 * MINUTE_MS);
  expect(await liveRuns(flow)).toBe(0);
});

test('the auditor corrects a count that a crash has left wrong', async () => {
  const flow = await started();
  const { world } = flow;
  await flow.run();
  await world.run(2_000);
  const limits = { ...noQuotas.quotaLimits, liveRuns: LIMIT };
  for (const lost of [7, -9]) {
    await world.deps.usage.add('alice', { ...NO_USAGE, liveRuns: lost });
    await world.audit(limits);
    expect(await liveRuns(flow)).toBe(1);
  }
});
