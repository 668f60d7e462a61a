import { PLAIN, childrenOf, put, startedWithChild } from '../../support/child-world';
import { rowsPut } from '../../support/kill-between';
import { ask } from '../../support/run-requests';
import type { WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** They are all over before the next heartbeats of what they cancel. */
const CANCELS = 20;

/** Counts the entries that the API files from now on. */
function entriesOfApi(flow: WorkflowWorld): () => number {
  let count = 0;
  flow.world.onCall = (by, call) => {
    if (by === 'api') count += rowsPut(call, 'schedule').length;
  };
  return () => count;
}

test.each([
  ['a run', 'cancelExecution', { jobId: 'etl' }, 2],
  ['a task', 'cancelTask', { taskId: 'own' }, 1],
  ['a child', 'cancelTask', { taskId: 'load' }, 2],
] as const)(
  'repeated cancels of %s file what one files, and it ends',
  async (what, operation, path, entries) => {
    const flow = await startedWithChild(PLAIN, { tasks: { own: {}, load: { target: null, job: 'child' } } });
    await put(flow, 'child', { ...PLAIN, timeout: '14m' });
    for (const task of ['own', 'child']) flow.behave[task] = { workMs: 10 * MINUTE_MS };
    const execId = await flow.run();
    await flow.world.run(2 * SECOND_MS);
    expect(await flow.statuses(execId)).toEqual({ own: 'running', load: 'running' });
    const filed = entriesOfApi(flow);
    for (let times = 0; times < CANCELS; times++) {
      expect((await ask(flow, operation, { execId, ...path })).status).toBe(202);
      await flow.world.run(10);
    }
    expect(filed()).toBe(entries);
    await flow.world.run(MINUTE_MS);
    const ended = { 'a run': ['own', 'load'], 'a task': ['own'], 'a child': ['load'] }[what];
    const statuses = await flow.statuses(execId);
    for (const task of ended) expect(statuses[task]).toBe('cancelled');
    expect(childrenOf(flow)).toHaveLength(1);
  },
);

test('a cancel with force follows one without, and is not taken back', async () => {
  const flow = await startedWithChild(PLAIN, {
    tasks: { own: {}, tidy: { finally: 'always' } },
  });
  flow.behave.own = { workMs: 10 * MINUTE_MS };
  flow.behave.tidy = { workMs: 10 * MINUTE_MS };
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  const cancel = (body: object) => flow.world.api('cancelExecution', { jobId: 'etl', execId }, body);
  expect((await cancel({})).status).toBe(202);
  await flow.world.run(20 * SECOND_MS);
  expect(await flow.statuses(execId)).toMatchObject({ own: 'cancelled', tidy: 'running' });
  expect((await cancel({ force: true })).status).toBe(202);
  expect((await cancel({})).status).toBe(202);
  await flow.world.run(MINUTE_MS);
  expect(flow.runRow).toMatchObject({ status: 'cancelled' });
});
