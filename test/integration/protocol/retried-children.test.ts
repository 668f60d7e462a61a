import type { Execution } from '../../../lambdas/core/domain/execution';
import { childrenOf, PLAIN, put, TARGET, workflow } from '../../support/child-world';
import { killBetween, setsStatus } from '../../support/kill-between';
import { ask, writesRun } from '../../support/run-requests';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

/** A user retries a child itself. Its run holds no gates for it any more, so it passes those of its job. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const SLOW = { target: { ...TARGET, timeout: '2m' }, timeout: '5m' };

const GATES = [
  ['an ordering key', { orderingKey: 'k' }],
  ['a concurrency key', { concurrencyKey: 'db' }],
  ['both', { orderingKey: 'k', concurrencyKey: 'db' }],
] as const;

const childOf = (flow: WorkflowWorld): Execution => {
  const [row, ...others] = childrenOf(flow);
  expect(others).toEqual([]);
  return row!;
};

const retriesChild = async (flow: WorkflowWorld) =>
  expect((await ask(flow, 'retryExecution', { jobId: 'child', execId: childOf(flow).execId })).status).toBe(
    202,
  );

const runsOther = async (flow: WorkflowWorld) =>
  expect((await flow.world.api('runJob', { jobId: 'other' })).status).toBe(202);

/** What is called, one after another: a name begins a call, and ends it with a dot. */
function watched(flow: WorkflowWorld): string[] {
  const events: string[] = [];
  const { behaviour } = flow.world;
  flow.world.behaviour = async (...call) => {
    const name = flow.called.at(-1)!;
    events.push(name);
    const result = await behaviour(...call);
    events.push(`${name}.`);
    return result;
  };
  return events;
}

/** A job `etl` whose task `load` starts the job `child`. Both have the keys. */
async function startedWith(keys: object, child: object, tasks: Record<string, object> = {}) {
  const flow = await WorkflowWorld.started();
  expect((await flow.world.api('putConcurrencyKey', { key: 'db' }, { limit: 1 })).status).toBeLessThan(300);
  await put(flow, 'leaf', { ...PLAIN, ...keys });
  await put(flow, 'child', { ...child, ...keys });
  await flow.save({ load: { target: null, job: 'child' }, ...tasks }, { timeout: '1h', ...keys });
  return flow;
}

/** A run whose child has failed, and a job `other` with the same keys, which works for a minute. */
async function failedChild(keys: object, tasks: Record<string, object> = {}) {
  const flow = await startedWith(keys, SLOW, tasks);
  await put(flow, 'other', { ...SLOW, ...keys });
  flow.behave.other = { workMs: MINUTE_MS };
  flow.behave.tail = { workMs: MINUTE_MS };
  flow.behave.child = FAILED;
  const execId = await flow.run();
  await flow.world.run(5 * SECOND_MS);
  expect(childOf(flow).status).toBe('failed');
  flow.behave.child = { workMs: 40 * SECOND_MS };
  return { flow, execId, events: watched(flow) };
}

describe.each(GATES)('a child that its user retries, with %s', (_, keys) => {
  test('waits for what holds it, and keeps others from it', async () => {
    const { flow, events } = await failedChild(keys);
    await runsOther(flow);
    await flow.world.run(5 * SECOND_MS);
    await retriesChild(flow);
    await flow.world.run(65 * SECOND_MS);
    await runsOther(flow);
    await flow.world.run(3 * MINUTE_MS);
    expect(events).toEqual(['other', 'other.', 'child', 'child.', 'other', 'other.']);
    expect(childOf(flow)).toMatchObject({ status: 'succeeded', ...keys });
    expect(flow.world.errors()).toEqual([]);
  });

  test('waits for the run above it while that works, and that does not wait for it', async () => {
    const { flow, events } = await failedChild(keys, { tail: { target: SLOW.target } });
    await retriesChild(flow);
    await flow.world.run(3 * MINUTE_MS);
    expect(events).toEqual(['child', 'child.']);
    expect(childOf(flow).attempts.at(-1)!.startedAtMs).toBeGreaterThanOrEqual(flow.runRow.finishedAtMs!);
    expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
    expect(childOf(flow)).toMatchObject({ status: 'succeeded', ...keys });
  });

  test('begins under its run again if that is retried while the child waits', async () => {
    const { flow, execId, events } = await failedChild(keys);
    await runsOther(flow);
    await flow.world.run(5 * SECOND_MS);
    await retriesChild(flow);
    await flow.world.run(5 * SECOND_MS);
    expect((await ask(flow, 'retryExecution', { execId })).status).toBe(202);
    await flow.world.run(4 * MINUTE_MS);
    expect(events).toEqual(['other', 'other.', 'child', 'child.']);
    expect(flow.runRow.status).toBe('succeeded');
    expect(childOf(flow).status).toBe('succeeded');
    await runsOther(flow);
    await flow.world.run(2 * MINUTE_MS);
    expect(events.slice(4)).toEqual(['other', 'other.']);
    expect(flow.world.errors()).toEqual([]);
  });

  test('and that works by itself when its run is retried: the run waits for it', async () => {
    const { flow, execId, events } = await failedChild(keys);
    await retriesChild(flow);
    await flow.world.run(5 * SECOND_MS);
    expect((await ask(flow, 'retryExecution', { execId })).status).toBe(202);
    await flow.world.run(3 * MINUTE_MS);
    expect(events).toEqual(['child', 'child.']);
    expect(flow.runRow.status).toBe('succeeded');
  });
});

// Otherwise the run, which holds the key, would wait for the child, which waits for the key.
test('an end that its run has not marked is marked before the child is retried', async () => {
  const keys = { orderingKey: 'k' };
  const flow = await startedWith(keys, SLOW);
  flow.behave.child = FAILED;
  const wasKilled = killBetween(flow.world, 'executor', [setsStatus('failed'), writesRun('#m')]);
  await flow.run();
  await flow.world.run(2 * SECOND_MS);
  expect(wasKilled()).toBe(true);
  expect([flow.runRow.status, childOf(flow).status]).toEqual(['running', 'failed']);
  delete flow.behave.child;
  await retriesChild(flow);
  await flow.world.run(2 * MINUTE_MS);
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
  expect(childOf(flow).status).toBe('succeeded');
});

test('what is started below a retried child knows what that holds', async () => {
  const keys = { orderingKey: 'k', concurrencyKey: 'db' };
  const flow = await startedWith(keys, workflow({ leaf: { job: 'leaf' } }));
  flow.behave.leaf = FAILED;
  await flow.run();
  await flow.world.run(5 * SECOND_MS);
  delete flow.behave.leaf;
  await retriesChild(flow);
  await flow.world.run(MINUTE_MS);
  expect(childOf(flow).status).toBe('succeeded');
  expect(childrenOf(flow, 'leaf')).toMatchObject([{ status: 'succeeded', parent: keys }]);
});
