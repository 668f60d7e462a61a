import { isClaim } from '../../support/fault-points';
import { childrenOf, put, TARGET, workflow } from '../../support/child-world';
import { T0_MS } from '../../support/factories';
import { backfilled, edit, limitTo, start } from '../../support/gate-world';
import { WorkflowWorld } from '../../support/workflow-world';

/** A job changes its keys while executions of it wait, or hold what others wait for. None waits for ever. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const retry = { maxAttempts: 3, initialDelay: '10s', maxDelay: '1h', multiplier: 2, maxAge: '24h' };
const HELD = { target: TARGET, overlap: 'queue', retry };

/** The first execution of each job keeps what it holds for six minutes, until its second attempt. */
function slowAtFirst({ world }: WorkflowWorld): void {
  const begun = new Set<string>();
  let jobId = '';
  world.observe = ({ headers }) => {
    jobId = headers['quarterjack-job']!;
  };
  world.behaviour = () => {
    if (begun.has(jobId)) return { outcome: 'succeeded', statusCode: 200 };
    begun.add(jobId);
    return { outcome: 'retriable', statusCode: 503, error: '503', retryAfterMs: 6 * MINUTE_MS };
  };
}

const statusesOf = (flow: WorkflowWorld, ...jobIds: string[]) =>
  jobIds.flatMap((jobId) => childrenOf(flow, jobId).map(({ status }) => status));

const allSucceeded = (count: number) => Array<string>(count).fill('succeeded');

/** Each executor that is about to claim one of these jobs dies there, once a job. */
function diesAtClaims({ world }: WorkflowWorld, ...jobIds: string[]) {
  const left = new Set(jobIds.map((jobId) => `alice/${jobId}`));
  world.onExecutorCall = (call, kill) => {
    const { jobId } = (call.input.Key ?? {}) as { jobId?: string };
    if (isClaim(call) && jobId !== undefined && left.delete(jobId)) kill();
  };
  return left;
}

// The date has got the key while its job had it, and its message names it no more. A run has it on its row.
test('a date leaves the lock to no run that waits for a key that the job of both had', async () => {
  const flow = await WorkflowWorld.started();
  slowAtFirst(flow);
  await put(flow, 'child', HELD);
  await start(flow, 'child');
  await flow.world.run(5 * SECOND_MS);
  await backfilled(flow, 2, { parallel: 2 });
  await flow.world.run(5 * SECOND_MS);
  await edit(flow, 'child', { orderingKey: 'k' });
  await flow.world.run(MINUTE_MS);
  await start(flow, 'child');
  await flow.world.run(5 * SECOND_MS);
  await edit(flow, 'child', { orderingKey: null });
  await flow.world.run(30 * MINUTE_MS);
  expect(statusesOf(flow, 'child')).toEqual(allSucceeded(5));
});

describe('two jobs exchange their ordering keys, while an execution of each has its key', () => {
  const waiting = {
    'a run': (flow: WorkflowWorld, jobId: string) => start(flow, jobId),
    'a date of a backfill': (flow: WorkflowWorld, jobId: string) => backfilled(flow, 1, {}, jobId),
    'an occurrence': (flow: WorkflowWorld, jobId: string) =>
      edit(flow, jobId, { schedule: { type: 'at', at: new Date(T0_MS + MINUTE_MS).toISOString() } }),
  };

  test.each(Object.entries(waiting))('and it waits for the lock of its job: %s', async (_, begin) => {
    const flow = await WorkflowWorld.started();
    slowAtFirst(flow);
    for (const jobId of ['a', 'b']) await put(flow, jobId, HELD);
    for (const jobId of ['a', 'b']) await start(flow, jobId);
    await flow.world.run(5 * SECOND_MS);
    for (const jobId of ['a', 'b']) await edit(flow, jobId, { orderingKey: `key-${jobId}` });
    for (const jobId of ['a', 'b']) await begin(flow, jobId);
    await flow.world.run(2 * MINUTE_MS);
    await edit(flow, 'a', { orderingKey: 'key-b' });
    await edit(flow, 'b', { orderingKey: 'key-a' });
    await flow.world.run(16 * MINUTE_MS);
    const statuses = statusesOf(flow, 'a', 'b');
    expect(statuses).toEqual(allSucceeded(statuses.length));
    expect(statuses.length).toBeGreaterThanOrEqual(4);
  });
});

// Each executor died between its slot and its claim.
test('two jobs exchange their concurrency keys, while an execution of each has its slot', async () => {
  const flow = await WorkflowWorld.started();
  for (const jobId of ['a', 'b']) {
    await limitTo(flow, 1, `key-${jobId}`);
    await put(flow, jobId, { target: TARGET, concurrencyKey: `key-${jobId}` });
  }
  const left = diesAtClaims(flow, 'a', 'b');
  for (const jobId of ['a', 'b']) await start(flow, jobId);
  await flow.world.run(5 * SECOND_MS);
  expect([...left]).toEqual([]);
  await edit(flow, 'a', { concurrencyKey: 'key-b' });
  await edit(flow, 'b', { concurrencyKey: 'key-a' });
  await flow.world.run(16 * MINUTE_MS);
  expect(statusesOf(flow, 'a', 'b')).toEqual(allSucceeded(2));
});

