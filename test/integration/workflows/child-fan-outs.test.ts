import type { Execution } from '../../../lambdas/core/domain/execution';
import { PLAIN, TARGET, childrenOf, put, startedWithChild, workflow } from '../../support/child-world';
import { ask } from '../../support/run-requests';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** A world with a job `etl` whose task `load` starts the job `child` for each item. */
const startedWithItems = (
  child: Record<string, unknown>,
  forEach: object,
  load: object = {},
  etl: { tasks?: Record<string, object>; workflow?: object } = {},
) =>
  startedWithChild(child, {
    ...etl,
    tasks: { load: { target: null, job: 'child', forEach, ...load }, ...etl.tasks },
  });

/** Lets the children of these items fail: a plain job knows its item by its payload alone. */
function failFor(flow: WorkflowWorld, fails: (child: Execution) => boolean): void {
  const { behaviour } = flow.world;
  flow.world.behaviour = async (call, signal, clock) => {
    const child = childrenOf(flow).find(({ execId }) => execId === call.execId);
    return child && fails(child) ? FAILED : behaviour(call, signal, clock);
  };
}

const itemOf = (child: Execution): number | undefined => child.parent?.item;
const statusesOf = (flow: WorkflowWorld) =>
  Object.fromEntries(childrenOf(flow).map((child) => [itemOf(child), child.status]));

test('each item starts the job, and the task gathers what the children return', async () => {
  const flow = await startedWithItems(
    PLAIN,
    { items: ['a', 'b'] },
    { input: { file: '{{ item }}', n: '{{ index }}', day: '{{ run.day }}' } },
    { tasks: { next: { dependsOn: ['load'], input: '{{ tasks.load.output }}' } } },
  );
  const bodies: string[] = [];
  flow.world.observe = ({ body }) => void bodies.push(body.toString());
  flow.world.behaviour = (call) => ({
    outcome: 'succeeded',
    statusCode: 200,
    output: { json: JSON.stringify({ at: call.execId }) },
  });
  const execId = await flow.run();
  await flow.world.run(10 * SECOND_MS);
  const children = childrenOf(flow).toSorted((a, b) => itemOf(a)! - itemOf(b)!);
  expect(children).toMatchObject([
    { status: 'succeeded', trigger: 'workflow', parent: { execId, task: 'load', round: 1, item: 0 } },
    { status: 'succeeded', parent: { item: 1 }, ancestors: ['etl'] },
  ]);
  const day = new Date(flow.runRow.dueAtMs).toISOString().slice(0, 10);
  const payloads = children.map((_, n) => ({ file: 'ab'[n], n, day }));
  expect(bodies.slice(0, 2).map((body) => JSON.parse(body) as unknown)).toEqual(
    expect.arrayContaining(payloads),
  );
  expect(JSON.parse(bodies[2]!)).toEqual(children.map((child) => ({ at: child.execId })));
  expect(flow.runRow.status).toBe('succeeded');
  expect(flow.taskRows().load).toMatchObject({ items: { count: 2, succeeded: 2 } });
  const { body } = await ask(flow, 'listItems', { execId, taskId: 'load' });
  expect(body).toMatchObject({
    items: children.map((child, index) => ({
      index,
      item: 'ab'[index],
      status: 'succeeded',
      child: { jobId: 'child', execId: child.execId },
    })),
  });
});

test('a child with a workflow gets params by its item', async () => {
  const child = workflow(
    { copy: { target: TARGET, input: '{{ params.file }}' } },
    { params: { file: '' }, output: '{{ params.file }}' },
  );
  const flow = await startedWithItems(
    child,
    { items: ['a', 'b', 'c'], concurrency: 1 },
    { params: { file: '{{ item }}' }, keepOutput: true },
  );
  await flow.run();
  await flow.world.run(20 * SECOND_MS);
  expect(flow.runRow.status).toBe('succeeded');
  expect(flow.taskRows().load!.output).toBe('["a","b","c"]');
});

test('never more children run than the window allows, and tolerated failures do not fail the task', async () => {
  const flow = await startedWithItems(PLAIN, { items: numbers(7), concurrency: 2, tolerate: 1 });
  flow.behave.child = { workMs: 5 * SECOND_MS };
  failFor(flow, (child) => itemOf(child) === 3);
  await flow.run();
  let most = 0;
  for (let step = 0; step < 40; step++) {
    await flow.world.run(SECOND_MS);
    most = Math.max(most, childrenOf(flow).filter(({ status }) => status === 'running').length);
  }
  expect(most).toBe(2);
  expect(childrenOf(flow)).toHaveLength(7);
  expect(flow.runRow.status).toBe('succeeded');
  expect(flow.taskRows().load).toMatchObject({ items: { count: 7, succeeded: 6, failed: 1 } });
});

test('children that cannot begin fail their items at once, also with a window', async () => {
  const flow = await startedWithItems(
    PLAIN,
    { items: numbers(12), concurrency: 2, tolerate: 11 },
    { input: '{{ item.file }}' },
  );
  await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(flow.runRow).toMatchObject({ status: 'failed' });
  expect(flow.taskRows().load).toMatchObject({
    reason: 'items-failed',
    items: { count: 12, succeeded: 0, failed: 12 },
  });
  expect(childrenOf(flow)[0]).toMatchObject({ status: 'failed', reason: 'bad-input' });
});

