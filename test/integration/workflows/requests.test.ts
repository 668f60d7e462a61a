import type { ProblemView } from '../../../lambdas/core/http/openapi/answers';
import { PipelineWorld } from '../../support/pipeline-world';
import { WorkflowWorld } from '../../support/workflow-world';

const TARGET = { type: 'http', url: 'https://example.com/hook' };
const NEVER = { type: 'at', at: '2027-12-01T00:00:00Z' };
const JOB = { jobId: 'etl' };

const errorsOf = (body: unknown) =>
  (body as ProblemView).errors!.map(({ path, message }) => `${path}: ${message}`);

test('a bad workflow is answered with the task, the field and what was probably meant', async () => {
  const world = await PipelineWorld.started(1);
  const put = (body: object) => world.api('putJob', JOB, { schedule: NEVER, ...body });
  const bad = await put({
    workflow: { tasks: { extract: { target: TARGET }, load: { dependsOn: ['extrct'] } } },
  });
  expect(bad.status).toBe(400);
  expect(errorsOf(bad.body)).toEqual([
    'workflow.tasks.load.dependsOn.0: no task "extrct"; did you mean "extract"?',
  ]);
  const tasks = {
    a: { target: { ...TARGET, url: 'nowhere' }, input: { day: '{{ run.dya }}' }, pool: 'none' },
  };
  expect(errorsOf((await put({ workflow: { tasks } })).body)).toEqual([
    expect.stringMatching(/^workflow\.tasks\.a\.input\.day: .*did you mean "day"/),
  ]);
  const pool = { a: { target: TARGET, pool: 'none' }, b: { target: { ...TARGET, url: 'ftp://x' } } };
  expect(errorsOf((await put({ workflow: { tasks: pool } })).body).toSorted()).toEqual([
    expect.stringMatching(/^workflow\.tasks\.a\.pool: "none" is no pool/),
    expect.stringMatching(/^workflow\.tasks\.b\.target\.url: /),
  ]);
});

test('a workflow excludes targets, a payload and templates, and bounds the time of a run', async () => {
  const world = await PipelineWorld.started(1);
  const workflow = { tasks: { a: { target: TARGET } } };
  const put = async (body: object) =>
    errorsOf((await world.api('putJob', JOB, { schedule: NEVER, workflow, ...body })).body);
  expect(await put({ target: TARGET })).toEqual([
    'target: excludes targets and workflow: give only one of the three',
  ]);
  expect(await put({ payload: 1 })).toEqual([
    expect.stringMatching(/^payload: is not allowed beside workflow/),
  ]);
  expect(await put({ templates: true })).toEqual([expect.stringMatching(/^templates: is not allowed/)]);
  expect(await put({ timeout: '30s' })).toEqual([expect.stringMatching(/^timeout: .* from 1m to 30d/)]);
});

test('an equal workflow changes nothing, another one is a new version, and the old one is kept', async () => {
  const world = await PipelineWorld.started(1);
  const put = (tasks: object) => world.api('putJob', JOB, { schedule: NEVER, workflow: { tasks } });
  const first = await put({ b: { dependsOn: ['a'] }, a: { target: TARGET } });
  expect(first.status).toBe(201);
  const same = await put({ a: { target: TARGET }, b: { dependsOn: [{ task: 'a' }], join: 'all' } });
  expect(same.headers!.etag).toBe(first.headers!.etag);
  const other = await put({ a: { target: TARGET } });
  expect(other.body).toMatchObject({
    generation: 1,
    changeNumber: 2,
    workflowVersion: { number: 2, tasks: 1 },
  });
  const { version } = (first.body as { workflowVersion: { version: string } }).workflowVersion;
  const versions = await world.api('listVersions', JOB);
  expect((versions.body as { items: object[] }).items).toMatchObject([
    { number: 2, isCurrent: true },
    { number: 1, isCurrent: false, version },
  ]);
  const kept = await world.api('getVersion', { ...JOB, version });
  expect(Object.keys((kept.body as { workflow: { tasks: object } }).workflow.tasks)).toEqual(['b', 'a']);
  expect((await world.api('getVersion', { ...JOB, version: 'x' })).status).toBe(404);
});

