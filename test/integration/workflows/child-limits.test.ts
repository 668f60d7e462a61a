import type { Execution } from '../../../lambdas/core/domain/execution';
import { childrenOf, put, TARGET, taskOf, workflow } from '../../support/child-world';
import { ask } from '../../support/run-requests';
import { WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Calls may take longer than the task lets the child take. */
const SLOW = { ...TARGET, timeout: '12m' };
const PLAIN = { schedule: { type: 'none' }, target: SLOW, timeout: '12m' };
/** A sweep, and a heartbeat by which an executor sees the request. */
const WITHIN_MS = 45 * SECOND_MS;

/** A workflow whose task `load` starts the job `child`, and lets it take two minutes. */
async function started(child: Record<string, unknown>, load: object = {}): Promise<WorkflowWorld> {
  const flow = await WorkflowWorld.started();
  await put(flow, 'child', child);
  await flow.save({ load: { target: null, job: 'child', timeout: '2m', ...load } });
  return flow;
}

const only = (flow: WorkflowWorld): Execution => childrenOf(flow)[0]!;

/** When the run ended, counted from its start. */
const tookMs = ({ runRow }: WorkflowWorld): number => runRow.finishedAtMs! - runRow.startedAtMs!;

test('a child that takes longer is cancelled, and its task fails as timed out', async () => {
  const flow = await started(PLAIN);
  flow.behave.child = { workMs: 10 * MINUTE_MS };
  const execId = await flow.run();
  await flow.world.run(4 * MINUTE_MS);
  expect(only(flow)).toMatchObject({ status: 'cancelled', reason: 'timed-out' });
  expect(await taskOf(flow, execId)).toMatchObject({ status: 'failed', reason: 'timed-out' });
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
  expect(tookMs(flow)).toBeGreaterThanOrEqual(2 * MINUTE_MS);
  expect(tookMs(flow)).toBeLessThan(2 * MINUTE_MS + WITHIN_MS);
});

test('one that ends in time is left alone', async () => {
  const flow = await started(PLAIN);
  flow.behave.child = { workMs: 100 * SECOND_MS };
  await flow.run();
  await flow.world.run(4 * MINUTE_MS);
  expect(only(flow)).toMatchObject({ status: 'succeeded' });
  expect(flow.runRow.status).toBe('succeeded');
});

test('a child with a workflow stops: what runs in it is cancelled, and its finally tasks run', async () => {
  const tasks = { slow: { target: SLOW, timeout: '12m' }, next: { target: TARGET, dependsOn: ['slow'] } };
  const tidy = { tidy: { target: TARGET, finally: 'always' } };
  const flow = await started(workflow({ ...tasks, ...tidy }));
  flow.behave.slow = { workMs: 10 * MINUTE_MS };
  const execId = await flow.run();
  await flow.world.run(4 * MINUTE_MS);
  expect(flow.called).toEqual(['slow', 'tidy']);
  expect(only(flow)).toMatchObject({ status: 'failed', reason: 'timed-out' });
  expect(await taskOf(flow, execId)).toMatchObject({ status: 'failed', reason: 'timed-out' });
});

test('a child that waits to begin, or for a retry, ends without having begun again', async () => {
  const flow = await started({ ...PLAIN, overlap: 'queue' });
  flow.behave.child = { workMs: 10 * MINUTE_MS };
  await flow.world.api('runJob', { jobId: 'child' });
  await flow.world.run(5 * SECOND_MS);
  const execId = await flow.run();
  await flow.world.run(4 * MINUTE_MS);
  const child = childrenOf(flow).find(({ parent }) => parent)!;
  expect(child).toMatchObject({ status: 'cancelled', reason: 'timed-out', fence: 0 });
  expect(await taskOf(flow, execId)).toMatchObject({ status: 'failed', reason: 'timed-out' });
  await flow.world.run(10 * MINUTE_MS);
  expect(flow.called).toEqual(['child']);

  const retry = { maxAttempts: 3, initialDelay: '1h', maxDelay: '1h' };
  const retried = await started({ ...PLAIN, retry });
  retried.behave.child = { outcome: 'retriable', statusCode: 500 };
  await retried.run();
  await retried.world.run(2 * 60 * MINUTE_MS);
  expect(only(retried)).toMatchObject({ status: 'cancelled', reason: 'timed-out' });
  expect(retried.called).toEqual(['child']);
  expect(tookMs(retried)).toBeLessThan(2 * MINUTE_MS + WITHIN_MS);
});

test('its time counts for each item, and from when the child is started', async () => {
  const flow = await started(PLAIN, {
    delay: '5m',
    forEach: { items: [1, 2], concurrency: 1, tolerate: 1 },
  });
  let calls = 0;
  flow.world.behaviour = async (_, signal, clock) => {
    calls += 1;
    await clock.sleep(calls === 1 ? 10 * MINUTE_MS : 90 * SECOND_MS, signal);
    if (signal.aborted) return { outcome: 'retriable', error: 'call aborted' };
    return { outcome: 'succeeded', statusCode: 200 };
  };
  await flow.run();
  await flow.world.run(15 * MINUTE_MS);
  const statuses = childrenOf(flow).map(({ parent, status }) => [parent!.item, status]);
  expect(Object.fromEntries(statuses)).toEqual({ 0: 'cancelled', 1: 'succeeded' });
  expect(flow.runRow.status).toBe('succeeded');
});

test('the executor is dead when the time is over: the takeover ends the child', async () => {
  const flow = await started(PLAIN);
  flow.behave.child = { workMs: 10 * MINUTE_MS };
  let kills = 0;
  flow.world.onCall = (stage, _, kill) => {
    if (stage !== 'executor' || kills > 0 || only(flow)?.status !== 'running') return;
    if (flow.world.clock.nowMs() - only(flow).startedAtMs! < 100 * SECOND_MS) return;
    kills += 1;
    kill();
  };
  await flow.run();
  await flow.world.run(6 * MINUTE_MS);
  expect(kills).toBe(1);
  expect(only(flow)).toMatchObject({ status: 'cancelled', reason: 'timed-out' });
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
});

test('a retry of the run gives the child its whole time again; one by its own user has no limit', async () => {
  const flow = await started(PLAIN);
  flow.behave.child = { workMs: 10 * MINUTE_MS };
  const execId = await flow.run();
  await flow.world.run(4 * MINUTE_MS);
  expect(only(flow).status).toBe('cancelled');
  flow.behave.child = { workMs: 100 * SECOND_MS };
  await ask(flow, 'retryExecution', { execId }, { mode: 'failed' });
  await flow.world.run(4 * MINUTE_MS);
  expect(only(flow)).toMatchObject({ status: 'succeeded', userRetries: 1 });
  expect(flow.runRow.status).toBe('succeeded');

  const own = await started(PLAIN);
  own.behave.child = { workMs: 10 * MINUTE_MS };
  await own.run();
  await own.world.run(4 * MINUTE_MS);
  own.behave.child = { workMs: 4 * MINUTE_MS };
  await own.world.api('retryExecution', { jobId: 'child', execId: only(own).execId });
  await own.world.run(6 * MINUTE_MS);
  expect(only(own)).toMatchObject({ status: 'succeeded', userRetries: 1 });
});

test.each(['30s', '31d'])('a limit of %s is refused', async (timeout) => {
  const refused = started(PLAIN, { timeout });
  await expect(refused).rejects.toThrow('workflow.tasks.load.timeout');
});
