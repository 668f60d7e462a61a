import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween, putsAttemptEntry, rowsPut } from '../../support/kill-between';
import { ask } from '../../support/run-requests';
import { WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const putsWaiting = (call: Call) => rowsPut(call, 'executions').some(({ status }) => status === 'queued');

const iso = (ms: number): string => new Date(ms).toISOString();

test('a task with a delay is called that long after it is ready, and the run says until when it waits', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ a: {}, b: { dependsOn: ['a'], delay: '10m' } });
  const execId = await flow.run();
  await flow.world.run(MINUTE_MS);
  const { body: waiting } = await ask(flow, 'getTask', { execId, taskId: 'b' });
  const endedMs = flow.taskRows().a!.finishedAtMs!;
  expect(waiting).toMatchObject({ kind: 'call', status: 'queued', reason: 'delayed', attempts: 0 });
  const startAtMs = Date.parse(waiting.nextAttemptAt as string);
  expect(startAtMs - endedMs).toBeGreaterThanOrEqual(10 * MINUTE_MS);
  expect(startAtMs - endedMs).toBeLessThanOrEqual(10 * MINUTE_MS + SECOND_MS);
  expect(flow.called).toEqual(['a']);
  await flow.world.run(10 * MINUTE_MS);
  expect(flow.called).toEqual(['a', 'b']);
  const { startedAtMs } = flow.taskRows().b!;
  expect(startedAtMs).toBe(startAtMs);
  expect(flow.runRow.status).toBe('succeeded');
  expect((await ask(flow, 'getTask', { execId, taskId: 'b' })).body).toMatchObject({ nextAttemptAt: null });
  expect(flow.world.errors()).toEqual([]);
});

test('a task without a target waits, calls nothing, and does not count towards maxParallel', async () => {
  const flow = await WorkflowWorld.started();
  const pause = { target: null, delay: '2h' };
  await flow.save({ pause, b: { dependsOn: ['pause'] }, c: {} }, {}, { maxParallel: 1 });
  const execId = await flow.run();
  await flow.world.run(HOUR_MS);
  expect(flow.called).toEqual(['c']);
  const { body } = await ask(flow, 'getTask', { execId, taskId: 'pause' });
  expect(body).toMatchObject({ kind: 'wait', status: 'queued', reason: 'delayed' });
  await flow.world.run(HOUR_MS + 10 * SECOND_MS);
  expect(flow.called).toEqual(['c', 'b']);
  expect(flow.taskRows().pause).toMatchObject({ status: 'succeeded', fence: 1, attempts: [] });
  expect(flow.runRow.status).toBe('succeeded');
});

test('notBefore is a time on the local day of the run, or a template of an instant', async () => {
  const flow = await WorkflowWorld.started();
  const dueMs = flow.world.clock.nowMs();
  const inBerlin = new Date(dueMs + 2 * HOUR_MS).toLocaleTimeString('en-GB', {
    timeZone: 'Europe/Berlin',
    hour: '2-digit',
    minute: '2-digit',
  });
  const schedule = { type: 'cron', expression: '0 2 1 1 *', timezone: 'Europe/Berlin' };
  const tasks = {
    local: { notBefore: inBerlin },
    template: { notBefore: "{{ run.dueAt | shift('30m') }}" },
    past: { notBefore: '00:00' },
    wrong: { notBefore: '{{ run.jobId }}' },
  };
  await flow.save(tasks, { schedule });
  const execId = await flow.run();
  await flow.world.run(MINUTE_MS);
  expect(flow.called).toEqual(['past']);
  expect(await flow.statuses(execId)).toMatchObject({ local: 'queued', template: 'queued', wrong: 'failed' });
  expect(flow.taskRows().wrong).toMatchObject({
    reason: 'bad-input',
    result: { body: expect.stringContaining('"etl"') },
  });
  await flow.world.run(2 * HOUR_MS);
  expect(flow.called).toEqual(['past', 'template', 'local']);
  const { template, local } = flow.taskRows();
  expect(iso(template!.startedAtMs!)).toBe(iso(flow.runRow.dueAtMs + 30 * MINUTE_MS));
  expect(local!.startedAtMs! - dueMs).toBeGreaterThan(2 * HOUR_MS - MINUTE_MS);
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
});

