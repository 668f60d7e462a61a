import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const MINUTE_MS = 60_000;

const shown = async (flow: WorkflowWorld, execId: string) =>
  (await flow.world.api('getExecution', { jobId: flow.jobId, execId })).body as Record<string, unknown>;

test('tasks run after what they depend on, and the run succeeds once all have ended', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({
    extract: {},
    left: { dependsOn: ['extract'] },
    right: { dependsOn: ['extract'] },
    joined: { dependsOn: ['left', 'right'], target: null },
    load: { dependsOn: ['joined'] },
  });
  const execId = await flow.run();
  await flow.world.run(5_000);
  expect(flow.called[0]).toBe('extract');
  expect(flow.called.slice(1, 3).toSorted()).toEqual(['left', 'right']);
  expect(flow.called.slice(3)).toEqual(['load']);
  expect(flow.runRow).toMatchObject({ execId, status: 'succeeded', trigger: 'manual' });
  expect(new Set(Object.values(await flow.statuses(execId)))).toEqual(new Set(['succeeded']));
  expect(flow.world.errors()).toEqual([]);
});

test('a delivery of a task names its run, its task and the time at which the run was due', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ extract: { input: { day: '{{ run.day }}', id: '{{ run.id }}' } } });
  const execId = await flow.run();
  let body: unknown;
  const { observe } = flow.world;
  flow.world.observe = (delivery, target) => {
    body = JSON.parse(delivery.body.toString('utf8'));
    observe?.(delivery, target);
  };
  await flow.world.run(5_000);
  expect(flow.lastHeaders).toMatchObject({
    'quarterjack-job': 'etl',
    'quarterjack-execution': execId,
    'quarterjack-task': 'extract',
    'quarterjack-round': '1',
    'quarterjack-due': new Date(flow.runRow.dueAtMs).toISOString(),
  });
  expect(body).toEqual({ day: '2026-12-01', id: execId });
});

// Its id keeps the time for which it was first asked.
test('a task is due when its run is, also after that was moved', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ extract: {} });
  const ask = (body: object) => flow.world.api('runJob', { jobId: 'etl' }, { key: 'k', ...body });
  expect(await ask({ delay: '10m' })).toMatchObject({ body: { created: true } });
  expect(await ask({ delay: '1m', onExisting: 'replace' })).toMatchObject({ body: { created: false } });
  await flow.world.run(2 * 60_000);
  expect(flow.runRow.status).toBe('succeeded');
  expect(flow.lastHeaders['quarterjack-due']).toBe(new Date(flow.runRow.dueAtMs).toISOString());
});

test('a failure blocks what needs it, runs what handles it, and fails the run', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.extract = FAILED;
  await flow.save({
    extract: {},
    load: { dependsOn: ['extract'] },
    handle: { dependsOn: [{ task: 'extract', if: 'failed' }] },
    after: { dependsOn: [{ task: 'load', if: 'done' }] },
    alarm: { finally: 'failed' },
    thanks: { finally: 'succeeded' },
  });
  const execId = await flow.run();
  await flow.world.run(5_000);
  expect(await flow.statuses(execId)).toEqual({
    extract: 'failed',
    load: 'blocked',
    handle: 'succeeded',
    after: 'succeeded',
    alarm: 'succeeded',
    thanks: 'excluded',
  });
  expect(flow.runRow).toMatchObject({
    status: 'failed',
    reason: 'task-failed',
    result: { body: 'failed tasks: extract' },
  });
});

test('a failure that is allowed fails nothing', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.extract = FAILED;
  await flow.save({ extract: { allowFailure: true }, load: { dependsOn: ['extract'] } });
  const execId = await flow.run();
  await flow.world.run(5_000);
  expect(await flow.statuses(execId)).toEqual({ extract: 'failed', load: 'succeeded' });
  expect(flow.runRow.status).toBe('succeeded');
});

test('a task that fails is tried again by its own retry policy', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.extract = { outcome: 'retriable', statusCode: 503, error: 'target answered 503' };
  await flow.save({
    extract: { retry: { maxAttempts: 2, initialDelay: '1s' } },
    load: { dependsOn: ['extract'] },
  });
  const execId = await flow.run();
  await flow.world.run(30_000);
  expect(flow.called).toEqual(['extract', 'extract']);
  expect(flow.taskRows().extract).toMatchObject({
    status: 'failed',
    reason: 'attempts-exhausted',
    failures: 1,
  });
  expect(await flow.statuses(execId)).toEqual({ extract: 'failed', load: 'blocked' });
});

