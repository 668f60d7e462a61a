import { jobKeyOf, minuteOf } from '../../../lambdas/core/contracts/tables';
import { firstEntry, scheduleOf } from '../../../lambdas/core/domain/entry-planning';
import type { Job } from '../../../lambdas/core/domain/job';
import { shardOf } from '../../../lambdas/core/domain/shard';
import { sweepShards } from '../../../lambdas/sweeper/sweep-shards';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });
const entryOf = (world: PipelineWorld, job: Job, shard = 0) =>
  firstEntry(job, scheduleOf(job), shard, world.clock.nowMs())!;

test('a one-minute job keeps firing if it is created after its first buckets were dispatched', async () => {
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

test('three overdue buckets of one shard are dispatched in order', async () => {
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

test('an entry that the scanner reads before its job exists is dispatched by its recheck', async () => {
  const world = await PipelineWorld.started(1);
  const job = newJobAt(world, { schedule: at(T0_MS + 6 * MINUTE_MS) });
  await world.deps.schedule.putEntries([entryOf(world, job)]);
  await world.run(4 * MINUTE_MS); // the scanner has passed its bucket
  await world.deps.jobs.create(job);
  await world.run(4 * MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.calls[0]!.atMs - world.calls[0]!.dueAtMs).toBeLessThan(35_000);
});

test('keys that a batch read leaves unprocessed count as unread: no entry is settled because of them', async () => {
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

test('a create crashes after its entry is written, and is retried: the delay job runs once', async () => {
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

test('a job deleted and created again with the same jobId: only the new job fires', async () => {
  const world = await PipelineWorld.started(1);
  await world.create(newJobAt(world, { schedule: at(T0_MS + 2 * MINUTE_MS) }));
  await world.run(10_000);
  expect((await world.api('deleteJob', { jobId: 'nightly-report' })).status).toBe(204);
  const again = newJobAt(world, { schedule: at(T0_MS + 3 * MINUTE_MS), revision: 'again' });
  await world.create(again);
  await world.run(5 * MINUTE_MS);
  expect(world.calls.map(({ dueAtMs }) => dueAtMs)).toEqual([T0_MS + 3 * MINUTE_MS]);
});

test('a sweeper that stalls while another sweeper moves the cursor does not move it back', async () => {
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

test('a schedule change while a retry waits: the retry runs, with the current definition', async () => {
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

test('the number of shards is raised under load, and a lower one is requested: every minute fires once', async () => {
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
  expect(shardOf(jobKeyOf(moved), 4)).toBeGreaterThan(0); // a shard that is new
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
    expect(minutes.length).toBeGreaterThanOrEqual(22);
    expect(minutes).toEqual(minutes.map((_, index) => minutes[0]! + index));
  }
});