test('a task that waits for its time is cancelled with its run, and ends when the time of the run is over', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ a: { delay: '1h' } }, { timeout: '10m' });
  const cancelled = await flow.run();
  await flow.world.run(MINUTE_MS);
  await ask(flow, 'cancelExecution', { execId: cancelled });
  await flow.world.run(MINUTE_MS);
  expect(flow.runRow).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
  expect(flow.taskRows().a).toMatchObject({ status: 'cancelled', reason: 'stopped' });
  const second = await flow.run();
  await flow.world.run(12 * MINUTE_MS);
  expect(flow.runRow).toMatchObject({ execId: second, status: 'failed', reason: 'timed-out' });
  await flow.world.run(HOUR_MS);
  expect(flow.called).toEqual([]);
});

test('while its run is held its time may pass: the resumption sends it, and it is claimed once in between', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ a: { delay: '5m' }, b: { target: null, delay: '20m' } });
  const execId = await flow.run();
  await flow.world.run(MINUTE_MS);
  await ask(flow, 'pauseRun', { execId });
  await flow.world.run(30 * MINUTE_MS);
  expect(flow.called).toEqual([]);
  expect(flow.taskRows().a).toMatchObject({ status: 'retrying', fence: 1 });
  await ask(flow, 'resumeRun', { execId });
  await flow.world.run(10 * SECOND_MS);
  expect(flow.called).toEqual(['a']);
  expect(flow.runRow.status).toBe('succeeded');
});

test('skip of a task that waits for its time lets the tasks after it go on; a retry waits again', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ a: { delay: '1h' }, b: { dependsOn: ['a'] } });
  const execId = await flow.run();
  await flow.world.run(MINUTE_MS);
  expect((await ask(flow, 'skipTask', { execId, taskId: 'a' })).status).toBe(202);
  await flow.world.run(MINUTE_MS);
  expect(flow.called).toEqual(['b']);
  expect(flow.runRow.status).toBe('succeeded');
  await ask(flow, 'retryExecution', { execId }, { mode: 'from', tasks: ['a'] });
  await flow.world.run(MINUTE_MS);
  expect(await flow.statuses(execId)).toEqual({ a: 'queued', b: 'waiting' });
  await flow.world.run(HOUR_MS);
  expect(flow.called).toEqual(['b', 'a', 'b']);
  expect(flow.taskRows().a).toMatchObject({ status: 'succeeded', fence: 10_001 });
});

test('die-between-entry-and-row: the recheck of the run lets the task wait, and it is called once', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ a: {}, b: { dependsOn: ['a'], delay: '10m' } });
  const wasKilled = killBetween(flow.world, 'executor', [putsAttemptEntry, putsWaiting]);
  await flow.run();
  await flow.world.run(2 * MINUTE_MS);
  expect(wasKilled()).toBe(true);
  expect(flow.taskRows().b).toMatchObject({ status: 'queued' });
  await flow.world.run(10 * MINUTE_MS);
  expect(flow.called).toEqual(['a', 'b']);
  expect(flow.runRow.status).toBe('succeeded');
});

test('the message of a short delay is lost: the recheck of its entry sends it', async () => {
  const flow = await WorkflowWorld.started();
  await flow.save({ a: { delay: '30s' } });
  await flow.run();
  await flow.world.run(5 * SECOND_MS);
  expect(flow.taskRows().a).toMatchObject({ status: 'queued' });
  flow.world.queue.purge();
  await flow.world.run(2 * MINUTE_MS);
  expect(flow.called).toEqual(['a']);
});

test('a time that is none, or stands beside a switch, is answered with the field', async () => {
  const flow = await WorkflowWorld.started();
  const save = (task: object) =>
    flow.save({ a: task }).then(
      () => 'saved',
      (error: Error) => error.message,
    );
  expect(await save({ notBefore: '25:00' })).toContain('"path":"workflow.tasks.a.notBefore"');
  expect(await save({ notBefore: '{{ tasks.b.output }}' })).toContain('there is no task \\"b\\"');
  expect(await save({ delay: '31d' })).toContain('must be from 1s to 30d');
  const others = [
    { approval: {} },
    { switch: { on: '{{ run.day }}', cases: [], default: 'a' } },
    { await: { job: 'another', window: 'same-day' } },
  ];
  for (const other of others)
    expect(await save({ target: null, ...other, delay: '1h' })).toContain(
      'not allowed on a switch, an approval or an await',
    );
});
