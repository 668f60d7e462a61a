import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const succeeds = (output: unknown) =>
  ({
    outcome: 'succeeded',
    statusCode: 200,
    body: 'ok',
    output: { json: JSON.stringify(output) },
  }) as const;

/** The bodies of all calls, in their order. */
function bodiesOf(flow: WorkflowWorld): unknown[] {
  const bodies: unknown[] = [];
  const { observe } = flow.world;
  flow.world.observe = (delivery, target) => {
    bodies.push(JSON.parse(delivery.body.toString('utf8') || 'null'));
    observe?.(delivery, target);
  };
  return bodies;
}

/** The largest number of items that were called at the same time. */
function widthOf(flow: WorkflowWorld, task: string): () => number {
  let [now, most] = [0, 0];
  const { behaviour } = flow.world;
  flow.world.behaviour = async (...call) => {
    const isItem = flow.lastHeaders['quarterjack-task'] === task;
    if (isItem) most = Math.max(most, ++now);
    try {
      return await behaviour(...call);
    } finally {
      if (isItem) now -= 1;
    }
  };
  return () => most;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('a task is called once for each item, and hands on the outputs in their order', async () => {
  const flow = await WorkflowWorld.started();
  const bodies = bodiesOf(flow);
  flow.behave.list = succeeds({ files: ['a', 'b', 'c'] });
  for (const item of numbers(3)) flow.behave[`load.${item}`] = succeeds({ rows: item });
  await flow.save({
    list: {},
    load: {
      dependsOn: ['list'],
      forEach: { items: '{{ tasks.list.output.files }}' },
      input: { file: '{{ item }}', n: '{{ index }}' },
    },
    sum: {
      dependsOn: ['load'],
      input: { outputs: '{{ tasks.load.output }}', of: '{{ tasks.load.succeeded }}/{{ tasks.load.count }}' },
    },
  });
  const execId = await flow.run();
  await flow.world.run(5_000);
  expect(await flow.statuses(execId)).toEqual({ list: 'succeeded', load: 'succeeded', sum: 'succeeded' });
  expect(bodies).toContainEqual({ file: 'b', n: 1 });
  expect(bodies.at(-1)).toEqual({ outputs: [{ rows: 0 }, { rows: 1 }, { rows: 2 }], of: '3/3' });
  expect(flow.runRow.status).toBe('succeeded');
});

test('no items: the task has succeeded at once', async () => {
  const flow = await WorkflowWorld.started();
  const bodies = bodiesOf(flow);
  await flow.save({
    load: { forEach: { items: [] } },
    after: { dependsOn: ['load'], input: '{{ tasks.load.output }}' },
  });
  await flow.run();
  await flow.world.run(5_000);
  expect(flow.called).toEqual(['after']);
  expect(bodies).toEqual([[]]);
});

test('the window: never more items at once, and the next one begins when one ends', async () => {
  const flow = await WorkflowWorld.started();
  const width = widthOf(flow, 'load');
  flow.behave.load = { workMs: 300 };
  flow.behave['load.0'] = { workMs: 3_000 };
  await flow.save({ load: { forEach: { items: numbers(120), concurrency: 7 } } });
  await flow.run();
  await flow.world.run(20_000);
  expect(width()).toBe(7);
  expect(flow.called).toHaveLength(120);
  expect(flow.runRow.status).toBe('succeeded');
  // A batch would have waited for the first item.
  const first = flow.taskRows()['load.0']!.finishedAtMs!;
  expect(flow.taskRows()['load.30']!.finishedAtMs!).toBeLessThan(first);
});

test.each([
  { tolerate: 2, status: 'succeeded' },
  { tolerate: 1, status: 'failed' },
  { tolerate: '40%', status: 'succeeded' },
  { tolerate: '39%', status: 'failed' },
])('two of five items fail, $tolerate tolerated: $status', async ({ tolerate, status }) => {
  const flow = await WorkflowWorld.started();
  flow.behave['load.1'] = FAILED;
  flow.behave['load.3'] = FAILED;
  await flow.save({ load: { forEach: { items: numbers(5), tolerate } } });
  const execId = await flow.run();
  await flow.world.run(5_000);
  expect((await flow.statuses(execId)).load).toBe(status);
  expect(flow.taskRows().load!.items).toEqual({ count: 5, succeeded: 3, failed: 2, cancelled: 0 });
  expect(flow.taskRows().load!.reason).toBe(status === 'failed' ? 'items-failed' : undefined);
});

test('a retry of what failed runs the failed items alone, and gathers the outputs of both rounds', async () => {
  const flow = await WorkflowWorld.started();
  const bodies = bodiesOf(flow);
  for (const item of numbers(60)) flow.behave[`load.${item}`] = succeeds(item);
  flow.behave['load.7'] = FAILED;
  flow.behave['load.55'] = FAILED;
  await flow.save({
    load: { forEach: { items: numbers(60), concurrency: 5 } },
    sum: { dependsOn: ['load'], input: '{{ tasks.load.output }}' },
  });
  const execId = await flow.run();
  await flow.world.run(10_000);
  expect(flow.runRow.status).toBe('failed');
  flow.called.length = 0;
  flow.behave['load.7'] = succeeds('mended');
  await flow.world.api('retryExecution', { jobId: flow.jobId, execId }, {});
  await flow.world.run(10_000);
  expect(flow.called.toSorted()).toEqual(['load.55', 'load.7']);
  flow.behave['load.55'] = succeeds('too');
  await flow.world.api('retryExecution', { jobId: flow.jobId, execId }, {});
  await flow.world.run(10_000);
  expect(flow.called.slice(2)).toEqual(['load.55', 'sum']);
  const expected = numbers(60).map((item) => ({ 7: 'mended', 55: 'too' })[item] ?? item);
  expect(bodies.at(-1)).toEqual(expected);
  expect(flow.runRow.status).toBe('succeeded');
});

test.each([
  ['not a list', '{{ run.day }}', 'must be a list'],
  ['too many items', '{{ params.many | range }}', 'at most 10000'],
  ['too many items without a window', '{{ params.some | range }}', 'need a "concurrency"'],
])('items that are %s: the task fails, and says why', async (_, items, message) => {
  const flow = await WorkflowWorld.started();
  await flow.save({ load: { forEach: { items } } }, {}, { params: { many: 10_001, some: 1_001 } });
  await flow.run();
  await flow.world.run(5_000);
  const { load } = flow.taskRows();
  expect(load).toMatchObject({ status: 'failed', reason: 'bad-input' });
  expect(load!.result!.body).toContain(message);
  expect(flow.called).toEqual([]);
});

test('a cancel of the run ends the items that run, and begins no other', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.load = { workMs: 60_000 };
  await flow.save({ load: { forEach: { items: numbers(70), concurrency: 3 } } });
  const execId = await flow.run();
  await flow.world.run(5_000);
  await flow.world.api('cancelExecution', { jobId: flow.jobId, execId });
  await flow.world.run(30_000);
  expect(flow.runRow).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
  expect(flow.called).toHaveLength(3);
  expect(flow.taskRows().load).toMatchObject({
    status: 'cancelled',
    items: { count: 70, succeeded: 0, failed: 0, cancelled: 70 },
  });
});

