import { DAY_MS, HOUR_MS } from '../../../lambdas/core/clock/clock';
import { aJob, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });
const target = { type: 'http', url: 'https://example.com/hook' };

test('paused at :55 and resumed at :57: fires on the hour, and the missed occurrences count as paused', async () => {
  const world = await PipelineWorld.started(1);
  const body = { jobId: 'hourly', schedule: { type: 'cron', expression: '*/1 * * * *' }, target };
  expect((await world.api('createJob', {}, body)).status).toBe(201);
  await world.run(25 * MINUTE_MS + 30_000); // 08:55:30
  await world.api('pauseJob', { jobId: 'hourly' });
  const pausedAtMs = world.clock.nowMs();
  await world.run(2 * MINUTE_MS);
  await world.api('resumeJob', { jobId: 'hourly' });
  await world.run(5 * MINUTE_MS);
  const rows = world.executions({ userId: 'alice', jobId: 'hourly' });
  const called = world.calls
    .filter(({ atMs }) => atMs > pausedAtMs)
    .map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS);
  expect(called).toEqual([28, 29, 30, 31, 32]);
  const skipped = rows.filter(({ status }) => status === 'skipped');
  expect(skipped.every(({ reason }) => reason === 'paused')).toBe(true);
  expect(skipped.reduce((sum, { skipped: range }) => sum + (range?.count ?? 1), 0)).toBe(2);
});

test('a pause that succeeds between the claim and the read of the job takes effect', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 2 * MINUTE_MS) }));
  world.dynamo.faults = {
    after: async ({ input }) => {
      if (!String(input.UpdateExpression).includes('#claimId = :claimId')) return;
      world.dynamo.faults = {};
      expect((await world.api('pauseJob', { jobId: job.jobId })).status).toBe(200);
    },
  };
  await world.run(4 * MINUTE_MS);
  expect(world.calls).toEqual([]);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'skipped', reason: 'paused' })]);
});

test('a change, a pause and a resume neither fire a job nor move its due times', async () => {
  const world = await PipelineWorld.started(1);
  const schedule = { type: 'interval', every: '10m' };
  expect((await world.api('createJob', {}, { jobId: 'steady', schedule, target })).status).toBe(201);
  const params = { jobId: 'steady' };
  await world.run(3 * MINUTE_MS);
  await world.api('patchJob', params, { name: 'renamed', payload: { new: true } });
  await world.api('pauseJob', params);
  await world.run(MINUTE_MS);
  await world.api('resumeJob', params);
  expect(world.calls).toEqual([]);
  await world.run(20 * MINUTE_MS);
  expect(world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS)).toEqual([10, 20]);
});

test('occurrences missed during a pause are one record, including those with messages in flight', async () => {
  const world = await PipelineWorld.started(1);
  const anchor = new Date(T0_MS).toISOString();
  const schedule = { type: 'interval', every: '1s', anchor };
  expect((await world.api('createJob', {}, { jobId: 'busy', schedule, target })).status).toBe(201);
  await world.run(2 * MINUTE_MS);
  await world.api('pauseJob', { jobId: 'busy' });
  await world.run(10 * MINUTE_MS);
  await world.api('resumeJob', { jobId: 'busy' });
  const { body } = await world.api('listExecutions', { jobId: 'busy' });
  const { items } = body as {
    items: { status: string; reason: string; skipped: { count: number } | null }[];
  };
  const skipped = items.filter(({ status }) => status === 'skipped');
  expect(skipped).toEqual([expect.objectContaining({ reason: 'paused' })]);
  expect(skipped[0]!.skipped!.count).toBe(600);
  expect(items.filter(({ status }) => status === 'succeeded').length).toBeGreaterThan(10);
});

test('the record of a pause that is longer than the retention goes back no further', async () => {
  const world = await PipelineWorld.started(1, 3);
  const longAgoMs = T0_MS - 5 * DAY_MS;
  const job = await world.create(
    aJob({
      jobId: 'idle',
      schedule: { type: 'interval', every: '1h', anchor: new Date(longAgoMs).toISOString() },
      createdAtMs: longAgoMs,
      activeSinceMs: longAgoMs,
      scheduleChangedAtMs: longAgoMs,
      status: 'paused',
      pausedAtMs: longAgoMs + 1,
    }),
  );
  const { body } = await world.api('listExecutions', { jobId: 'idle' });
  await world.api('resumeJob', { jobId: 'idle' });
  const [record, ...others] = world.executions(job);
  expect(others).toEqual([]);
  expect(record).toMatchObject({ status: 'skipped', reason: 'paused' });
  // An executor claims nothing older, so what TTL may have removed is not recorded a second time.
  const oldestMs = world.clock.nowMs() - 2 * DAY_MS;
  expect(record!.skipped!.fromMs).toBeGreaterThanOrEqual(oldestMs);
  expect(record!.skipped!.fromMs).toBeLessThanOrEqual(oldestMs + HOUR_MS);
  const { items } = body as { items: { execId: string; skipped: { count: number } }[] };
  expect(items).toEqual([expect.objectContaining({ execId: record!.execId })]);
  expect(items[0]!.skipped.count).toBe(record!.skipped!.count);
});
