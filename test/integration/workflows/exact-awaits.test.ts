import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween, setsStatus } from '../../support/kill-between';
import { once } from '../../support/once';
import { ask } from '../../support/run-requests';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const INGEST = { userId: 'alice', jobId: 'ingest' };
/** So rarely that only the end of the other job can be what let the task go on. */
const SELDOM = '15m';

const writesAwait = ({ command, input }: Call): boolean =>
  command === 'PutCommand' && JSON.stringify(input.Item).includes('#await#');
const readsAwaits = ({ command, input }: Call): boolean =>
  command === 'QueryCommand' && JSON.stringify(input.ExpressionAttributeValues).includes('#await#');

/** The job `ingest`, which works for ten seconds, and a workflow that waits for its runs of this day. */
async function started(awaits: object = {}, schedule?: object): Promise<WorkflowWorld> {
  const flow = await WorkflowWorld.started();
  flow.behave.ingest = { workMs: 10 * SECOND_MS };
  await putIngest(flow, schedule);
  await flow.save({
    ingested: {
      target: null,
      await: { job: 'ingest', window: 'same-day', checkEvery: SELDOM, ...awaits },
    },
    load: { dependsOn: ['ingested'] },
  });
  return flow;
}

async function putIngest(flow: WorkflowWorld, schedule: object = { type: 'none' }): Promise<void> {
  const target = { type: 'http', url: 'https://example.com/ingest' };
  const body = { schedule, target, retry: { maxAttempts: 1 } };
  const { status } = await flow.world.api('putJob', { jobId: 'ingest' }, body);
  expect(status).toBe(201);
}

async function runIngest(flow: WorkflowWorld): Promise<void> {
  expect((await flow.world.api('runJob', { jobId: 'ingest' })).status).toBe(202);
}

const ingestRows = (flow: WorkflowWorld): Execution[] => flow.world.executions(INGEST);
const loads = (flow: WorkflowWorld): number => flow.called.filter((task) => task === 'load').length;
const isAwaited = async (flow: WorkflowWorld): Promise<boolean> =>
  (await flow.world.deps.jobs.get(INGEST))!.awaitedAtMs !== undefined;

test('the end of the other job lets the tasks of all runs go on at once', async () => {
  const flow = await started();
  const first = await flow.run();
  const second = await flow.run();
  await flow.world.run(MINUTE_MS);
  expect(loads(flow)).toBe(0);
  await runIngest(flow);
  await flow.world.run(20 * SECOND_MS);
  const [ended] = ingestRows(flow);
  expect(ended).toMatchObject({ status: 'succeeded', awaited: true });
  expect(loads(flow)).toBe(2);
  expect(flow.taskRows().load!.startedAtMs! - ended!.finishedAtMs!).toBeLessThan(2 * SECOND_MS);
  for (const execId of [first, second])
    expect(await flow.statuses(execId)).toEqual({ ingested: 'succeeded', load: 'succeeded' });
  expect(flow.world.errors()).toEqual([]);
});

test('a run of the other job is in the window to which its events have moved it', async () => {
  const flow = await WorkflowWorld.started();
  await putIngest(flow, { type: 'event', name: 'arrived', debounce: '2m' });
  const startMs = flow.world.clock.nowMs();
  const inMinutes = (minutes: number) => new Date(startMs + minutes * MINUTE_MS).toISOString();
  const window = { from: inMinutes(1), to: inMinutes(10) };
  await flow.save({
    ingested: { target: null, await: { job: 'ingest', window, checkEvery: SELDOM } },
    load: { dependsOn: ['ingested'] },
  });
  await flow.run();
  await flow.world.api('sendEvent', {}, { name: 'arrived' });
  await flow.world.run(3 * MINUTE_MS);
  expect(loads(flow)).toBe(1);
  expect(flow.world.errors()).toEqual([]);
});