test('a paused run begins no item, and goes on with the whole window', async () => {
  const flow = await WorkflowWorld.started();
  const width = widthOf(flow, 'load');
  flow.behave.load = { workMs: 2_000 };
  await flow.save({ load: { forEach: { items: numbers(12), concurrency: 3 } } });
  const execId = await flow.run();
  await flow.world.run(1_000);
  await flow.world.api('pauseRun', { jobId: flow.jobId, execId });
  await flow.world.run(60_000);
  expect(flow.called).toHaveLength(3);
  await flow.world.api('resumeRun', { jobId: flow.jobId, execId });
  await flow.world.run(15_000);
  expect(flow.called).toHaveLength(12);
  expect(width()).toBe(3);
  expect(flow.runRow.status).toBe('succeeded');
});

test('the API shows the fan-out and its items', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.load = { workMs: 60_000 };
  flow.behave['load.0'] = FAILED;
  await flow.save({ load: { forEach: { items: ['a', 'b', 'c', 'd', 'e'], concurrency: 2, tolerate: 5 } } });
  const execId = await flow.run();
  await flow.world.run(5_000);
  const path = { jobId: flow.jobId, execId, taskId: 'load' };
  const task = await flow.world.api('getTask', path);
  expect(task.body).toMatchObject({
    kind: 'forEach',
    status: 'running',
    items: { count: 5, succeeded: 0, failed: 1, cancelled: 0, running: 2, waiting: 2 },
  });
  const items = await flow.world.api('listItems', path);
  const statuses = (items.body as { items: { item: string; status: string }[] }).items;
  expect(statuses.map(({ item, status }) => `${item} ${status}`)).toEqual([
    'a failed',
    'b running',
    'c running',
    'd waiting',
    'e waiting',
  ]);
  const failed = await flow.world.api('getItem', { ...path, index: '0' });
  expect(failed.body).toMatchObject({ index: 0, item: 'a', status: 'failed', attemptList: [{ attempt: 1 }] });
  expect((await flow.world.api('getItem', { ...path, index: '5' })).status).toBe(404);
});