test('a patch changes one task, a change is shown with its tasks, and a restore brings the version back', async () => {
  const world = await PipelineWorld.started(1);
  const tasks = { a: { target: TARGET }, b: { dependsOn: ['a'], target: TARGET } };
  await world.api('putJob', JOB, { schedule: NEVER, workflow: { tasks } });
  const patched = await world.api('patchJob', JOB, { workflow: { tasks: { b: { timeout: '10m' } } } });
  expect(patched.body).toMatchObject({
    workflow: { tasks: { a: { target: TARGET }, b: { timeout: '10m', dependsOn: [{ task: 'a' }] } } },
  });
  const change = await world.api('getJobChange', { ...JOB, number: '2' });
  expect(change.body).toMatchObject({ patch: { workflow: { tasks: { b: { timeout: '10m' } } } } });
  const restored = await world.api('restoreJob', { ...JOB, number: '1' });
  expect(restored.status).toBe(200);
  expect(restored.body).toMatchObject({ workflowVersion: { number: 3 }, changeNumber: 3 });
  expect(JSON.stringify(restored.body)).not.toContain('10m');
});

test('a plain job becomes a workflow and a plain job again', async () => {
  const world = await PipelineWorld.started(1);
  await world.api('putJob', JOB, { schedule: NEVER, target: TARGET });
  const flow = await world.api('patchJob', JOB, { workflow: { tasks: { a: { target: TARGET } } } });
  expect([flow.status, (flow.body as { target?: object }).target]).toEqual([200, undefined]);
  const plain = await world.api('patchJob', JOB, { target: TARGET });
  expect(plain.body).toMatchObject({ target: TARGET });
  expect(plain.body).not.toHaveProperty('workflow');
});

test('a run is shown with its phase and its counts, and a list of tasks has an ETag', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = { workMs: 10_000 };
  await flow.save({ a: {}, b: { dependsOn: ['a'] } });
  const execId = await flow.run();
  await flow.world.run(2_000);
  const run = await flow.world.api('getExecution', { ...JOB, execId });
  expect(run.body).toMatchObject({
    status: 'running',
    workflow: {
      number: 1,
      phase: 'running',
      counts: { running: 1, waiting: 1, succeeded: 0 },
      failedTasks: [],
    },
  });
  const list = await flow.world.api('listTasks', { ...JOB, execId });
  expect((list.body as { items: object[] }).items).toMatchObject([
    { taskId: 'a', status: 'running', because: [] },
    { taskId: 'b', status: 'waiting', because: ['a'] },
  ]);
  const { etag } = list.headers as { etag: string };
  const again = await flow.world.api('listTasks', { ...JOB, execId }, undefined, { 'if-none-match': etag });
  expect(again.status).toBe(304);
  await flow.world.run(20_000);
  const later = await flow.world.api('listTasks', { ...JOB, execId }, undefined, { 'if-none-match': etag });
  expect(later.status).toBe(200);
  const task = await flow.world.api('getTask', { ...JOB, execId, taskId: 'a' });
  expect(task.body).toMatchObject({
    status: 'succeeded',
    attemptList: [{ attempt: 1, outcome: 'succeeded' }],
  });
  expect((await flow.world.api('getTask', { ...JOB, execId, taskId: 'none' })).status).toBe(404);
});

test('a task that runs is cancelled at its next heartbeat, one that waits for another is not', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = { workMs: 60_000 };
  await flow.save({ a: { timeout: '5m' }, b: { dependsOn: ['a'] } });
  const execId = await flow.run();
  await flow.world.run(2_000);
  const waiting = await flow.world.api('cancelTask', { ...JOB, execId, taskId: 'b' });
  expect(waiting.status).toBe(409);
  expect((await flow.world.api('cancelTask', { ...JOB, execId, taskId: 'a' })).status).toBe(202);
  await flow.world.run(20_000);
  expect(await flow.statuses(execId)).toEqual({ a: 'cancelled', b: 'blocked' });
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
  expect((await flow.world.api('cancelTask', { ...JOB, execId, taskId: 'a' })).status).toBe(409);
});

test('a run takes no payload and no retry', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ a: { enabled: false } });
  const payload = await flow.world.api('runJob', JOB, { payload: 1 });
  expect(errorsOf(payload.body)).toEqual([expect.stringMatching(/^payload: is not allowed/)]);
  const execId = await flow.run();
  await flow.world.run(2_000);
  expect((await flow.world.api('retryExecution', { ...JOB, execId })).status).toBe(409);
});

test('a plain execution has no tasks, and takes no force', async () => {
  const world = await PipelineWorld.started(1);
  await world.api('putJob', JOB, { schedule: NEVER, target: TARGET });
  world.on.executor = false;
  const { body } = await world.api('runJob', JOB);
  const { execId } = body as { execId: string };
  expect((await world.api('listTasks', { ...JOB, execId })).status).toBe(404);
  expect((await world.api('cancelExecution', { ...JOB, execId }, { force: true })).status).toBe(400);
});
