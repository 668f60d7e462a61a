import { jobKeyOf, minuteOf } from '../../../lambdas/core/contracts/tables';
import type { Job } from '../../../lambdas/core/domain/job';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** A lease is stale after 40 s, its recheck comes 20 s later, and sweeps are 10 s apart. */
const WITHIN_MS = 2 * MINUTE_MS;
const ONCE = { retry: { maxAttempts: 1, initialDelay: '1s', maxDelay: '1s', multiplier: 1, maxAge: '24h' } };

const idle = (world: PipelineWorld, jobId: string, overrides: Partial<Job> = {}) =>
  world.create(newJobAt(world, { jobId, schedule: { type: 'none' }, ...ONCE, ...overrides }));

const waiter = (
  world: PipelineWorld,
  jobId: string,
  jobs: string[],
  on?: 'succeeded' | 'failed' | 'done',
  overrides: Partial<Job> = {},
) => idle(world, jobId, { schedule: { type: 'after', jobs, ...(on && { on }) }, ...overrides });

const rows = (world: PipelineWorld, jobId: string) => world.executions({ userId: 'alice', jobId });
const statuses = (world: PipelineWorld, jobId: string) => rows(world, jobId).map(({ status }) => status);

async function started(plays: Record<string, 'fails'> = {}) {
  const world = await PipelineWorld.started();
  let jobId = '';
  world.observe = ({ headers }) => {
    jobId = headers['quarterjack-job']!;
  };
  world.behaviour = async (_, signal, clock) => {
    const fails = plays[jobId] === 'fails';
    await clock.sleep(2 * SECOND_MS, signal);
    return fails ? { outcome: 'fatal', statusCode: 400 } : { outcome: 'succeeded', statusCode: 200 };
  };
  return world;
}

test('each job in a row starts once, when the one before it has succeeded', async () => {
  const world = await started();
  await idle(world, 'ingest');
  await waiter(world, 'clean', ['ingest']);
  await waiter(world, 'report', ['clean']);
  await world.api('runJob', { jobId: 'ingest' });
  await world.run(MINUTE_MS);
  const [ingest] = rows(world, 'ingest');
  const [clean, ...others] = rows(world, 'clean');
  expect(others).toEqual([]);
  expect(clean).toMatchObject({
    trigger: 'after',
    status: 'succeeded',
    cause: { type: 'after', jobId: 'ingest', execId: ingest!.execId, status: 'succeeded' },
    dueAtMs: ingest!.finishedAtMs,
    deliveryDepth: 1,
  });
  expect(clean!.latenessMs).toBeLessThan(SECOND_MS);
  expect(rows(world, 'report')).toMatchObject([{ status: 'succeeded', deliveryDepth: 2 }]);
  const { runs } = (await world.deps.usage.getWithRates('alice', minuteOf(world.clock.nowMs() - MINUTE_MS)))
    .rates;
  expect(runs).toBe(2);
  const shown = await world.api('getExecution', { jobId: 'clean', execId: clean!.execId });
  expect(shown.body).toMatchObject({
    trigger: 'after',
    cause: { type: 'after', jobId: 'ingest', execId: ingest!.execId, status: 'succeeded' },
  });
  expect(world.errors()).toEqual([]);
});

test('each kind of end starts those that wait for it', async () => {
  const world = await started({ broken: 'fails' });
  await idle(world, 'broken');
  await idle(world, 'fine');
  for (const on of ['succeeded', 'failed', 'done'] as const)
    await waiter(world, `on-${on}`, ['broken', 'fine'], on);
  await world.api('runJob', { jobId: 'broken' });
  await world.api('runJob', { jobId: 'fine' });
  await world.run(MINUTE_MS);
  const causes = (jobId: string) =>
    rows(world, jobId).map(({ cause }) =>
      cause?.type === 'after' ? [cause.jobId, cause.status].join(' ') : '',
    );
  expect(causes('on-succeeded')).toEqual(['fine succeeded']);
  expect(causes('on-failed')).toEqual(['broken failed']);
  expect(causes('on-done').sort()).toEqual(['broken failed', 'fine succeeded']);
});

test('what never ran starts nothing', async () => {
  const world = await started();
  await idle(world, 'ingest', { schedule: { type: 'delay', delay: '10m' } });
  await waiter(world, 'clean', ['ingest'], 'done');
  await world.api('pauseJob', { jobId: 'ingest' });
  await world.run(11 * MINUTE_MS);
  await world.api('resumeJob', { jobId: 'ingest' });
  const run = await world.api('runJob', { jobId: 'ingest' });
  const { execId } = run.body as { execId: string };
  await world.api('cancelExecution', { jobId: 'ingest', execId });
  await world.run(MINUTE_MS);
  expect(statuses(world, 'ingest')).toEqual(['skipped', 'cancelled']);
  expect(rows(world, 'clean')).toEqual([]);
});

