import { PLAIN, startedWithChild } from '../../support/child-world';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween, sends, setsStatus } from '../../support/kill-between';
import { ask, writesRun } from '../../support/run-requests';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

const marks = writesRun('#run.#marks');
const starts = writesRun('#run = :run');
const endsTask = setsStatus('succeeded');

const SEQUENCE = { a: {}, b: { dependsOn: ['a'] } };
/** Neither task shares the lane of what makes it ready: both are sent, and not kept. */
const SENT = { a: { priority: 'low' }, b: { priority: 'high', dependsOn: ['a'] } };
/** A run of two tasks whose executor dies once, between two writes. */
async function killed(first: (call: Call) => boolean, second: (call: Call) => boolean) {
  const flow = await WorkflowWorld.started();
  await flow.save(SENT);
  const wasKilled = killBetween(flow.world, 'executor', [first, second]);
  const execId = await flow.run();
  return { flow, execId, wasKilled };
}

test('die-between-start-and-send: the recheck sends the first tasks', async () => {
  const { flow, execId, wasKilled } = await killed(starts, sends);
  await flow.world.run(2 * MINUTE_MS);
  expect(wasKilled()).toBe(true);
  expect(flow.called).toEqual(['a', 'b']);
  expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', b: 'succeeded' });
  expect(flow.runRow.status).toBe('succeeded');
});

test('die-between-finish-and-mark: the recheck marks the task, and it is not called again', async () => {
  const { flow, wasKilled } = await killed(endsTask, marks);
  await flow.world.run(2 * MINUTE_MS);
  expect(wasKilled()).toBe(true);
  expect(flow.called).toEqual(['a', 'b']);
  expect(flow.runRow.status).toBe('succeeded');
  expect(flow.world.meter.total('RunsRepaired')).toBe(1);
});

test('die-between-mark-and-send: the recheck sends what has become ready', async () => {
  const { flow, wasKilled } = await killed(marks, sends);
  await flow.world.run(2 * MINUTE_MS);
  expect(wasKilled()).toBe(true);
  expect(flow.called).toEqual(['a', 'b']);
  expect(flow.runRow.status).toBe('succeeded');
});

test('die-between-mark-and-end: the recheck ends the run', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ a: {} });
  let isDead = false;
  flow.world.onCall = (stage, call, kill) => {
    if (stage !== 'executor' || isDead) return;
    const values = (call.input.ExpressionAttributeValues ?? {}) as Record<string, unknown>;
    if (values[':seenMoves'] === undefined || values[':status'] === undefined) return;
    isDead = true;
    kill();
  };
  await flow.run();
  await flow.world.run(2 * MINUTE_MS);
  expect(isDead).toBe(true);
  expect(flow.runRow.status).toBe('succeeded');
  expect(flow.called).toEqual(['a']);
});

test('an executor that dies in a task is taken over, and the run goes on', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save(SEQUENCE);
  let kills = 0;
  flow.behave.a = { workMs: 20 * SECOND_MS };
  flow.world.onExecutorCall = ({ command, input }, kill) => {
    const isHeartbeat =
      command === 'UpdateCommand' && input.UpdateExpression === 'SET #heartbeatAtMs = :nowMs';
    if (!isHeartbeat || kills > 0) return;
    kills += 1;
    kill();
  };
  const execId = await flow.run();
  await flow.world.run(3 * MINUTE_MS);
  expect(kills).toBe(1);
  expect(flow.called).toEqual(['a', 'a', 'b']);
  expect(flow.taskRows().a).toMatchObject({ status: 'succeeded', fence: 2, attempt: 2 });
  expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', b: 'succeeded' });
});

