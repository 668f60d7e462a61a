import { minuteOf } from '../../../lambdas/core/contracts/tables';
import { firstEntry, scheduleOf } from '../../../lambdas/core/domain/entry-planning';
import type { Job } from '../../../lambdas/core/domain/job';
import { aMessage, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const at = (ms: number) => ({ type: 'at' as const, at: new Date(ms).toISOString() });
const entryOf = (world: PipelineWorld, job: Job, shard = 0) =>
  firstEntry(job, scheduleOf(job), shard, world.clock.nowMs())!;

test('messages lost with a dead executor are sent again within two minutes', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { schedule: at(T0_MS + 30_000) }));
  world.queue.purge();
  const backlog = world.queue.backlog.bind(world.queue);
  world.queue.backlog = async (pool, priority) => ({ ...(await backlog(pool, priority)), inFlight: 10 });
  await world.run(30_000 + 2 * MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.calls).toHaveLength(1);
});

test('a message lost from a queue that is never empty is sent again within 25 minutes', async () => {
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
  'an attempt fails, and its executor dies %s it writes the entry of the retry',
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
  'an attempt fails, and its executor crashes %s the entry of the retry: one retry runs',
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

test('an entry that cannot be handled is quarantined and does not block its shard', async () => {
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

test('a message redriven from the dead-letter queue after retention runs nothing', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, {}));
  const dueAtMs = T0_MS - 31 * DAY_MS;
  await world.queue.send([{ message: aMessage({ dueAtMs, revision: job.revision }), delaySec: 0 }]);
  await world.run(10_000);
  expect(world.calls).toEqual([]);
  expect(world.executions(job)).toEqual([]);
});

test('a user retry that was accepted just before its execution became too old to claim still runs', async () => {
  const claimedForMs = 10 * MINUTE_MS;
  const world = await PipelineWorld.started(1, 1 + claimedForMs / DAY_MS);
  world.behaviour = ({ fence }) =>
    fence === 1
      ? { outcome: 'fatal', statusCode: 400, error: 'target answered 400' }
      : { outcome: 'succeeded', statusCode: 200 };
  const dueAtMs = T0_MS + MINUTE_MS;
  const job = await world.create(newJobAt(world, { schedule: at(dueAtMs) }));
  await world.run(dueAtMs + claimedForMs - MINUTE_MS - world.clock.nowMs());
  const [failed] = world.executions(job);
  expect(failed).toMatchObject({ status: 'failed', fence: 1 });
  world.on.executor = false;
  const { status } = await world.api('retryExecution', { jobId: job.jobId, execId: failed!.execId });
  expect(status).toBe(202);
  await world.run(2 * MINUTE_MS);
  world.on.executor = true;
  await world.run(2 * MINUTE_MS);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded', fence: 2 })]);
});

test('the auditor repairs a job whose entry was deleted directly in the table', async () => {
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
