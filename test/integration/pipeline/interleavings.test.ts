import { jobKeyOf, minuteOf } from '../../../lambdas/core/contracts/tables';
import { firstEntry, scheduleOf } from '../../../lambdas/core/domain/entry-planning';
import type { Job } from '../../../lambdas/core/domain/job';
import { shardOf } from '../../../lambdas/core/domain/shard';
import { sweepShards } from '../../../lambdas/sweeper/sweep-shards';
import { aMessage, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });
const target = { type: 'http', url: 'https://example.com/hook' };
const entryOf = (world: PipelineWorld, job: Job, shard = 0) =>
  firstEntry(job, scheduleOf(job), shard, world.clock.nowMs())!;

test('a one-minute job created when its first buckets are already dispatched keeps firing', async () => {
  const world = await PipelineWorld.started(1);
  await world.run(2 * MINUTE_MS + 30_000);
  const [cursor] = (await world.deps.schedule.readCursors('scan', [0])).values();
  const job = await world.create(newJobAt(world, {}));
  expect(cursor!.minute).toBeGreaterThan(minuteOf(world.clock.nowMs()) + 2);
  await world.run(12 * MINUTE_MS);
  const dues = world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS);
  expect(dues).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  expect(world.executions(job).every(({ status }) => status === 'succeeded')).toBe(true);
});

test('three buckets of one shard owed at once are done in order', async () => {
  const world = await PipelineWorld.started(1);
  for (const minutes of [8, 7, 6]) {
    await world.create(
      newJobAt(world, { jobId: `due-${minutes}`, schedule: at(T0_MS + minutes * MINUTE_MS) }),
    );
  }
  Object.assign(world.on, { tick: false, sweep: false });
  await world.run(9 * MINUTE_MS);
  expect(world.calls).toEqual([]);
  Object.assign(world.on, { tick: true, sweep: true });
  await world.run(2 * MINUTE_MS);
  expect(world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS)).toEqual([6, 7, 8]);
});

test('an entry seen before its job exists is left to its second look', async () => {
  const world = await PipelineWorld.started(1);
  const job = newJobAt(world, { schedule: at(T0_MS + 6 * MINUTE_MS) });
  await world.deps.schedule.putEntries([entryOf(world, job)]);
  await world.run(4 * MINUTE_MS); // the scanner has passed its bucket
  await world.deps.jobs.create(job);
  await world.run(4 * MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.calls[0]!.atMs - world.calls[0]!.dueAtMs).toBeLessThan(35_000);
});

test('keys that a batch read did not get to are no answer: nothing is settled by them', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 7 * MINUTE_MS) }));
  let left = 40;
  world.dynamo.faults = { leaves: (table) => table === 'jobs' && left-- > 0 };
  await world.run(9 * MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.calls).toHaveLength(1);
});

test('two racing changes of the schedule: the loser never fires', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 30 * MINUTE_MS) }));
  const patch = (minutes: number) =>
    world.api('patchJob', { jobId: job.jobId }, { schedule: at(T0_MS + minutes * MINUTE_MS) });
  const answers = await Promise.all([patch(3), patch(4)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const stored = await world.deps.jobs.get(job);
  await world.run(40 * MINUTE_MS);
  expect(world.calls.map(({ dueAtMs }) => new Date(dueAtMs).toISOString())).toEqual([
    (stored!.schedule as { at: string }).at,
  ]);
});

test('a create that crashed after its entry and was retried: a delay job runs once', async () => {
  const world = await PipelineWorld.started(1);
  const schedule = { type: 'delay' as const, delay: '2m' };
  const first = newJobAt(world, { schedule, revision: 'crashed' });
  await world.deps.schedule.putEntries([entryOf(world, first)]);
  await world.run(10_000);
  const second = await world.create(newJobAt(world, { schedule, revision: 'retried' }));
  await world.run(5 * MINUTE_MS);
  expect(world.calls).toEqual([expect.objectContaining({ dueAtMs: T0_MS + 130_000 })]);
  expect(world.executions(second).filter(({ status }) => status === 'succeeded')).toHaveLength(1);
});

test('delete and re-create of the same jobId: only the new one fires', async () => {
  const world = await PipelineWorld.started(1);
  await world.create(newJobAt(world, { schedule: at(T0_MS + 2 * MINUTE_MS) }));
  await world.run(10_000);
  expect((await world.api('deleteJob', { jobId: 'nightly-report' })).status).toBe(204);
  const again = newJobAt(world, { schedule: at(T0_MS + 3 * MINUTE_MS), revision: 'again' });
  await world.create(again);
  await world.run(5 * MINUTE_MS);
  expect(world.calls.map(({ dueAtMs }) => dueAtMs)).toEqual([T0_MS + 3 * MINUTE_MS]);
});

