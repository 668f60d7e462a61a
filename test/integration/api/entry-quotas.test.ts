import { type Operation, ROUTES } from '../../../lambdas/core/contracts/routes';
import { PLAIN, startedWithChild } from '../../support/child-world';
import { BOUNDS } from '../../support/filed-by-request';
import { newJobAt } from '../../support/new-job';
import { actions, offered, SECOND_MS } from '../../support/offered-work';
import { PipelineWorld } from '../../support/pipeline-world';
import { APART_MS, atOneTime, meter, TIMES } from '../../support/request-meter';
import { ask } from '../../support/run-requests';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

afterEach(() => jest.restoreAllMocks());

/** A run whose tasks `open` and `both` work for ten minutes. The task `bad` fails at once. */
async function running(tasks: Record<string, object> = {}) {
  const flow = await WorkflowWorld.started();
  for (const task of ['open', 'both']) flow.behave[task] = { workMs: 600 * SECOND_MS };
  flow.behave.bad = FAILED;
  await flow.save({ open: {}, ...tasks });
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  return {
    flow,
    execId,
    asks: (operation: Operation, more: object = {}, body?: object) =>
      ask(flow, operation, { execId, ...more }, body),
  };
}

describe('the table of routes', () => {
  it('has each of them', () => {
    expect(Object.keys(BOUNDS).sort()).toEqual(ROUTES.map(({ operation }) => operation).sort());
  });

  it('lets no reading route write', () => {
    const reads = ROUTES.filter(({ method }) => method === 'GET').map(({ operation }) => BOUNDS[operation]);
    expect(new Set(reads)).toEqual(new Set(['nothing']));
  });
});

describe('a loop of requests that undo each other', () => {
  test('a pause and a resumption of a run: each resumption is charged', async () => {
    const { flow, asks } = await running();
    const seen = meter(flow.world);
    for (let times = 0; times < TIMES; times++) {
      expect((await asks('pauseRun')).status).toBe(202);
      await flow.world.run(APART_MS * 100);
      expect((await asks('resumeRun')).status).toBe(202);
    }
    expect(seen.units).toBe(TIMES);
    expect(seen.entries()).toBeLessThanOrEqual(TIMES);
    expect(seen.messages).toBeLessThanOrEqual(TIMES);
  });

  test.each(['failed', 'from', 'only'])('retries of a task that fails, with mode %s', async (mode) => {
    const { flow, asks } = await running({ bad: {} });
    const seen = meter(flow.world);
    for (let times = 0; times < TIMES; times++) {
      expect((await asks('retryTask', { taskId: 'bad' }, { mode })).status).toBe(202);
      await flow.world.run(2 * SECOND_MS);
    }
    expect(seen.units).toBe(TIMES);
    expect(seen.entries()).toBeLessThanOrEqual(TIMES);
    expect(seen.messages).toBeLessThanOrEqual(TIMES);
  });

  test('a cancel and a retry of a task', async () => {
    const { flow, asks } = await running({ bad: {} });
    flow.behave.bad = { workMs: 600 * SECOND_MS };
    const seen = meter(flow.world);
    const loops = 3;
    for (let times = 0; times < loops; times++) {
      await asks('retryTask', { taskId: 'bad' });
      await flow.world.run(2 * SECOND_MS);
      for (let repeats = 0; repeats < TIMES; repeats++) await asks('cancelTask', { taskId: 'bad' });
      await flow.world.run(20 * SECOND_MS);
    }
    expect(seen.units).toBe(loops);
    expect(seen.entries()).toBeLessThanOrEqual(2 * loops);
  });

  test('cancels of a fan-out again and again', async () => {
    const { flow, asks } = await running({ both: { forEach: { items: [1, 2] } } });
    const seen = meter(flow.world, ['changes']);
    for (let times = 0; times < TIMES; times++) {
      expect((await asks('cancelTask', { taskId: 'both' })).status).toBe(202);
      await flow.world.clock.advance(100);
    }
    expect(seen.entries()).toBe(1);
    await flow.world.run(60 * SECOND_MS);
    expect((await asks('getTask', { taskId: 'both' })).body).toMatchObject({ status: 'cancelled' });
  });

  test('late cancels of a run whose tasks to tidy up go on', async () => {
    const { flow, asks } = await running({ tidy: { target: null, approval: {}, finally: 'always' } });
    await asks('cancelExecution');
    await flow.world.run(120 * SECOND_MS);
    const seen = meter(flow.world);
    for (let times = 0; times < TIMES; times++) expect((await asks('cancelExecution')).status).toBe(202);
    expect(seen.units).toBe(1);
    expect(seen.entries()).toBe(1);
  });

  test('a claim and a release of work', async () => {
    const { world, ...worker } = await offered();
    const seen = meter(world);
    for (let times = 0; times < TIMES; times++) {
      const [work] = await worker.claim();
      if (work) await worker.report('releaseWork', work);
      await world.run(10 * SECOND_MS);
    }
    expect(seen.entries()).toBeLessThanOrEqual(2 * seen.units);
  });

  test('a change of a worker’s queue: each execution that moves is charged', async () => {
    const { world, job } = await offered();
    const { jobId } = job;
    const seen = meter(world);
    for (let times = 0; times < 5; times++) {
      const queue = times % 2 === 0 ? 'other' : 'warehouse';
      const target = { type: 'worker', queue, heartbeatTimeout: '60s' };
      expect((await world.api('patchJob', { jobId }, { target })).status).toBe(200);
      await world.run(60 * SECOND_MS);
    }
    expect(seen.entries()).toBeGreaterThanOrEqual(5);
    expect(seen.entries()).toBeLessThanOrEqual(seen.units);
    expect(actions(world).tickets()).toHaveLength(1);
  });
});

