import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween, rowsPut, sends } from '../../support/kill-between';
import { ask, writesRun } from '../../support/run-requests';
import { WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('a paused run', () => {
  test('begins no task, lets what runs finish, and goes on once it is resumed', async () => {
    const flow = await WorkflowWorld.started();
    flow.behave.a = { workMs: 10 * SECOND_MS };
    await flow.save({ a: {}, b: { dependsOn: ['a'] } }, { timeout: '2m' });
    const execId = await flow.run();
    await flow.world.run(2 * SECOND_MS);
    const paused = await ask(flow, 'pauseRun', { execId });
    expect(paused.status).toBe(202);
    expect(paused.body).toMatchObject({ workflow: { phase: 'held', heldAt: expect.any(String) } });
    expect((await ask(flow, 'pauseRun', { execId })).body).toEqual(paused.body);
    // Held for longer than its time: what is held is not timed out.
    await flow.world.run(10 * MINUTE_MS);
    expect(flow.called).toEqual(['a']);
    expect(await flow.statuses(execId)).toEqual({ a: 'succeeded', b: 'queued' });
    const waiting = await ask(flow, 'listWaiting', {});
    expect(waiting.body.items).toEqual([expect.objectContaining({ kind: 'held', execId, taskId: null })]);
    const resumed = await ask(flow, 'resumeRun', { execId });
    expect(resumed.body).toMatchObject({ workflow: { phase: 'running', heldAt: null } });
    await flow.world.run(5 * SECOND_MS);
    expect(flow.called).toEqual(['a', 'b']);
    expect(flow.runRow.status).toBe('succeeded');
    expect((await ask(flow, 'listWaiting', {})).body.items).toEqual([]);
    expect((await ask(flow, 'pauseRun', { execId })).status).toBe(409);
    expect(flow.world.errors()).toEqual([]);
  });

  test('puts back a task whose message was out, and a resumption sends it', async () => {
    const flow = await WorkflowWorld.started();
    await flow.save({ a: {} });
    const execId = await flow.run();
    // The message of the task is sent with the start of its run; the pause comes before its claim.
    let isPaused = false;
    const starts = writesRun('#run = :run');
    flow.world.onCall = (stage, call) => {
      if (stage !== 'executor' || isPaused || !starts(call)) return;
      isPaused = true;
      void ask(flow, 'pauseRun', { execId });
    };
    await flow.world.run(2 * MINUTE_MS);
    expect(flow.called).toEqual([]);
    expect(await flow.statuses(execId)).toEqual({ a: 'retrying' });
    await ask(flow, 'resumeRun', { execId });
    await flow.world.run(5 * SECOND_MS);
    expect(flow.called).toEqual(['a']);
    expect(flow.runRow.status).toBe('succeeded');
  });

  test('die-between-resume-and-send: the recheck sends what was held', async () => {
    const flow = await WorkflowWorld.started();
    flow.behave.a = { workMs: 5 * SECOND_MS };
    await flow.save({ a: {}, b: { dependsOn: ['a'] } });
    const execId = await flow.run();
    await flow.world.run(2 * SECOND_MS);
    await ask(flow, 'pauseRun', { execId });
    await flow.world.run(MINUTE_MS);
    const wasKilled = killBetween(flow.world, 'api', [writesRun('#run.#touchedAtMs'), sends]);
    void ask(flow, 'resumeRun', { execId }); // its process dies
    await flow.world.run(2 * MINUTE_MS);
    expect(wasKilled()).toBe(true);
    expect(flow.called).toEqual(['a', 'b']);
    expect(flow.runRow.status).toBe('succeeded');
  });

  test('ends if it is cancelled', async () => {
    const flow = await WorkflowWorld.started();
    flow.behave.a = { workMs: 5 * SECOND_MS };
    await flow.save({ a: {}, b: { dependsOn: ['a'] }, last: { finally: 'always' } });
    const execId = await flow.run();
    await flow.world.run(2 * SECOND_MS);
    await ask(flow, 'pauseRun', { execId });
    await flow.world.run(MINUTE_MS);
    await ask(flow, 'cancelExecution', { execId });
    await flow.world.run(MINUTE_MS);
    expect(flow.called).toEqual(['a', 'last']);
    expect(flow.runRow).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
  });
});

const APPROVAL = { target: null, approval: { timeout: '1h', note: 'Release {{ run.day }}?' } };

describe('an approval', () => {
  test('waits without an executor until a user approves it, and hands on what the user gave', async () => {
    const flow = await WorkflowWorld.started();
    await flow.save({
      build: {},
      release: { ...APPROVAL, dependsOn: ['build'] },
      publish: { dependsOn: ['release'], input: '{{ tasks.release.output.version }}' },
    });
    const execId = await flow.run();
    await flow.world.run(10 * MINUTE_MS);
    expect(flow.called).toEqual(['build']);
    expect(await flow.statuses(execId)).toMatchObject({ release: 'queued', publish: 'waiting' });
    expect((await ask(flow, 'listWaiting', {})).body.items).toEqual([
      expect.objectContaining({ kind: 'approval', taskId: 'release', note: 'Release 2026-12-01?' }),
    ]);
    const approve = () =>
      ask(flow, 'approveTask', { execId, taskId: 'release' }, { comment: 'checked', output: { version: 3 } });
    const approved = await approve();
    expect(approved.status).toBe(200);
    expect(approved.body).toMatchObject({
      kind: 'approval',
      status: 'succeeded',
      decided: { by: { sub: 'alice' }, comment: 'checked' },
      output: { version: 3 },
    });
    const again = await approve();
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('succeeded by alice')]);
    await flow.world.run(5 * SECOND_MS);
    expect(flow.called).toEqual(['build', 'publish']);
    expect(flow.runRow.status).toBe('succeeded');
    expect((await ask(flow, 'listWaiting', {})).body.items).toEqual([]);
  });

  test('that is rejected fails its task and the run', async () => {
    const flow = await WorkflowWorld.started();
    await flow.save({ release: APPROVAL, publish: { dependsOn: ['release'] } });
    const execId = await flow.run();
    await flow.world.run(5 * SECOND_MS);
    const rejected = await ask(flow, 'rejectTask', { execId, taskId: 'release' }, { comment: 'not yet' });
    expect(rejected.body).toMatchObject({ status: 'failed', reason: 'rejected' });
    await flow.world.run(5 * SECOND_MS);
    expect(await flow.statuses(execId)).toEqual({ release: 'failed', publish: 'blocked' });
    expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
  });

  test.each([
    ['fail', 'failed', 'blocked'],
    ['approve', 'succeeded', 'succeeded'],
  ])('with onTimeout %s is %s once its time is over', async (onTimeout, release, publish) => {
    const flow = await WorkflowWorld.started();
    await flow.save({
      release: { target: null, approval: { timeout: '2m', onTimeout } },
      publish: { dependsOn: ['release'] },
    });
    const execId = await flow.run();
    await flow.world.run(90 * SECOND_MS);
    expect((await flow.statuses(execId)).release).toBe('queued');
    await flow.world.run(2 * MINUTE_MS);
    expect(await flow.statuses(execId)).toEqual({ release, publish });
    expect(flow.taskRows().release).toMatchObject({ reason: 'timed-out' });
  });

  test('keeps its time while its run is paused, and what follows waits for the resumption', async () => {
    const flow = await WorkflowWorld.started();
    await flow.save({
      release: { target: null, approval: { timeout: '2m', onTimeout: 'approve' } },
      publish: { dependsOn: ['release'] },
    });
    const execId = await flow.run();
    await flow.world.run(SECOND_MS);
    await ask(flow, 'pauseRun', { execId });
    await flow.world.run(4 * MINUTE_MS);
    expect(await flow.statuses(execId)).toEqual({ release: 'succeeded', publish: 'queued' });
    await ask(flow, 'resumeRun', { execId });
    await flow.world.run(10 * SECOND_MS);
    expect(await flow.statuses(execId)).toEqual({ release: 'succeeded', publish: 'succeeded' });
  });

  test('die-between-decision-and-mark: the recheck marks it', async () => {
    const flow = await WorkflowWorld.started();
    await flow.save({ release: APPROVAL, publish: { dependsOn: ['release'] } });
    const execId = await flow.run();
    await flow.world.run(5 * SECOND_MS);
    const puts = ({ command, input }: Call) =>
      command === 'PutCommand' && (input.Item as { status?: string }).status === 'succeeded';
    const wasKilled = killBetween(flow.world, 'api', [puts, writesRun('#run.#marks')]);
    void ask(flow, 'approveTask', { execId, taskId: 'release' }); // its process dies
    await flow.world.run(2 * MINUTE_MS);
    expect(wasKilled()).toBe(true);
    expect(flow.called).toEqual(['publish']);
    expect(flow.runRow.status).toBe('succeeded');
  });

  test('is not for who started the run, if it says so, and ends with a cancelled run', async () => {
    const flow = await WorkflowWorld.started();
    await flow.save({ release: { target: null, approval: { notBy: 'starter' } } });
    const execId = await flow.run();
    await flow.world.run(5 * SECOND_MS);
    expect((await ask(flow, 'approveTask', { execId, taskId: 'release' })).status).toBe(403);
    await ask(flow, 'cancelExecution', { execId });
    await flow.world.run(5 * SECOND_MS);
    expect(await flow.statuses(execId)).toEqual({ release: 'cancelled' });
    expect(flow.runRow.status).toBe('cancelled');
    expect((await ask(flow, 'approveTask', { execId, taskId: 'release' })).status).toBe(409);
    expect((await ask(flow, 'listWaiting', {})).body.items).toEqual([]);
  });
});

