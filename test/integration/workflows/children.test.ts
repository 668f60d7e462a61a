import {
  PLAIN,
  TARGET,
  childrenOf,
  put,
  startedWithChild,
  taskOf,
  workflow,
} from '../../support/child-world';
import { ACCEPTED } from '../../support/long-job';
import { actions } from '../../support/offered-work';
import { ask } from '../../support/run-requests';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

test('a task starts another job, waits for its end, and hands on what it returned', async () => {
  const flow = await startedWithChild(PLAIN, {
    tasks: {
      load: { target: null, job: 'child', input: { day: '{{ run.day }}', of: '{{ run.id }}' } },
      next: { dependsOn: ['load'], input: '{{ tasks.load.output.rows }}' },
    },
  });
  flow.behave.child = {
    workMs: 2 * SECOND_MS,
    result: { outcome: 'succeeded', statusCode: 200, output: { json: '{"rows":7}' } },
  };
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  const [child] = childrenOf(flow);
  expect(child).toMatchObject({
    trigger: 'workflow',
    status: 'succeeded',
    dueAtMs: flow.runRow.dueAtMs,
    parent: { execId, task: 'load', round: 1 },
    ancestors: ['etl'],
  });
  expect(child!.latenessMs).toBeLessThan(SECOND_MS);
  expect(flow.called).toEqual(['child', 'next']);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded', next: 'succeeded' });
  expect(flow.runRow).toMatchObject({ status: 'succeeded', run: { moves: 2 } });
  expect(await taskOf(flow, execId)).toMatchObject({
    kind: 'job',
    status: 'succeeded',
    child: { jobId: 'child', execId: child!.execId },
    output: { rows: 7 },
  });
  const shown = await flow.world.api('getExecution', { jobId: 'child', execId: child!.execId });
  expect(shown.body).toMatchObject({ parent: { jobId: 'etl', execId, taskId: 'load' }, trigger: 'workflow' });
});

test.each([
  ['a worker', { type: 'worker', queue: 'warehouse' }],
  ['an asynchronous target', { ...TARGET, mode: 'async' }],
])('a task reads what %s reports for the child', async (_, target) => {
  const flow = await startedWithChild(
    { ...PLAIN, target },
    { tasks: { next: { dependsOn: ['load'], input: '{{ tasks.load.output.rows }}' } } },
  );
  const { claim, report } = actions(flow.world);
  flow.behave.child = ACCEPTED;
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  const [work] = await claim();
  const token = work?.token ?? flow.lastHeaders['quarterjack-token']!;
  expect((await report('completeAttempt', { token }, { result: { rows: 7 } })).status).toBe(200);
  await flow.world.run(5 * SECOND_MS);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded', next: 'succeeded' });
  expect(await taskOf(flow, execId)).toMatchObject({ output: { rows: 7 } });
});

test.each(['etl', 'child'])(
  'a row of %s that a read leaves unprocessed does not count as deleted',
  async (jobId) => {
    const flow = await startedWithChild(PLAIN, { tasks: { load: { target: null, job: 'child' } } });
    const execId = await flow.run();
    let left = 8;
    let isAsked = false; // the batch that names the child has been sent
    flow.world.dynamo.faults = {
      leaves(table, key, { input }) {
        isAsked ||= JSON.stringify(input).includes('"jobId":"child"');
        return table === 'jobs' && isAsked && key.jobId === jobId && left-- > 0;
      },
    };
    await flow.world.run(3 * MINUTE_MS);
    expect(left).toBeLessThan(1);
    expect(await flow.statuses(execId)).toEqual({ load: 'succeeded' });
    expect(flow.runRow.status).toBe('succeeded');
  },
);