describe('an executor dies with the lock of a job, whose concurrency key then changes', () => {
  test.each([
    ['is added', {}],
    ['is another one', { concurrencyKey: 'old' }],
  ])('and a run with a slot of that key waits for a child of the job: the key %s', async (_, before) => {
    const flow = await WorkflowWorld.started();
    for (const key of ['db', 'old']) await limitTo(flow, 1, key);
    await put(flow, 'child', { ...HELD, ...before });
    await put(flow, 'top', { ...workflow({ go: { job: 'child' } }), concurrencyKey: 'db' });
    const left = diesAtClaims(flow, 'child');
    await start(flow, 'child');
    await flow.world.run(5 * SECOND_MS);
    expect([...left]).toEqual([]);
    await edit(flow, 'child', { concurrencyKey: 'db' });
    await start(flow, 'top');
    await flow.world.run(16 * MINUTE_MS);
    expect(statusesOf(flow, 'child', 'top')).toEqual(allSucceeded(3));
  });
});

// The run has the lock without a slot. The execution behind it has a ticket from when its job had a key.
test('a child takes a slot before the ticket of one that waits for the lock of the run above', async () => {
  const flow = await WorkflowWorld.started();
  slowAtFirst(flow);
  await limitTo(flow, 1);
  await put(flow, 'other', { ...HELD, concurrencyKey: 'db' });
  await put(flow, 'leaf', { target: TARGET, concurrencyKey: 'db' });
  const top = { ...workflow({ go: { job: 'leaf' } }), overlap: 'queue' };
  await put(flow, 'top', { ...top, concurrencyKey: 'db' });
  await start(flow, 'other');
  await flow.world.run(5 * SECOND_MS);
  await start(flow, 'top');
  await flow.world.run(5 * SECOND_MS);
  await put(flow, 'top', top);
  await start(flow, 'top');
  await flow.world.run(30 * MINUTE_MS);
  expect(statusesOf(flow, 'top', 'leaf', 'other')).toEqual(allSucceeded(5));
});

// The older one has a ticket from when its job had a key. The later run has no slot, and waits for a child.
test('a child takes a slot before the ticket of one that the run above has overtaken', async () => {
  const flow = await WorkflowWorld.started();
  slowAtFirst(flow);
  await limitTo(flow, 1);
  await put(flow, 'other', { ...HELD, concurrencyKey: 'db' });
  await put(flow, 'leaf', { target: TARGET, concurrencyKey: 'db' });
  const top = { ...workflow({ go: { job: 'leaf' } }), overlap: 'queue' };
  await put(flow, 'top', { ...top, concurrencyKey: 'db' });
  await start(flow, 'other');
  await flow.world.run(5 * SECOND_MS);
  await start(flow, 'top');
  await flow.world.run(5 * SECOND_MS);
  await put(flow, 'top', top);
  await start(flow, 'top');
  await flow.world.run(30 * MINUTE_MS);
  expect(statusesOf(flow, 'top', 'leaf', 'other')).toEqual(allSucceeded(5));
});

describe('an execution waits for the lock of its job, and the job gets an ordering key that another one has', () => {
  async function failsOnce(flow: WorkflowWorld) {
    const { behaviour } = flow.world;
    flow.world.behaviour = () => ({ outcome: 'fatal', statusCode: 400, error: '400' });
    const execId = await start(flow, 'child');
    await flow.world.run(5 * SECOND_MS);
    flow.world.behaviour = behaviour;
    return execId;
  }

  const waiting = {
    'a run': (flow: WorkflowWorld) => start(flow, 'child'),
    'a date of a backfill': (flow: WorkflowWorld) => backfilled(flow, 1),
    'a child of a run': (flow: WorkflowWorld) => start(flow, 'top'),
    'a run that its user retries': (flow: WorkflowWorld, failed: string) =>
      flow.world.api('retryExecution', { jobId: 'child', execId: failed }),
  };

  test.each(Object.entries(waiting))('it goes on: %s', async (_, begin) => {
    const flow = await WorkflowWorld.started();
    await put(flow, 'child', HELD);
    await put(flow, 'top', workflow({ go: { job: 'child' } }));
    const failed = await failsOnce(flow);
    slowAtFirst(flow);
    await put(flow, 'other', { ...HELD, orderingKey: 'k' });
    await start(flow, 'child');
    await flow.world.run(5 * SECOND_MS);
    await begin(flow, failed);
    await flow.world.run(2 * MINUTE_MS);
    await start(flow, 'other');
    await flow.world.run(5 * SECOND_MS);
    await edit(flow, 'child', { orderingKey: 'k' });
    await flow.world.run(5 * MINUTE_MS);
    expect(statusesOf(flow, 'other')).toEqual(['retrying']);
    const statuses = statusesOf(flow, 'child', 'top').filter((status) => status !== 'failed');
    expect(statuses).toEqual(allSucceeded(statuses.length));
    expect(statuses.length).toBeGreaterThanOrEqual(2);
  });
});