describe('a skip', () => {
  test('of a task that waits, or is ready, lets the tasks after it go on', async () => {
    const flow = await WorkflowWorld.started();
    flow.behave.a = { workMs: 10 * SECOND_MS };
    await flow.save({
      a: {},
      b: { dependsOn: ['a'] },
      c: { dependsOn: ['b'] },
      route: {
        target: null,
        dependsOn: ['a'],
        switch: { on: 'x', cases: [{ branch: 'yes', equals: 'y' }], default: 'no' },
      },
      yes: { dependsOn: [{ task: 'route', branch: 'yes' }] },
      gate: APPROVAL,
    });
    const execId = await flow.run();
    await flow.world.run(2 * SECOND_MS);
    const skip = async (taskId: string, body?: object) =>
      (await ask(flow, 'skipTask', { execId, taskId }, body)).status;
    expect(await skip('a')).toBe(409);
    expect(await skip('b')).toBe(202);
    expect(await skip('b')).toBe(409);
    expect(await skip('route')).toBe(400);
    expect(await skip('route', { branch: 'yes' })).toBe(202);
    expect(await skip('gate')).toBe(202);
    await flow.world.run(20 * SECOND_MS);
    expect(await flow.statuses(execId)).toEqual({
      a: 'succeeded',
      b: 'skipped',
      c: 'succeeded',
      route: 'skipped',
      yes: 'succeeded',
      gate: 'skipped',
    });
    expect(flow.called.toSorted()).toEqual(['a', 'c', 'yes']);
    expect(flow.runRow.status).toBe('succeeded');
    const audit = await flow.world.api('listAudit', {});
    expect((audit.body as { items: object[] }).items).toEqual([
      expect.objectContaining({ what: 'approval.overridden', outcome: 'done' }),
    ]);
  });

  test('of a task that waits for its next attempt ends it', async () => {
    const flow = await WorkflowWorld.started();
    flow.behave.a = { outcome: 'retriable', statusCode: 503, error: 'target answered 503' };
    await flow.save({
      a: { retry: { maxAttempts: 3, initialDelay: '1h', maxDelay: '1h' } },
      b: { dependsOn: ['a'] },
    });
    const execId = await flow.run();
    await flow.world.run(5 * SECOND_MS);
    expect((await ask(flow, 'skipTask', { execId, taskId: 'a' })).body).toMatchObject({ status: 'skipped' });
    await flow.world.run(2 * HOUR_MS);
    expect(flow.called).toEqual(['a', 'b']);
    expect(flow.runRow.status).toBe('succeeded');
  });
});