test('a child with a workflow gets params, and its failure fails the task with its reason', async () => {
  const flow = await startedWithChild(
    workflow({ copy: { target: TARGET, input: '{{ params.day }}' } }, { params: { day: '' } }),
    {
      tasks: { load: { target: null, job: 'child', params: { day: '{{ run.day }}' } } },
    },
  );
  flow.behave.copy = FAILED;
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  const [child] = childrenOf(flow);
  expect(child).toMatchObject({ status: 'failed', reason: 'task-failed', hasParams: true });
  expect(await taskOf(flow, execId)).toMatchObject({ status: 'failed', reason: 'task-failed' });
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
});

test('a child runs although its job is paused', async () => {
  const flow = await startedWithChild(PLAIN);
  await flow.world.api('pauseJob', { jobId: 'child' });
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded' });
});

test.each([
  ['ordering-key', { orderingKey: 'other' }, {}],
  ['concurrency-key', { concurrencyKey: 'db' }, { concurrencyKey: 'web' }],
  ['concurrency-key', { concurrencyKey: 'db.{{ payload.tenant }}' }, { concurrencyKey: 'web' }],
])('a child that could wait for what waits for it fails with %s', async (reason, ofChild, ofParent) => {
  const flow = await WorkflowWorld.started();
  for (const key of ['db', 'db.*', 'web']) await flow.world.api('putConcurrencyKey', { key }, { limit: 1 });
  await put(flow, 'child', { ...PLAIN, ...ofChild });
  await flow.save({ load: { target: null, job: 'child' } }, ofParent);
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(await taskOf(flow, execId)).toMatchObject({ status: 'failed', reason });
  expect(flow.called).toEqual([]);
});

test('a child has the key that its input completes', async () => {
  const flow = await WorkflowWorld.started();
  await flow.world.api('putConcurrencyKey', { key: 'db.*' }, { limit: 1 });
  await put(flow, 'child', { ...PLAIN, concurrencyKey: 'db.{{ payload.tenant }}' });
  await flow.save({ load: { target: null, job: 'child', input: { tenant: 'a' } } }, {});
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded' });
  expect(flow.world.executions({ userId: 'alice', jobId: 'child' })).toMatchObject([
    { status: 'succeeded', concurrencyKey: 'db.a' },
  ]);
});

test('what the run above holds, its child need not wait for', async () => {
  const flow = await WorkflowWorld.started();
  await flow.world.api('putConcurrencyKey', { key: 'db' }, { limit: 1 });
  const both = { orderingKey: 'key', concurrencyKey: 'db' };
  await put(flow, 'child', { ...PLAIN, ...both });
  await flow.save({ load: { target: null, job: 'child' } }, both);
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded' });
});

test.each([
  ['a job that is gone', PLAIN, { target: null, job: 'child' }, 'deleted', true],
  [
    'an input that cannot be rendered',
    PLAIN,
    { target: null, job: 'child', input: '{{ params.a.b }}' },
    'bad-input',
    false,
  ],
])('%s fails the task', async (_, child, load, reason, isDeleted) => {
  const flow = await startedWithChild(child, { tasks: { load }, workflow: { params: { a: {} } } });
  if (isDeleted) await flow.world.api('deleteJob', { jobId: 'child' });
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(await taskOf(flow, execId)).toMatchObject({ status: 'failed', reason });
});

test('a cancel reaches what the runs below have started, and the run above ends last', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.leaf = { workMs: 10 * MINUTE_MS };
  await put(flow, 'leaf', { ...PLAIN, timeout: '14m' });
  await put(
    flow,
    'child',
    workflow({ down: { job: 'leaf' }, never: { dependsOn: ['down'], target: TARGET } }),
  );
  await flow.save({ load: { target: null, job: 'child' } });
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  expect(flow.called).toEqual(['leaf']);
  await flow.world.api('cancelExecution', { jobId: 'etl', execId });
  const reached = [...childrenOf(flow), ...childrenOf(flow, 'leaf')];
  expect(reached.map(({ cancelRequested }) => cancelRequested?.reason)).toEqual([
    'cancelled-by-user',
    'cancelled-by-user',
  ]);
  await flow.world.run(MINUTE_MS);
  const [child] = childrenOf(flow);
  const [leaf] = childrenOf(flow, 'leaf');
  expect(leaf).toMatchObject({ status: 'cancelled', ancestors: ['etl', 'child'] });
  expect(child).toMatchObject({ status: 'cancelled' });
  expect(flow.runRow).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
  expect(flow.runRow.finishedAtMs!).toBeGreaterThanOrEqual(child!.finishedAtMs!);
  expect(flow.called).toEqual(['leaf']);
});