test('paused at :55, resumed at :57, due on the hour: fires; what fell due meanwhile is one skipped row', async () => {
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
  expect(skipped.reduce((sum, { skipped: stretch }) => sum + (stretch?.count ?? 1), 0)).toBe(2);
});

test('a pause that answers between claim and read is obeyed', async () => {
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

test('a sweeper that stalls while another moves the cursor moves nothing', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 3 * MINUTE_MS) }));
  await world.run(3 * MINUTE_MS + 19_900);
  let stalls = 1;
  world.dynamo.faults = {
    before: async ({ input }) => {
      if (Object.hasOwn(input.RequestItems ?? {}, 'executions') && stalls-- > 0)
        await world.clock.sleep(MINUTE_MS);
    },
  };
  await world.clock.advance(200);
  const late = sweepShards([0], world.deps, { remainingMs: () => 100_000 });
  await world.run(2 * MINUTE_MS);
  expect(await late).toMatchObject([{ ended: 'overtaken' }]);
  const cursor = (await world.deps.schedule.readCursors('sweep', [0])).get(0)!;
  expect(cursor.minute).toBeGreaterThanOrEqual(minuteOf(T0_MS + 4 * MINUTE_MS));
  expect(world.executions(job)).toHaveLength(1);
});

test('messages that an executor took with it when it died are sent again within two minutes', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 30_000) }));
  world.queue.purge();
  const backlog = world.queue.backlog.bind(world.queue);
  world.queue.backlog = async (pool, priority) => ({ ...(await backlog(pool, priority)), inFlight: 10 });
  await world.run(30_000 + 2 * MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.calls).toHaveLength(1);
});

test('a lost message on a queue that is never empty is sent within the longest pause', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 30_000) }));
  world.queue.purge();
  const backlog = world.queue.backlog.bind(world.queue);
  world.queue.backlog = async (pool, priority) => ({ ...(await backlog(pool, priority)), visible: 5_000 });
  await world.run(25 * MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.calls).toHaveLength(1);
});

test.each([
  ['before', 'schedule'],
  ['after', 'executions'],
])(
  'an attempt failed, and its executor died %s it wrote the entry of the retry',
  async (_, diesAtWriteTo) => {
    const world = await PipelineWorld.started(1);
    let failed = false;
    world.behaviour = ({ attempt }) => {
      failed = true;
      return attempt === 1
        ? { outcome: 'retriable', error: 'target answered 503' }
        : { outcome: 'succeeded', statusCode: 200 };
    };
    world.onExecutorCall = ({ command, input }, kill) => {
      if (!failed || command === 'GetCommand' || input.TableName !== diesAtWriteTo) return;
      world.onExecutorCall = undefined;
      kill();
    };
    const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 30_000) }));
    await world.run(5 * MINUTE_MS);
    expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded', takeovers: 1 })]);
    expect(world.calls.map(({ fence }) => fence)).toEqual([1, 2]);
    expect(world.calls[1]!.atMs - world.calls[0]!.atMs).toBeLessThanOrEqual(75_000);
  },
);

test.each([
  ['before', false],
  ['after', true],
])(
  'an attempt failed, and its executor crashed %s the retry entry: it is tried again, once',
  async (_, after) => {
    const world = await PipelineWorld.started(1);
    world.behaviour = ({ fence }) =>
      fence === 1
        ? { outcome: 'retriable', statusCode: 503, error: 'target answered 503' }
        : { outcome: 'succeeded', statusCode: 200 };
    let died = false;
    world.onExecutorCall = ({ command, input }, kill) => {
      const isEntry = command === 'PutCommand' && input.TableName === 'schedule';
      const isResult = command === 'UpdateCommand' && world.calls.length === 1;
      if (died || world.calls.length === 0 || !(after ? isResult : isEntry)) return;
      died = true;
      kill();
    };
    const job = await world.create(newJobAt(world, { schedule: at(T0_MS + MINUTE_MS) }));
    await world.run(4 * MINUTE_MS);
    expect(died).toBe(true);
    expect(world.calls.map(({ fence }) => fence)).toEqual([1, 2]);
    const [row] = world.executions(job);
    expect(row).toMatchObject({ status: 'succeeded', fence: 2 });
    expect(row!.attempts.map(({ outcome }) => outcome)).toEqual(['lost', 'succeeded']);
  },
);