describe('an executor dies before it marks what a condition excludes', () => {
  const when = { value: '{{ params.full }}', equals: true };

  async function diedBeforeTheMark(task: object) {
    const flow = await WorkflowWorld.started();
    await flow.save({ first: { ...task, when }, next: {} }, {}, { params: { full: false } });
    let isDead = false;
    flow.world.onExecutorCall = (call, kill) => {
      if (isDead || !marks(call)) return;
      isDead = true;
      kill();
    };
    const execId = await flow.run();
    await flow.world.run(SECOND_MS);
    expect(isDead).toBe(true);
    return { flow, execId };
  }

  test.each<[string, object]>([
    ['a call', {}],
    ['a fan-out', { forEach: { items: [1, 2] } }],
    ['an approval', { target: null, approval: { timeout: '1h' } }],
    ['an await', { target: null, await: { job: 'other', window: 'same-day', timeout: '1h' } }],
    ['a join', { target: null }],
  ])('%s is excluded by the recheck of its run', async (_, task) => {
    const { flow, execId } = await diedBeforeTheMark(task);
    await flow.world.run(2 * MINUTE_MS);
    expect(await flow.statuses(execId)).toEqual({ first: 'excluded', next: 'succeeded' });
  });

  test('no user can decide on it meanwhile', async () => {
    const { flow, execId } = await diedBeforeTheMark({ target: null, approval: { timeout: '1h' } });
    const { status, body } = await ask(flow, 'rejectTask', { execId, taskId: 'first' }, {});
    expect([status, body.detail]).toEqual([409, 'the task first waits for no approval any more']);
  });
});

test('lost messages of tasks are sent again', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save(SENT);
  const execId = await flow.run();
  await flow.world.run(300);
  flow.world.queue.purge();
  await flow.world.run(2 * MINUTE_MS);
  expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', b: 'succeeded' });
  expect(flow.called).toEqual(['a', 'b']);
});

test('cancel stops what runs, starts nothing, and runs the finally tasks', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.slow = { workMs: 10 * MINUTE_MS };
  await flow.save({ slow: { timeout: '14m' }, next: { dependsOn: ['slow'] }, clean: { finally: 'always' } });
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  const { status } = await flow.world.api('cancelExecution', { jobId: flow.jobId, execId });
  expect(status).toBe(202);
  await flow.world.run(MINUTE_MS);
  expect(await flow.statuses(execId)).toEqual({ slow: 'cancelled', next: 'blocked', clean: 'succeeded' });
  expect(flow.runRow).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
});

test('cancel with force stops the finally tasks too', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.clean = { workMs: 10 * MINUTE_MS };
  await flow.save({ a: {}, clean: { finally: 'always', timeout: '14m' } });
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  await flow.world.api('cancelExecution', { jobId: flow.jobId, execId });
  await flow.world.run(5 * SECOND_MS);
  expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', clean: 'running' });
  await flow.world.api('cancelExecution', { jobId: flow.jobId, execId }, { force: true });
  await flow.world.run(MINUTE_MS);
  expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', clean: 'cancelled' });
  expect(flow.runRow.status).toBe('cancelled');
});

test('cancel between the start and the first claim: no task is called', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save(SENT);
  const execId = await flow.run();
  flow.world.onCall = (stage, { command }) => {
    if (stage === 'executor' && command === 'SendMessages') flow.world.on.executor = false;
  };
  await flow.world.run(SECOND_MS);
  expect(flow.runRow.run).toBeDefined();
  await flow.world.api('cancelExecution', { jobId: flow.jobId, execId });
  Object.assign(flow.world.on, { executor: true });
  await flow.world.run(MINUTE_MS);
  expect(flow.called).toEqual([]);
  expect(await flow.statuses(execId)).toEqual({ a: 'cancelled', b: 'blocked' });
  expect(flow.runRow.status).toBe('cancelled');
});

test('job-deleted-and-made-again-mid-run: the run of the old job ends, and calls nothing more', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = { workMs: 10 * SECOND_MS };
  await flow.save(SEQUENCE);
  await flow.run();
  await flow.world.run(3 * SECOND_MS);
  await flow.world.api('deleteJob', { jobId: flow.jobId });
  await flow.save(SEQUENCE);
  await flow.world.run(2 * MINUTE_MS);
  expect(flow.called).toEqual(['a']);
  expect(flow.runRow).toMatchObject({ status: 'cancelled', reason: 'deleted' });
});

const CONDITION = { value: '{{ run.status }}', equals: 'cancelled' };