test('a paused waiter records the end as skipped, and its user can run it later', async () => {
  const world = await started();
  await idle(world, 'ingest');
  await waiter(world, 'clean', ['ingest']);
  await world.api('pauseJob', { jobId: 'clean' });
  await world.api('runJob', { jobId: 'ingest' });
  await world.run(MINUTE_MS);
  expect(rows(world, 'clean')).toMatchObject([{ status: 'skipped', reason: 'paused', trigger: 'after' }]);
  await world.api('resumeJob', { jobId: 'clean' });
  const { execId } = rows(world, 'clean')[0]!;
  expect((await world.api('retryExecution', { jobId: 'clean', execId })).status).toBe(202);
  await world.run(MINUTE_MS);
  expect(statuses(world, 'clean')).toEqual(['succeeded']);
});

test('a change of the waiter holds at once, also for a run that has not begun', async () => {
  const world = await started();
  await idle(world, 'ingest');
  await waiter(world, 'clean', ['ingest']);
  world.on.executor = true;
  await world.api('runJob', { jobId: 'ingest' });
  await world.run(2 * SECOND_MS);
  world.on.executor = false;
  await world.run(2 * SECOND_MS);
  expect(statuses(world, 'clean')).toEqual(['queued']);
  await world.api('patchJob', { jobId: 'clean' }, { schedule: { type: 'none' } });
  world.on.executor = true;
  await world.run(MINUTE_MS);
  expect(rows(world, 'clean')).toMatchObject([{ status: 'skipped', reason: 'superseded' }]);
  expect(world.calls).toHaveLength(1);
});

test('a user retry of the upstream has an end of its own', async () => {
  const world = await started({ ingest: 'fails' });
  await idle(world, 'ingest');
  await waiter(world, 'clean', ['ingest'], 'done');
  await world.api('runJob', { jobId: 'ingest' });
  await world.run(MINUTE_MS);
  const { execId } = rows(world, 'ingest')[0]!;
  await world.api('retryExecution', { jobId: 'ingest', execId });
  await world.run(MINUTE_MS);
  expect(rows(world, 'clean').map(({ cause }) => cause)).toMatchObject([
    { execId },
    { execId, userRetries: 1 },
  ]);
  expect(world.calls).toHaveLength(4);
});

const isWrite = ({ command }: Call): boolean => /^(Put|Update|Delete|BatchWrite)/.test(command);

test('whatever write the executor dies after, each waiter starts once', async () => {
  let deaths = 0;
  for (let fatal = 1; ; fatal++) {
    const world = await started();
    await idle(world, 'ingest', { retry: { ...ONCE.retry, maxAttempts: 3 } });
    await waiter(world, 'clean', ['ingest']);
    await waiter(world, 'report', ['ingest'], 'done');
    let writes = 0;
    let isDead = false;
    world.onExecutorCall = (call, kill) => {
      if (isDead || !isWrite(call) || ++writes < fatal) return;
      isDead = true;
      kill();
    };
    await world.api('runJob', { jobId: 'ingest' });
    await world.run(2 * WITHIN_MS);
    for (const jobId of ['ingest', 'clean', 'report']) expect(statuses(world, jobId)).toEqual(['succeeded']);
    if (!isDead) break;
    deaths += 1;
  }
  expect(deaths).toBeGreaterThan(8);
});

test('a circle that two saves closed at once ends by the delivery depth, with a record', async () => {
  const world = await started();
  await idle(world, 'a');
  await waiter(world, 'b', ['a']);
  const row = (await world.deps.jobs.get({ userId: 'alice', jobId: 'a' }))!;
  // As a save writes it that has not seen the other one.
  const use = { userId: 'alice', jobId: 'a', kind: 'job', name: 'b', atMs: world.clock.nowMs() } as const;
  await world.deps.uses.put([use]);
  await world.deps.jobs.setAwaited({ userId: 'alice', jobId: 'b' }, world.clock.nowMs());
  await world.deps.jobs.replace({ ...row, schedule: { type: 'after', jobs: ['b'] } }, row.etag);
  await world.api('runJob', { jobId: 'a' });
  await world.run(5 * MINUTE_MS);
  expect(world.calls).toHaveLength(11);
  const all = [...rows(world, 'a'), ...rows(world, 'b')];
  expect(all.filter(({ reason }) => reason === 'delivery-depth')).toMatchObject([
    { status: 'skipped', deliveryDepth: 11 },
  ]);
});

test('the auditor marks an upstream job that was created again, and unmarks one that has no waiter', async () => {
  const world = await started();
  await idle(world, 'ingest');
  await waiter(world, 'clean', ['ingest']);
  await world.api('deleteJob', { jobId: 'ingest' });
  await idle(world, 'ingest');
  const awaited = async () => (await world.deps.jobs.get({ userId: 'alice', jobId: 'ingest' }))!.awaitedAtMs;
  expect(await awaited()).toBeUndefined();
  await world.audit();
  expect(await awaited()).toBeDefined();
  await world.api('deleteJob', { jobId: 'clean' });
  await world.run(11 * MINUTE_MS);
  await world.audit();
  await world.audit();
  expect(await awaited()).toBeUndefined();
  const { jobs } = await world.deps.jobs.getMany([jobKeyOf({ userId: 'alice', jobId: 'ingest' })], {
    consistent: true,
  });
  expect(jobs.size).toBe(1);
});