test('the cause of a failed run is that of the task that failed first, until it is retried', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.load = { ...FAILED, body: 'UniqueViolation: key 7\nat x' };
  await flow.save({
    slow: {},
    load: {},
    alarm: { dependsOn: [{ task: 'load', if: 'failed' }] },
  });
  flow.behave.alarm = { workMs: 5_000, result: { ...FAILED, statusCode: 418 } };
  const execId = await flow.run();
  await flow.world.run(30_000);
  const failed = await shown(flow, execId);
  expect(failed).toMatchObject({ status: 'failed', failedTask: 'load', excerpt: 'UniqueViolation: key 7' });
  expect(failed.fingerprint).toMatch(/^failed\/task-failed\/status\/400\/\S+\/[0-9a-f]{8}\/load$/);
  flow.behave.load = flow.behave.alarm = { workMs: 0 };
  await flow.world.api('retryExecution', { jobId: flow.jobId, execId });
  await flow.world.run(30_000);
  expect((await shown(flow, execId)).failedTask).toBeUndefined();
});

test('with the policy stop nothing new starts, and what runs may finish', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.bad = FAILED;
  flow.behave.slow = { workMs: 10_000 };
  await flow.save(
    { bad: {}, slow: {}, next: { dependsOn: ['slow'] }, clean: { finally: 'always' } },
    {},
    { onTaskFailure: 'stop' },
  );
  const execId = await flow.run();
  await flow.world.run(30_000);
  expect(await flow.statuses(execId)).toEqual({
    bad: 'failed',
    slow: 'succeeded',
    next: 'stopped',
    clean: 'succeeded',
  });
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
});

test('with the policy cancel what runs is cancelled', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.bad = FAILED;
  flow.behave.slow = { workMs: 10 * MINUTE_MS };
  await flow.save({ bad: {}, slow: { timeout: '14m' } }, {}, { onTaskFailure: 'cancel' });
  const execId = await flow.run();
  await flow.world.run(MINUTE_MS);
  expect(await flow.statuses(execId)).toEqual({ bad: 'failed', slow: 'cancelled' });
  expect(flow.taskRows().slow).toMatchObject({ reason: 'task-failed' });
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
});

test('a run that takes longer than its time is stopped, and its finally tasks run', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.slow = { workMs: 10 * MINUTE_MS };
  await flow.save(
    { slow: { timeout: '14m' }, next: { dependsOn: ['slow'] }, clean: { finally: 'always' } },
    { timeout: '1m' },
  );
  const execId = await flow.run();
  await flow.world.run(3 * MINUTE_MS);
  expect(await flow.statuses(execId)).toEqual({ slow: 'cancelled', next: 'blocked', clean: 'succeeded' });
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'timed-out' });
});

test('no more than maxParallel tasks are called at once, the most urgent first', async () => {
  const flow = await WorkflowWorld.started();
  for (const id of ['a', 'b', 'c', 'd', 'e']) flow.behave[id] = { workMs: 3_000 };
  await flow.save({ a: {}, b: {}, c: {}, d: { priority: 'high' }, e: {} }, {}, { maxParallel: 2 });
  const execId = await flow.run();
  await flow.world.run(2_000);
  expect(flow.called.toSorted()).toEqual(['a', 'd']);
  await flow.world.run(20_000);
  expect(flow.called).toHaveLength(5);
  expect(new Set(Object.values(await flow.statuses(execId)))).toEqual(new Set(['succeeded']));
  expect(flow.runRow.status).toBe('succeeded');
});

test('a task without work that the user has disabled lets the tasks after it go on', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ a: { enabled: false }, b: { dependsOn: ['a'] } });
  const execId = await flow.run();
  await flow.world.run(5_000);
  expect(flow.called).toEqual(['b']);
  expect(await flow.statuses(execId)).toEqual({ a: 'skipped', b: 'succeeded' });
});