test('a retry of what failed runs the same child again; a retry from the task starts another one', async () => {
  const flow = await startedWithChild(workflow({ copy: { target: TARGET }, once: { target: TARGET } }));
  flow.behave.copy = FAILED;
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  const [first] = childrenOf(flow);
  delete flow.behave.copy;
  expect((await ask(flow, 'retryExecution', { execId })).status).toBe(202);
  await flow.world.run(10 * SECOND_MS);
  expect(childrenOf(flow)).toMatchObject([
    { execId: first!.execId, status: 'succeeded', parent: { round: 2 } },
  ]);
  expect(flow.called.toSorted()).toEqual(['copy', 'copy', 'once']);
  expect(flow.runRow.status).toBe('succeeded');
  await ask(flow, 'retryExecution', { execId }, { mode: 'from', tasks: ['load'] });
  await flow.world.run(10 * SECOND_MS);
  expect(childrenOf(flow)).toHaveLength(2);
  expect(flow.called).toHaveLength(5);
  expect(await taskOf(flow, execId)).toMatchObject({ status: 'succeeded', round: 3 });
});

test('a task whose child was skipped or cancelled by its user is marked so', async () => {
  const flow = await startedWithChild(PLAIN, { tasks: { other: { target: null, job: 'child' } } });
  flow.behave.child = { workMs: 10 * MINUTE_MS };
  await put(flow, 'child', { ...PLAIN, timeout: '14m', overlap: 'queue' });
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  const statuses = await flow.statuses(execId);
  const waiting = Object.keys(statuses).find((id) => statuses[id] === 'queued')!;
  const running = Object.keys(statuses).find((id) => statuses[id] === 'running')!;
  expect((await ask(flow, 'skipTask', { execId, taskId: waiting })).body).toMatchObject({
    status: 'skipped',
  });
  expect((await ask(flow, 'skipTask', { execId, taskId: running })).status).toBe(409);
  expect((await ask(flow, 'cancelTask', { execId, taskId: running })).status).toBe(202);
  await flow.world.run(MINUTE_MS);
  expect(await flow.statuses(execId)).toEqual({ [waiting]: 'skipped', [running]: 'cancelled' });
});

test('a paused run starts no child until it is resumed', async () => {
  const flow = await startedWithChild(PLAIN, {
    tasks: { first: {}, load: { target: null, job: 'child', dependsOn: ['first'] } },
  });
  flow.behave.first = { workMs: 5 * SECOND_MS };
  const execId = await flow.run();
  await flow.world.run(2 * SECOND_MS);
  await ask(flow, 'pauseRun', { execId });
  await flow.world.run(MINUTE_MS);
  expect(flow.called).toEqual(['first']);
  await ask(flow, 'resumeRun', { execId });
  await flow.world.run(10 * SECOND_MS);
  expect(flow.called).toEqual(['first', 'child']);
  expect(flow.runRow.status).toBe('succeeded');
});

test.each([
  ['is no job of this project', { job: 'nothing' }],
  ['has no workflow: use input', { job: 'child', params: { day: '' } }],
  ['is only allowed beside a job', { params: {}, target: TARGET }],
  ['excludes a target', { job: 'child', target: TARGET }],
])('a task that %s is refused', async (message, load) => {
  const flow = await startedWithChild(PLAIN);
  const answer = await flow.world.api('putJob', { jobId: 'etl' }, workflow({ load }));
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain(message);
});
