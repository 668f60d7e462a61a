import type { Operation } from '../../../lambdas/core/contracts/routes';
import { childrenOf, put, TARGET, workflow } from '../../support/child-world';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
const NIGHTLY = { schedule: { type: 'cron', expression: '0 2 * * *' }, target: TARGET };
const FIRST_MS = Date.parse('2019-03-01T02:00:00Z');
const WEEK = { from: '2019-03-01T00:00:00Z', to: '2019-03-08T00:00:00Z' };
const SUCCEEDED = { outcome: 'succeeded', statusCode: 200 } as const;

async function started(fields: object = {}) {
  const flow = await WorkflowWorld.started();
  await put(flow, 'child', { ...NIGHTLY, ...fields });
  return flow;
}

const ask = async (flow: WorkflowWorld, body: object) =>
  (await flow.world.api('startBackfill', { jobId: 'child' }, { ...WEEK, ...body })).body as {
    execId: string;
    count: number;
    estimate: { writes: number };
  };
const seen = async (flow: WorkflowWorld, execId: string) =>
  (await flow.world.api('getBackfill', { jobId: 'child', execId })).body;
const act = (flow: WorkflowWorld, operation: Operation, execId: string) =>
  flow.world.api(operation, { jobId: 'child', execId });
/** Days of March that were called. */
const daysCalled = ({ world }: WorkflowWorld): number[] =>
  world.calls.map(({ dueAtMs }) => 1 + (dueAtMs - FIRST_MS) / DAY_MS);

test('each date of a range runs once; a second backfill finds nothing missing but what failed', async () => {
  const flow = await started();
  flow.world.behaviour = ({ dueAtMs }) => (dueAtMs === FIRST_MS + 2 * DAY_MS ? FAILED : SUCCEEDED);
  const { execId } = await ask(flow, { parallel: 3 });
  await flow.world.run(60 * SECOND_MS);
  expect(daysCalled(flow).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(await seen(flow, execId)).toMatchObject({
    status: 'failed',
    phase: 'ended',
    items: { count: 7, succeeded: 6, failed: 1, running: 0, waiting: 0 },
  });
  flow.world.behaviour = () => SUCCEEDED;
  const second = await ask(flow, {});
  expect(second).toMatchObject({ count: 1, alreadySucceeded: 6 });
  await flow.world.run(30 * SECOND_MS);
  expect(daysCalled(flow).at(-1)).toBe(3);
  expect(await ask(flow, { dryRun: true })).toMatchObject({ count: 0, alreadySucceeded: 7 });
  expect(await ask(flow, { dryRun: true, only: 'all' })).toMatchObject({ count: 7 });
  expect((await flow.world.api('listBackfills', { jobId: 'child' })).body).toMatchObject({ items: [{}, {}] });
  expect(flow.world.errors()).toEqual([]);
});

test('the newest date is first with desc; paused, nothing further begins; cancelled, the rest never does', async () => {
  const flow = await started();
  flow.behave.child = { workMs: 10 * SECOND_MS, result: SUCCEEDED };
  const { execId } = await ask(flow, { order: 'desc' });
  await flow.world.run(5 * SECOND_MS);
  expect((await act(flow, 'pauseRun', execId)).status).toBe(202);
  await flow.world.run(60 * SECOND_MS);
  expect(daysCalled(flow)).toEqual([7]);
  expect(await seen(flow, execId)).toMatchObject({ phase: 'held', items: { succeeded: 1 } });
  expect((await act(flow, 'resumeRun', execId)).status).toBe(202);
  await flow.world.run(5 * SECOND_MS);
  expect(daysCalled(flow)).toEqual([7, 6]);
  expect((await act(flow, 'cancelExecution', execId)).status).toBe(202);
  await flow.world.run(3 * 60 * SECOND_MS);
  expect(await seen(flow, execId)).toMatchObject({ status: 'cancelled', phase: 'ended' });
  expect(daysCalled(flow)).toEqual([7, 6]);
  expect((await act(flow, 'retryExecution', execId)).status).toBe(202);
  await flow.world.run(3 * 60 * SECOND_MS);
  expect(await seen(flow, execId)).toMatchObject({ status: 'succeeded', items: { succeeded: 7 } });
  expect(childrenOf(flow).filter(({ parent }) => parent)).toHaveLength(7);
});

test('a retry has the time of a backfill, not that of its job', async () => {
  const flow = await started({ timeout: '1m' });
  flow.world.behaviour = () => FAILED;
  const { execId } = await ask(flow, { to: '2019-03-02T00:00:00Z' });
  await flow.world.run(30 * SECOND_MS);
  await act(flow, 'retryExecution', execId);
  await flow.world.run(SECOND_MS);
  const { run } = childrenOf(flow).find((row) => row.execId === execId)!;
  expect(run!.endsAtMs - flow.world.clock.nowMs()).toBeGreaterThan(29 * DAY_MS);
});

test('the tasks of its dates are in the lane of the backfill', async () => {
  const flow = await WorkflowWorld.started();
  await put(flow, 'child', {
    ...workflow({ copy: { target: TARGET } }),
    schedule: NIGHTLY.schedule,
    priority: 'highest',
  });
  await ask(flow, { priority: 'lowest' });
  await flow.world.run(MINUTE_MS);
  const dates = childrenOf(flow).filter(({ parent }) => parent);
  expect(dates.map(({ run }) => run?.priority)).toEqual(Array(7).fill('lowest'));
});