test.each<[string, object]>([
  ['calls its target', {}],
  ['has a condition', { when: CONDITION }],
  ['has items', { forEach: { items: [1, 2] } }],
  ['waits before its items', { forEach: { items: [1, 2] }, delay: '15s' }],
  ['starts a child', { target: null, job: 'child' }],
  ['waits for a user', { target: null, approval: {} }],
])('job-deleted mid-run: no finally task begins, and the run ends. It %s', async (_, task) => {
  const flow = await startedWithChild(PLAIN, {
    tasks: { load: {}, clean: { finally: 'always', ...task } },
  });
  flow.behave.load = { workMs: 10 * SECOND_MS };
  const execId = await flow.run();
  await flow.world.run(3 * SECOND_MS);
  await flow.world.api('deleteJob', { jobId: flow.jobId });
  await flow.world.run(2 * MINUTE_MS);
  expect(flow.called).toEqual(['load']);
  expect(flow.runRow).toMatchObject({ execId, status: 'cancelled', reason: 'deleted' });
});

test('definition-changed mid-run: the run keeps the version that it started with', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = { workMs: 10 * SECOND_MS };
  await flow.save(SEQUENCE);
  const execId = await flow.run();
  await flow.world.run(3 * SECOND_MS);
  await flow.save({ a: {}, other: { dependsOn: ['a'] } });
  await flow.world.run(MINUTE_MS);
  expect(flow.called).toEqual(['a', 'b']);
  expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', b: 'succeeded' });
});

test('last-two-end-together: the run ends once', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = { workMs: SECOND_MS };
  flow.behave.b = { workMs: SECOND_MS };
  await flow.save({ a: {}, b: {} });
  await flow.run();
  await flow.world.run(10 * SECOND_MS);
  expect(flow.runRow.status).toBe('succeeded');
  expect(flow.runRow.run!.moves).toBe(2);
});

test('overlap queue: the next run starts when the whole run before has ended', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = { workMs: 10 * SECOND_MS };
  await flow.save(SEQUENCE, { overlap: 'queue' });
  await flow.run();
  await flow.world.run(2 * SECOND_MS);
  await flow.run();
  await flow.world.run(5 * SECOND_MS);
  expect(flow.called).toEqual(['a']);
  await flow.world.run(MINUTE_MS);
  expect(flow.called).toEqual(['a', 'b', 'a', 'b']);
});

test('report-repeated-after-the-api-died: the second report marks the task', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = { outcome: 'accepted', statusCode: 202 };
  const target = { type: 'http', url: 'https://example.com/hook', mode: 'async' };
  await flow.save({ a: { target, timeout: '1h' }, b: { dependsOn: ['a'] } }, { timeout: '3h' });
  await flow.run();
  await flow.world.run(2 * SECOND_MS);
  const authorization = `Bearer ${flow.lastHeaders['quarterjack-token']}`;
  const wasKilled = killBetween(flow.world, 'api', [endsTask, marks]);
  void flow.world.api('completeAttempt', {}, undefined, { authorization });
  await flow.world.run(2 * SECOND_MS);
  expect(wasKilled()).toBe(true);
  expect(flow.called).toEqual(['a']);
  const again = await flow.world.api('completeAttempt', {}, undefined, { authorization });
  expect(again.status).toBe(409);
  await flow.world.run(5 * SECOND_MS);
  expect(flow.called).toEqual(['a', 'b']);
  expect(flow.runRow.status).toBe('succeeded');
});

test('deployment-stopped-mid-run: it goes on afterwards', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = { workMs: 20 * SECOND_MS };
  await flow.save(SEQUENCE);
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  await flow.world.api('stopDeployment');
  await flow.world.run(5 * MINUTE_MS);
  expect(flow.called).toEqual(['a']);
  await flow.world.api('startDeployment');
  await flow.world.run(3 * MINUTE_MS);
  expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', b: 'succeeded' });
});

test('a failure under cancel does not leave a task alive when the run ends', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.bad = { workMs: 3 * SECOND_MS, result: FAILED };
  flow.behave.deaf = { workMs: 30 * SECOND_MS };
  await flow.save({ bad: {}, deaf: {}, later: { dependsOn: ['deaf'] } }, {}, { onTaskFailure: 'cancel' });
  const execId = await flow.run();
  await flow.world.run(8 * SECOND_MS);
  expect(flow.runRow.status).toBe('running');
  await flow.world.run(MINUTE_MS);
  expect(flow.runRow.status).toBe('failed');
  expect(flow.taskRows().deaf!.finishedAtMs!).toBeLessThanOrEqual(flow.runRow.finishedAtMs!);
  expect(await flow.statuses(execId)).toMatchObject({ deaf: 'cancelled', later: 'blocked' });
});