test.each([
  ['skip', 'skipTask', 'skipped'],
  ['cancel', 'cancelTask', 'cancelled'],
])(
  'a %s of a task that was not released counts, even if its process dies in it and the run stops',
  async (_, operation, status) => {
    const flow = await WorkflowWorld.started();
    flow.behave.a = { workMs: 10 * SECOND_MS };
    await flow.save({ a: {}, b: {} }, {}, { maxParallel: 1 });
    const execId = await flow.run();
    await flow.world.run(2 * SECOND_MS);
    const putsRow = (call: Call) => rowsPut(call, 'executions').some(({ execId }) => execId === 'b');
    const wasKilled = killBetween(flow.world, 'api', [putsRow, writesRun('#run.#marks')]);
    void ask(flow, operation, { execId, taskId: 'b' }); // its process dies
    await flow.world.run(SECOND_MS);
    expect(wasKilled()).toBe(true);
    await flow.world.api('cancelExecution', { jobId: flow.jobId, execId });
    await flow.world.run(2 * MINUTE_MS);
    expect(await flow.statuses(execId)).toEqual({ a: 'cancelled', b: status });
    expect(flow.runRow.status).toBe('cancelled');
  },
);

test('a cancel of a task that was not released says by whom, and the run goes on without it', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.a = { workMs: 10 * SECOND_MS };
  await flow.save(
    { a: {}, b: {}, c: {}, handle: { dependsOn: [{ task: 'b', if: 'failed' }] } },
    {},
    { maxParallel: 1 },
  );
  const execId = await flow.run();
  await flow.world.run(2 * SECOND_MS);
  const cancelled = await ask(flow, 'cancelTask', { execId, taskId: 'b' });
  expect(cancelled.status).toBe(202);
  expect(cancelled.body).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
  expect(flow.taskRows().b).toMatchObject({ userRequest: { by: { sub: 'alice' } } });
  expect((await ask(flow, 'cancelTask', { execId, taskId: 'b' })).status).toBe(409);
  await flow.world.run(MINUTE_MS);
  expect(flow.called).toEqual(['a', 'c', 'handle']);
  expect(flow.runRow.status).toBe('failed');
  expect(flow.world.errors()).toEqual([]);
});
