import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween, rowsPut, sends } from '../../support/kill-between';
import { ask } from '../../support/run-requests';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const TARGET = { type: 'http', url: 'https://example.com/hook' };
const PLAIN = { schedule: { type: 'none' }, target: TARGET };

type Job = Record<string, unknown>;

/** A world with further jobs, and a job `etl` whose task `load` starts the job `child`. */
async function started(
  child: Job,
  etl: { tasks?: Record<string, object>; fields?: object; workflow?: object } = {},
) {
  const flow = await WorkflowWorld.started();
  await put(flow, 'child', child);
  await flow.save({ load: { target: null, job: 'child' }, ...etl.tasks }, etl.fields, etl.workflow);
  return flow;
}

async function put({ world }: WorkflowWorld, jobId: string, fields: Job): Promise<void> {
  const body = { schedule: { type: 'none' }, ...fields };
  const answer = await world.api('putJob', { jobId }, body);
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
}

const workflow = (tasks: Record<string, object>, fields: object = {}): Job => ({
  schedule: { type: 'none' },
  workflow: { tasks, ...fields },
});

const childrenOf = ({ world }: WorkflowWorld, jobId = 'child'): Execution[] =>
  world.executions({ userId: 'alice', jobId });

const task = async (flow: WorkflowWorld, execId: string, taskId = 'load') =>
  (await ask(flow, 'getTask', { execId, taskId })).body;

/** Whether a call puts the row of a child. */
const putsChild = (call: Call): boolean =>
  rowsPut(call, 'executions').some(({ trigger }) => trigger === 'workflow');

/** Does something before the first call that matches. Returns how often it was done. */
function once({ world }: WorkflowWorld, matches: (call: Call) => boolean, act: () => Promise<void>) {
  let times = 0;
  world.dynamo.faults = {
    before: async (call: Call) => {
      if (times > 0 || !matches(call)) return;
      times += 1;
      await act();
    },
  };
  return () => times;
}