test('a schedule edit while an attempt waits: the retry is made, with the definition of today', async () => {
  const world = await PipelineWorld.started(1);
  world.behaviour = ({ attempt }) =>
    attempt === 1
      ? { outcome: 'retriable', error: 'busy', retryAfterMs: 60_000 }
      : { outcome: 'succeeded', statusCode: 200 };
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 30_000) }));
  await world.run(40_000);
  const answer = await world.api('patchJob', { jobId: job.jobId }, { schedule: at(T0_MS + 20 * MINUTE_MS) });
  expect(answer.status).toBe(200);
  await world.run(3 * MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded', attempt: 2 })]);
});

test('the number of shards raised under load, and asked down again: every minute fires once', async () => {
  const world = await PipelineWorld.started(1);
  const jobs = await Promise.all(
    Array.from({ length: 6 }, (_, index) => world.create(newJobAt(world, { jobId: `job-${index}` }))),
  );
  await world.run(3 * MINUTE_MS);
  world.shardCount = 4;
  await world.run(10 * MINUTE_MS);
  const moved = await world.create(
    newJobAt(world, { jobId: 'new', schedule: at(world.clock.nowMs() + 6 * MINUTE_MS) }),
  );
  expect(shardOf(jobKeyOf(moved), 4)).toBeGreaterThanOrEqual(0);
  world.shardCount = 1;
  await world.run(10 * MINUTE_MS);
  expect(await world.deps.schedule.readShards()).toMatchObject({ count: 4 });
  for (const job of [...jobs, moved]) {
    const rows = world.executions(job);
    expect(rows.every(({ status, attempts }) => status === 'succeeded' && attempts.length === 1)).toBe(true);
  }
  expect(world.executions(moved)).toHaveLength(1);
  for (const job of jobs) {
    const minutes = world.executions(job).map(({ dueAtMs }) => minuteOf(dueAtMs));
    expect(minutes).toEqual(minutes.map((_, index) => minutes[0]! + index));
  }
});

test('an entry that can never be handled is set aside, and never holds up the shard', async () => {
  const world = await PipelineWorld.started(1);
  const broken = newJobAt(world, { jobId: 'broken', schedule: { type: 'cron', expression: 'nonsense' } });
  const entry = { ...entryOf(world, newJobAt(world, { jobId: 'broken' })), checkAtMs: T0_MS + 7 * MINUTE_MS };
  await world.deps.jobs.create(broken);
  await world.deps.schedule.putEntries([entry]);
  const sound = await world.create(newJobAt(world, { jobId: 'sound', schedule: at(T0_MS + 8 * MINUTE_MS) }));
  await world.run(12 * MINUTE_MS);
  expect(world.executions(sound)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.log.messages('error')).toEqual(
    expect.arrayContaining(['entry quarantined', 'entry filed again in an hour']),
  );
  const cursors = await world.deps.schedule.readCursors('sweep', [0]);
  expect(cursors.get(0)!.minute).toBeGreaterThanOrEqual(minuteOf(T0_MS + 11 * MINUTE_MS));
});

test('a message that comes out of the dead letters after retention runs nothing', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, {}));
  const dueAtMs = T0_MS - 31 * DAY_MS;
  await world.queue.send([{ message: aMessage({ dueAtMs, revision: job.revision }), delaySec: 0 }]);
  await world.run(10_000);
  expect(world.calls).toEqual([]);
  expect(world.executions(job)).toEqual([]);
});

test("an entry deleted behind the system's back is found by the auditor", async () => {
  const world = await PipelineWorld.started(1);
  const job = newJobAt(world, {});
  await world.deps.jobs.create(job); // its entry is gone
  await world.run(2 * MINUTE_MS);
  expect(world.calls).toEqual([]);
  expect(await world.audit()).toMatchObject({ jobs: 1, repaired: 1, complete: true });
  await world.run(10 * MINUTE_MS);
  expect(world.calls.length).toBeGreaterThanOrEqual(9);
  expect(await world.audit()).toMatchObject({ repaired: 0 });
});

test('an edit, a pause and a resume neither fire nor move anything by themselves', async () => {
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

test('what a paused job did not run is one record in its history, messages on the way included', async () => {
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