test('a retry of what failed runs the children of those items again, and keeps the others', async () => {
  const flow = await startedWithItems(PLAIN, { items: numbers(5), concurrency: 2 });
  failFor(flow, (child) => itemOf(child) === 1 || itemOf(child) === 4);
  const execId = await flow.run();
  await flow.world.run(20 * SECOND_MS);
  expect(flow.runRow).toMatchObject({ status: 'failed' });
  const before = childrenOf(flow).map((child) => child.execId);
  flow.world.behaviour = () => ({ outcome: 'succeeded', statusCode: 200 });
  expect((await ask(flow, 'retryExecution', { execId })).status).toBe(202);
  await flow.world.run(20 * SECOND_MS);
  expect(flow.runRow).toMatchObject({ status: 'succeeded' });
  const children = childrenOf(flow);
  expect(children.map((child) => child.execId)).toEqual(before);
  const again = children.filter(({ parent }) => parent!.round === 2).map(itemOf);
  expect(new Set(again)).toEqual(new Set([1, 4]));
  expect(children.filter(({ userRetries }) => userRetries === 1)).toHaveLength(2);
  const { body } = await ask(flow, 'listItems', { execId, taskId: 'load' });
  expect((body as { items: { round: number }[] }).items.map(({ round }) => round)).toEqual([1, 2, 1, 1, 2]);
  await ask(flow, 'retryExecution', { execId }, { mode: 'from', tasks: ['load'] });
  await flow.world.run(20 * SECOND_MS);
  expect(childrenOf(flow)).toHaveLength(10);
  expect(flow.runRow).toMatchObject({ status: 'succeeded' });
});

test.each([
  ['the run', 'cancelExecution'],
  ['the task', 'cancelTask'],
] as const)('a cancel of %s reaches children that run, and no further one begins', async (_, operation) => {
  const flow = await WorkflowWorld.started();
  await put(flow, 'child', workflow({ down: { target: TARGET, timeout: '14m' } }));
  await flow.save({ load: { target: null, job: 'child', forEach: { items: numbers(9), concurrency: 2 } } });
  flow.behave.down = { workMs: 10 * MINUTE_MS };
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  expect(statusesOf(flow)).toEqual({ 0: 'running', 1: 'running' });
  const asked = await ask(flow, operation, { execId, taskId: 'load' });
  expect(asked.status).toBe(202);
  await flow.world.run(2 * MINUTE_MS);
  expect(statusesOf(flow)).toEqual({ 0: 'cancelled', 1: 'cancelled' });
  expect(await flow.statuses(execId)).toEqual({ load: 'cancelled' });
  expect(flow.runRow.finishedAtMs).toBeDefined();
});

test.each([
  ['the run', 'cancelExecution'],
  ['the task', 'cancelTask'],
] as const)('a cancel of %s ends children that wait, without a recheck', async (_, operation) => {
  const flow = await WorkflowWorld.started();
  await put(flow, 'child', workflow({ down: { approval: { timeout: '1h' } } }));
  await flow.save({ load: { target: null, job: 'child', forEach: { items: numbers(9), concurrency: 2 } } });
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  await ask(flow, operation, { execId, taskId: 'load' });
  await flow.world.run(2 * SECOND_MS);
  expect(statusesOf(flow)).toEqual({ 0: 'cancelled', 1: 'cancelled' });
});

test('a paused run starts no further child until it is resumed', async () => {
  const flow = await startedWithItems(PLAIN, { items: numbers(3), concurrency: 1 });
  flow.behave.child = { workMs: 5 * SECOND_MS };
  const execId = await flow.run();
  await flow.world.run(2 * SECOND_MS);
  await ask(flow, 'pauseRun', { execId });
  await flow.world.run(2 * MINUTE_MS);
  expect(statusesOf(flow)).toEqual({ 0: 'succeeded' });
  await ask(flow, 'resumeRun', { execId });
  await flow.world.run(20 * SECOND_MS);
  expect(flow.runRow).toMatchObject({ status: 'succeeded' });
});

test('a child that its own user cancels counts as cancelled, and runs again with what failed', async () => {
  const flow = await startedWithItems(PLAIN, { items: numbers(2) });
  flow.behave.child = { workMs: 20 * SECOND_MS };
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  const [child] = childrenOf(flow);
  await flow.world.api('cancelExecution', { jobId: 'child', execId: child!.execId });
  await flow.world.run(MINUTE_MS);
  expect(flow.taskRows().load).toMatchObject({
    status: 'failed',
    items: { succeeded: 1, failed: 0, cancelled: 1 },
  });
  await ask(flow, 'retryExecution', { execId });
  await flow.world.run(MINUTE_MS);
  expect(flow.runRow).toMatchObject({ status: 'succeeded' });
});

test.each([
  ['is only allowed beside a target', { retry: { maxAttempts: 2 } }],
  ['did you mean', { input: '{{ itme }}' }],
])('a fan-out of children: %s', async (message, load) => {
  const flow = await startedWithChild(PLAIN);
  const definition = { job: 'child', forEach: { items: [1] }, ...load };
  const answer = await flow.world.api('putJob', { jobId: 'etl' }, workflow({ load: definition }));
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain(message);
});