test('a task starts another job, waits for its end, and hands on what it returned', async () => {
  const flow = await started(PLAIN, {
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
  expect(await task(flow, execId)).toMatchObject({
    kind: 'job',
    status: 'succeeded',
    child: { jobId: 'child', execId: child!.execId },
    output: { rows: 7 },
  });
  const shown = await flow.world.api('getExecution', { jobId: 'child', execId: child!.execId });
  expect(shown.body).toMatchObject({ parent: { jobId: 'etl', execId, taskId: 'load' }, trigger: 'workflow' });
});

test('a child with a workflow gets params, and its failure fails the task with its reason', async () => {
  const flow = await started(
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
  expect(await task(flow, execId)).toMatchObject({ status: 'failed', reason: 'task-failed' });
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
});

test('a child runs although its job is paused', async () => {
  const flow = await started(PLAIN);
  await flow.world.api('pauseJob', { jobId: 'child' });
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded' });
});

test.each([
  ['ordering-key', { orderingKey: 'other' }, {}],
  ['concurrency-key', { concurrencyKey: 'db' }, { concurrencyKey: 'web' }],
])('a child that could wait for what waits for it fails with %s', async (reason, ofChild, ofParent) => {
  const flow = await WorkflowWorld.started();
  for (const key of ['db', 'web']) await flow.world.api('putConcurrencyKey', { key }, { limit: 1 });
  await put(flow, 'child', { ...PLAIN, ...ofChild });
  await flow.save({ load: { target: null, job: 'child' } }, ofParent);
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(await task(flow, execId)).toMatchObject({ status: 'failed', reason });
  expect(flow.called).toEqual([]);
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
  const flow = await started(child, { tasks: { load }, workflow: { params: { a: {} } } });
  if (isDeleted) await flow.world.api('deleteJob', { jobId: 'child' });
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(await task(flow, execId)).toMatchObject({ status: 'failed', reason });
});

test('child-ends-before-its-row-is-known-to-the-parent: the process that started it goes on later, and it runs once', async () => {
  const flow = await started(PLAIN);
  let isFrozen = false;
  flow.world.dynamo.faults = {
    after: async (call: Call) => {
      if (isFrozen || !putsChild(call)) return;
      isFrozen = true;
      await flow.world.clock.sleep(50 * SECOND_MS);
    },
  };
  const execId = await flow.run();
  await flow.world.run(3 * MINUTE_MS);
  expect(isFrozen).toBe(true);
  expect(flow.called).toEqual(['child']);
  expect(childrenOf(flow)).toHaveLength(1);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded' });
});

test('die-between-the-end-of-a-child-and-the-mark: its recheck marks the task above it', async () => {
  const flow = await started(PLAIN);
  const isEnd = ({ command, input }: Call) =>
    command === 'UpdateCommand' &&
    JSON.stringify(input.ExpressionAttributeValues ?? {}).includes('"succeeded"');
  const isMark = ({ command, input }: Call) =>
    command === 'UpdateCommand' && String(input.UpdateExpression).includes('#run.#marks');
  const wasKilled = killBetween(flow.world, 'executor', [isEnd, isMark]);
  const execId = await flow.run();
  await flow.world.run(2 * MINUTE_MS);
  expect(wasKilled()).toBe(true);
  expect(flow.called).toEqual(['child']);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded' });
  expect(flow.runRow.status).toBe('succeeded');
});

test('die-between-the-row-of-a-child-and-its-message: its recheck sends it', async () => {
  const flow = await started(PLAIN);
  const wasKilled = killBetween(flow.world, 'executor', [putsChild, sends]);
  const execId = await flow.run();
  await flow.world.run(2 * MINUTE_MS);
  expect(wasKilled()).toBe(true);
  expect(flow.called).toEqual(['child']);
  expect(await flow.statuses(execId)).toEqual({ load: 'succeeded' });
});

test('child-skipped-by-overlap: the task fails with that reason', async () => {
  const flow = await started({ ...PLAIN, overlap: 'skip' });
  flow.behave.child = { workMs: MINUTE_MS };
  await flow.world.api('runJob', { jobId: 'child' });
  await flow.world.run(2 * SECOND_MS);
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(await task(flow, execId)).toMatchObject({ status: 'failed', reason: 'overlap' });
  expect(flow.runRow.status).toBe('failed');
});

test('parent-cancelled-as-child-starts: no child starts after the answer', async () => {
  const flow = await started(PLAIN);
  const execId = await flow.run();
  const cancelled = once(flow, putsChild, async () => {
    await flow.world.api('cancelExecution', { jobId: 'etl', execId });
  });
  await flow.world.run(MINUTE_MS);
  expect(cancelled()).toBe(1);
  expect(flow.called).toEqual([]);
  expect(childrenOf(flow)).toMatchObject([{ status: 'cancelled', reason: 'stopped', fence: 0 }]);
  expect(flow.runRow).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
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
  const flow = await started(workflow({ copy: { target: TARGET }, once: { target: TARGET } }));
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
  expect(await task(flow, execId)).toMatchObject({ status: 'succeeded', round: 3 });
});

test('a task whose child was skipped or cancelled by its user is marked so', async () => {
  const flow = await started(PLAIN, { tasks: { other: { target: null, job: 'child' } } });
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
  const flow = await started(PLAIN, {
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

test('grandchild-of-the-same-job: a save that closes a circle is refused, and names it', async () => {
  const flow = await started(PLAIN);
  const answer = await flow.world.api('putJob', { jobId: 'child' }, workflow({ up: { job: 'etl' } }));
  expect(answer).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'workflow.tasks.up.job', message: 'closes a circle: child → etl → child' }] },
  });
});

test('two-saves-close-a-cycle: what is above itself fails, and nothing runs for ever', async () => {
  const flow = await started(PLAIN);
  await put(flow, 'etl', { target: TARGET });
  const saves = await Promise.all([
    flow.world.api('putJob', { jobId: 'etl' }, workflow({ load: { job: 'child' } })),
    flow.world.api('putJob', { jobId: 'child' }, workflow({ up: { job: 'etl' } })),
  ]);
  expect(saves.map(({ status }) => status)).toEqual([200, 200]);
  const execId = await flow.run();
  await flow.world.run(MINUTE_MS);
  expect(flow.rows().filter(({ trigger }) => trigger === 'workflow')).toMatchObject([
    { status: 'failed', reason: 'recursion', fence: 0 },
  ]);
  expect(await task(flow, execId)).toMatchObject({ status: 'failed', reason: 'task-failed' });
});

test.each([
  ['is no job of this project', { job: 'nothing' }],
  ['has no workflow: use input', { job: 'child', params: { day: '' } }],
  ['is only allowed beside a job', { params: {}, target: TARGET }],
  ['excludes a target', { job: 'child', target: TARGET }],
])('a task that %s is refused', async (message, load) => {
  const flow = await started(PLAIN);
  const answer = await flow.world.api('putJob', { jobId: 'etl' }, workflow({ load }));
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain(message);
});