test('a check lists the items, shows what the first one gets, and counts the writes of all', async () => {
  const flow = await WorkflowWorld.started();
  const target = { type: 'http', url: 'https://example.com/hook' };
  const forEach = { items: '{{ tasks.list.output }}', concurrency: 2 };
  const load = { dependsOn: ['list'], forEach, target, input: { name: '{{ item.name }}' } };
  const body = {
    workflow: {
      tasks: { list: { target }, load },
      output: { of: '{{ tasks.load.count }}' },
    },
    outputs: { list: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
  };
  const checked = await flow.world.api('checkWorkflow', {}, body);
  // A run costs 4, a call 3; a fan-out 3, its segment 2, each item 3, and one item is taken later.
  expect(checked.body).toMatchObject({
    errors: [],
    rendered: { load: { name: 'a' } },
    output: { of: 3 },
    estimate: { writes: 4 + 3 + 3 + 2 + 9 + 1 },
  });
  const wrong = { ...load, when: { value: '{{ item.name }}', equals: 1 }, forEach: { items: '{{ item }}' } };
  const refused = await flow.world.api(
    'checkWorkflow',
    {},
    { workflow: { tasks: { list: { target }, load: wrong } } },
  );
  const paths = (refused.body as { errors: { path: string }[] }).errors.map(({ path }) => path);
  expect(paths).toEqual(['workflow.tasks.load.when.value', 'workflow.tasks.load.forEach.items']);
});

test('the output of a run', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.count = succeeds({ rows: 7 });
  const output = { rows: '{{ tasks.count.output.rows }}', status: '{{ run.status }}' };
  await flow.save({ count: {} }, {}, { output });
  const execId = await flow.run();
  await flow.world.run(5_000);
  const { body } = await flow.world.api('getExecution', { jobId: flow.jobId, execId });
  expect(body).toMatchObject({ status: 'succeeded', workflow: { output: { rows: 7, status: 'succeeded' } } });
});

test('a run whose output cannot be rendered has failed', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.count = succeeds({});
  await flow.save({ count: {} }, {}, { output: '{{ tasks.count.output.rows }}' });
  await flow.run();
  await flow.world.run(5_000);
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'bad-input' });
  expect(flow.runRow.result!.body).toContain('tasks.count.output.rows has no value');
});