describe('requests at one time', () => {
  const TASKS = { open: {}, both: { forEach: { items: [1, 2] } }, ok: { target: null, approval: {} } };

  test.each([
    ['cancels of a run', 'cancelExecution', {}, undefined],
    ['cancels of a run with force', 'cancelExecution', {}, { force: true }],
    ['cancels of a task', 'cancelTask', { taskId: 'open' }, undefined],
    ['cancels of a fan-out', 'cancelTask', { taskId: 'both' }, undefined],
    ['rejections', 'rejectTask', { taskId: 'ok' }, undefined],
  ] as const)('%s file an entry or two, and are charged nothing', async (_, operation, path, body) => {
    const { flow, asks } = await running(TASKS);
    const seen = meter(flow.world, ['changes']);
    const statuses = await atOneTime(flow.world, () => asks(operation, path, body));
    expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(0);
    expect(seen).toMatchObject({ units: 0 });
    expect(seen.entries()).toBeGreaterThan(0);
    expect(seen.entries()).toBeLessThanOrEqual(2);
  });

  test('cancels of an execution that runs', async () => {
    const world = await PipelineWorld.started(1);
    world.behaviour = async (_call, signal, clock) => {
      await clock.sleep(600 * SECOND_MS, signal);
      return { outcome: 'succeeded' };
    };
    const { jobId } = await world.create(newJobAt(world, {}));
    const { body } = await world.api('runJob', { jobId });
    const { execId } = body as { execId: string };
    await world.run(2 * SECOND_MS);
    const seen = meter(world, ['changes', 'runs']);
    const statuses = await atOneTime(world, () => world.api('cancelExecution', { jobId, execId }));
    expect(new Set(statuses)).toEqual(new Set([202]));
    expect(seen.entries()).toBeLessThanOrEqual(2);
  });

  test.each([
    ['approvals', 'approveTask', { taskId: 'ok' }],
    ['skips', 'skipTask', { taskId: 'ok' }],
  ] as const)('%s file no more than they are charged', async (_, operation, path) => {
    const { flow, asks } = await running(TASKS);
    const seen = meter(flow.world);
    const statuses = await atOneTime(flow.world, () => asks(operation, path));
    expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(0);
    expect(seen.units).toBeGreaterThan(0);
    expect(seen.entries()).toBeLessThanOrEqual(2);
  });

  test('resumptions file no more than they are charged', async () => {
    const { flow, asks } = await running();
    await asks('pauseRun');
    const seen = meter(flow.world);
    await atOneTime(flow.world, () => asks('resumeRun'));
    expect(seen.units).toBeGreaterThan(0);
    expect(seen.entries()).toBeLessThanOrEqual(2);
  });

  test('claims of one work file an entry or two', async () => {
    const { world } = await offered();
    const seen = meter(world);
    await atOneTime(world, () => world.api('claimWork', {}, { queue: 'warehouse' }));
    expect(seen.entries()).toBeLessThanOrEqual(2);
  });
});

describe('without room in the minute', () => {
  test.each([
    ['resumeRun', {}],
    ['retryTask', { taskId: 'bad' }],
    ['skipTask', { taskId: 'ok' }],
    ['approveTask', { taskId: 'ok' }],
  ] as const)('%s is answered 429, and writes nothing', async (operation, path) => {
    const { flow, asks } = await running({ bad: {}, ok: { target: null, approval: {} } });
    if (operation === 'resumeRun') await asks('pauseRun');
    const seen = meter(flow.world, ['changes']);
    const { status, body } = await asks(operation, path);
    expect(status).toBe(429);
    expect(body).toMatchObject({ type: expect.stringContaining('quota-exceeded') });
    // An approval that is passed by a skip is put on record, as refused.
    expect(seen).toMatchObject({ messages: 0, writes: operation === 'skipTask' ? 2 : 0 });
    expect(seen.entries()).toBe(0);
  });

  test('a run is paused and cancelled, with its finally tasks, whatever is used up', async () => {
    const { flow, asks } = await running({ tidy: { target: null, approval: {}, finally: 'always' } });
    flow.behave.tidy = { workMs: 600 * SECOND_MS };
    meter(flow.world, ['changes', 'runs']);
    expect((await asks('pauseRun')).status).toBe(202);
    expect((await asks('cancelExecution')).status).toBe(202);
    await flow.world.run(20 * SECOND_MS);
    expect((await asks('cancelExecution', {}, { force: true })).status).toBe(202);
    await flow.world.run(60 * SECOND_MS);
    expect(flow.runRow.status).toBe('cancelled');
  });

  test('a child is cancelled, too', async () => {
    const flow = await startedWithChild({ ...PLAIN, timeout: '14m' });
    flow.behave.child = { workMs: 600 * SECOND_MS };
    const execId = await flow.run();
    await flow.world.run(5 * SECOND_MS);
    meter(flow.world, ['changes', 'runs']);
    expect((await ask(flow, 'cancelTask', { execId, taskId: 'load' })).status).toBe(202);
    await flow.world.run(60 * SECOND_MS);
    expect(await flow.statuses(execId)).toEqual({ load: 'cancelled' });
  });
});