test('an end that is no answer yet files nothing, and the last one answers', async () => {
  const schedule = { type: 'interval', every: '2m', maxRuns: 3 };
  const flow = await started({}, schedule);
  await flow.run();
  await flow.world.run(5 * MINUTE_MS);
  expect(loads(flow)).toBe(0);
  await flow.world.run(2 * MINUTE_MS);
  expect(ingestRows(flow).map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  expect(loads(flow)).toBe(1);
});

test('a failure fails the task at once, if it asks for that', async () => {
  const flow = await started({ onFailure: 'fail' });
  flow.behave.ingest = FAILED;
  const execId = await flow.run();
  await flow.world.run(MINUTE_MS);
  await runIngest(flow);
  await flow.world.run(5 * SECOND_MS);
  expect(await flow.statuses(execId)).toEqual({ ingested: 'failed', load: 'blocked' });
  expect(flow.runRow.status).toBe('failed');
});

test('die-between-end-and-asking: the recheck of the end asks', async () => {
  const flow = await started();
  await flow.run();
  await flow.world.run(MINUTE_MS);
  const wasKilled = killBetween(flow.world, 'executor', [setsStatus('succeeded'), readsAwaits]);
  await runIngest(flow);
  await flow.world.run(2 * MINUTE_MS);
  expect(wasKilled()).toBe(true);
  expect(loads(flow)).toBe(1);
});

test('end-meets-await: what has ended before the row of the task was written is asked for again', async () => {
  const flow = await started();
  await runIngest(flow);
  await flow.world.run(5 * SECOND_MS);
  const delayed = once(flow, 'before', writesAwait, () => flow.world.clock.sleep(8 * SECOND_MS));
  await flow.run();
  await flow.world.run(12 * SECOND_MS); // before the first recheck of the run, which asks too
  expect(delayed()).toBe(1);
  expect(ingestRows(flow)).toMatchObject([{ status: 'succeeded' }]);
  expect(loads(flow)).toBe(1);
});

test('an executor that dies before it has written the row: the recheck of the run does', async () => {
  const flow = await started();
  let kills = 0;
  flow.world.onCall = (_, call, kill) => {
    if (kills > 0 || !writesAwait(call)) return;
    kills += 1;
    kill();
  };
  await flow.run();
  await flow.world.run(2 * MINUTE_MS);
  expect(kills).toBe(1);
  await runIngest(flow);
  await flow.world.run(20 * SECOND_MS);
  expect(loads(flow)).toBe(1);
});

test('a run that waits no more is left alone, and holds up no other', async () => {
  const flow = await started();
  const cancelled = await flow.run();
  await flow.run();
  await flow.world.run(MINUTE_MS);
  await ask(flow, 'cancelExecution', { execId: cancelled });
  await flow.world.run(MINUTE_MS);
  await runIngest(flow);
  await flow.world.run(20 * SECOND_MS);
  expect(loads(flow)).toBe(1);
  expect(flow.world.errors()).toEqual([]);
});

test('the end of a job for which no task waits reads no rows of tasks', async () => {
  const flow = await WorkflowWorld.started();
  await putIngest(flow);
  await flow.save({ load: {} });
  let asked = 0;
  flow.world.dynamo.faults = {
    before: (call) => {
      if (JSON.stringify(call.input).includes('#await#')) asked += 1;
    },
  };
  await runIngest(flow);
  await flow.run();
  await flow.world.run(2 * MINUTE_MS);
  expect(ingestRows(flow)).toMatchObject([{ status: 'succeeded' }]);
  expect(ingestRows(flow)[0]).not.toHaveProperty('awaited');
  expect(asked).toBe(0);
});

test('a workflow that waits marks the other job; the auditor marks one that comes later, and unmarks it', async () => {
  const flow = await started();
  expect(await isAwaited(flow)).toBe(true);
  await flow.world.api('deleteJob', { jobId: 'ingest' });
  await putIngest(flow);
  expect(await isAwaited(flow)).toBe(false);
  await flow.world.audit();
  expect(await isAwaited(flow)).toBe(true);
  await flow.save({ load: {} });
  await flow.world.run(11 * MINUTE_MS);
  await flow.world.audit();
  await flow.world.audit();
  expect(await isAwaited(flow)).toBe(false);
});
