import { execIdOfOccurrence } from '../../../lambdas/core/contracts/tables';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;

test('a one-time job is called once, at its time, and costs four writes', async () => {
  const world = await PipelineWorld.started();
  await world.run(2 * MINUTE_MS); // cursors catch up with the present
  const before = { ...world.tables.units() };
  const dueAtMs = T0_MS + 215_000;
  const at = new Date(dueAtMs).toISOString();
  const job = await world.create(newJobAt(world, { schedule: { type: 'at', at } }));
  await world.run(3 * MINUTE_MS);

  expect(world.calls).toEqual([expect.objectContaining({ attempt: 1, fence: 1, dueAtMs })]);
  expect(world.calls[0]!.atMs - world.calls[0]!.dueAtMs).toBeLessThan(200);
  expect(world.calls[0]!.atMs).toBeGreaterThanOrEqual(world.calls[0]!.dueAtMs);
  expect(world.executions(job)).toEqual([
    expect.objectContaining({
      status: 'succeeded',
      trigger: 'schedule',
      result: { statusCode: 200, body: 'ok' },
    }),
  ]);
  expect(world.errors()).toEqual([]);
  const cursors = 3 * 2 * 2 + 1; // two shards, two stages, one move a minute, and one past settled entries
  expect(world.tables.units().writeUnits - before.writeUnits).toBeLessThanOrEqual(4 + cursors);
});

test('a one-minute job keeps firing, each occurrence once', async () => {
  const world = await PipelineWorld.started();
  const job = await world.create(newJobAt(world, {}));
  await world.run(30 * MINUTE_MS);
  expect(world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS)).toEqual(
    Array.from({ length: world.calls.length }, (_, index) => index + 1),
  );
  expect(world.calls.length).toBeGreaterThanOrEqual(29);
  expect(world.executions(job).every(({ status }) => status === 'succeeded')).toBe(true);
  expect(world.errors()).toEqual([]);
});

test('a job that fires every ten seconds has one entry a minute', async () => {
  const world = await PipelineWorld.started();
  const job = newJobAt(world, {
    schedule: { type: 'interval', every: '10s', anchor: new Date(T0_MS).toISOString() },
  });
  await world.create(job);
  await world.run(5 * MINUTE_MS);
  expect(world.calls.length).toBeGreaterThanOrEqual(29);
  expect(new Set(world.calls.map(({ execId }) => execId)).size).toBe(world.calls.length);
  const minutes = world.tables
    .rows('schedule')
    .filter(({ entry, rechecks }) => String(entry).includes('#o#') && rechecks === undefined)
    .map(({ bucket }) => bucket);
  expect(minutes).toHaveLength(10); // five minutes that have passed, and five ahead
  expect(new Set(minutes).size).toBe(minutes.length);
});

test('a failing target is called again with a rising fence until its attempts are exhausted', async () => {
  const world = await PipelineWorld.started();
  world.behaviour = () => ({ outcome: 'retriable', statusCode: 503, error: 'target answered 503' });
  const at = new Date(T0_MS + 30_000).toISOString();
  const job = await world.create(newJobAt(world, { schedule: { type: 'at', at } }));
  await world.run(4 * MINUTE_MS);
  expect(world.calls.map(({ attempt, fence }) => [attempt, fence])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  const [execution] = world.executions(job);
  expect(execution).toMatchObject({ status: 'failed', reason: 'attempts-exhausted' });
  expect(execution!.attempts.map(({ outcome }) => outcome)).toEqual(['retriable', 'retriable', 'retriable']);
});

test('a recheck finds a lost message', async () => {
  const world = await PipelineWorld.started();
  const at = new Date(T0_MS + 65_000).toISOString();
  const job = await world.create(newJobAt(world, { schedule: { type: 'at', at } }));
  world.queue.purge();
  await world.run(3 * MINUTE_MS);
  expect(world.calls).toHaveLength(1);
  expect(world.calls[0]!.atMs - world.calls[0]!.dueAtMs).toBeLessThan(35_000);
  expect(world.executions(job)[0]).toMatchObject({ status: 'succeeded' });
});

test('an attempt whose executor dies is taken over, within 75 s of its last heartbeat', async () => {
  const world = await PipelineWorld.started();
  world.behaviour = ({ attempt }) =>
    attempt === 1 ? new Promise(() => undefined) : { outcome: 'succeeded', statusCode: 200 };
  const at = new Date(T0_MS + 30_000).toISOString();
  const job = await world.create(newJobAt(world, { schedule: { type: 'at', at } }));
  await world.run(30_500);
  world.dynamo.faults = { before: ({ input }) => failHeartbeat(input) };
  await world.run(3 * MINUTE_MS);
  expect(world.calls.map(({ attempt, fence }) => [attempt, fence])).toEqual([
    [1, 1],
    [2, 2],
  ]);
  expect(world.calls[1]!.atMs - world.calls[0]!.atMs).toBeLessThanOrEqual(75_000);
  const [execution] = world.executions(job);
  expect(execution).toMatchObject({ status: 'succeeded', failures: 0, attempt: 2 });
  expect(execution!.attempts.map(({ outcome }) => outcome)).toEqual(['lost', 'succeeded']);
});

/** Heartbeats are the updates that set only the heartbeat. */
function failHeartbeat(input: Readonly<Record<string, unknown>>): void {
  if (input.UpdateExpression === 'SET #heartbeatAtMs = :nowMs') throw new Error('unreachable');
}

test('a queue purged in the middle of a bucket loses no fire of a five-second job', async () => {
  const world = await PipelineWorld.started();
  const anchor = new Date(T0_MS).toISOString();
  await world.create(newJobAt(world, { schedule: { type: 'interval', every: '5s', anchor } }));
  await world.run(2 * MINUTE_MS + 30_000);
  world.queue.purge();
  await world.run(6 * MINUTE_MS);
  const due = [...new Set(world.calls.map(({ dueAtMs }) => (dueAtMs - T0_MS) / 5_000))].sort((a, b) => a - b);
  expect(due).toEqual(Array.from({ length: due.length }, (_, index) => index + 1));
  expect(due.length).toBeGreaterThanOrEqual(100);
  expect(world.calls).toHaveLength(due.length);
});

test('a ten-second job costs two writes a fire, and one entry a minute', async () => {
  const world = await PipelineWorld.started(1);
  const anchor = new Date(T0_MS).toISOString();
  await world.create(newJobAt(world, { schedule: { type: 'interval', every: '10s', anchor } }));
  await world.run(8 * MINUTE_MS);
  const before = { calls: world.calls.length, ...world.tables.units() };
  await world.run(10 * MINUTE_MS);
  const fires = world.calls.length - before.calls;
  const writes = world.tables.units().writeUnits - before.writeUnits;
  expect(fires).toBe(60);
  const cursors = 10 * 3; // scanner and sweeper once a minute, and the sweeper past settled entries
  expect(writes).toBeLessThanOrEqual(fires * 2 + 10 + cursors);
});

test('excluded occurrences are not planned: no call and no record', async () => {
  const world = await PipelineWorld.started(1);
  const schedule = { type: 'cron' as const, expression: '* * * * *', exclude: ['*/2 * * * *'] };
  const job = await world.create(newJobAt(world, { schedule }));
  await world.run(9 * MINUTE_MS);
  const minutes = world.executions(job).map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS);
  expect(minutes).toEqual([1, 3, 5, 7, 9]);
});

test('maxRuns counts planned occurrences, and the series of entries ends with the last one', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(
    newJobAt(world, { schedule: { type: 'cron', expression: '* * * * *', maxRuns: 7 } }),
  );
  await world.run(15 * MINUTE_MS);
  expect(world.executions(job)).toHaveLength(7);
  expect(await world.api('getJob', { jobId: job.jobId })).toMatchObject({
    body: { status: 'completed', nextFireAt: null },
  });
});

test('a user retry runs a failed execution again: attempts start at 1, and the fence keeps rising', async () => {
  const world = await PipelineWorld.started(1);
  let healthy = false;
  world.behaviour = () =>
    healthy ? { outcome: 'succeeded', statusCode: 200 } : { outcome: 'fatal', statusCode: 400, error: 'no' };
  const at = new Date(T0_MS + 30_000).toISOString();
  const job = await world.create(newJobAt(world, { schedule: { type: 'at', at } }));
  await world.run(MINUTE_MS);
  const [failed] = world.executions(job);
  expect(failed).toMatchObject({ status: 'failed', reason: 'fatal' });
  healthy = true;
  const params = { jobId: job.jobId, execId: failed!.execId };
  const answers = await Promise.all([
    world.api('retryExecution', params),
    world.api('retryExecution', params),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  await world.run(2 * MINUTE_MS);
  expect(world.calls.map(({ attempt, fence }) => [attempt, fence])).toEqual([
    [1, 1],
    [1, 2],
  ]);
  const [userRetried] = world.executions(job);
  expect(userRetried).toMatchObject({ status: 'succeeded', attempt: 1 });
  expect(userRetried!.reason).toBeUndefined();
  expect(userRetried!.attempts.map(({ outcome }) => outcome)).toEqual(['fatal', 'succeeded']);
  expect(await world.api('retryExecution', params)).toMatchObject({ status: 409 });
});

test('a recheck finds a user retry whose message was lost', async () => {
  const world = await PipelineWorld.started(1);
  world.behaviour = ({ fence }) =>
    fence > 1
      ? { outcome: 'succeeded', statusCode: 200 }
      : { outcome: 'fatal', statusCode: 400, error: 'no' };
  const at = new Date(T0_MS + 30_000).toISOString();
  const job = await world.create(newJobAt(world, { schedule: { type: 'at', at } }));
  await world.run(MINUTE_MS);
  const { execId } = world.executions(job)[0]!;
  expect((await world.api('retryExecution', { jobId: job.jobId, execId })).status).toBe(202);
  world.queue.purge();
  await world.run(2 * MINUTE_MS);
  expect(world.executions(job)[0]).toMatchObject({ status: 'succeeded' });
});

test('an execution cancelled ahead of its time and retried runs at its due time, not before', async () => {
  const world = await PipelineWorld.started(1);
  const dueAtMs = T0_MS + 10 * MINUTE_MS;
  const at = { type: 'at' as const, at: new Date(dueAtMs).toISOString() };
  const job = await world.create(newJobAt(world, { schedule: at }));
  const params = { jobId: job.jobId, execId: execIdOfOccurrence(dueAtMs) };
  expect((await world.api('cancelExecution', params)).status).toBe(202);
  expect((await world.api('retryExecution', params)).status).toBe(202);
  await world.run(9 * MINUTE_MS);
  expect(world.calls).toEqual([]);
  await world.run(2 * MINUTE_MS);
  expect(world.calls).toEqual([expect.objectContaining({ atMs: dueAtMs, attempt: 1 })]);
});

test('a user retry of a skipped execution runs even if the schedule changes before the attempt', async () => {
  const world = await PipelineWorld.started(1);
  const target = { ...newJobAt(world, {}).target, timeout: '5m' };
  const job = await world.create(newJobAt(world, { overlap: 'skip', target }));
  world.behaviour = async (_, signal, clock) => {
    if (world.calls.length === 1) await clock.sleep(90_000, signal);
    return { outcome: 'succeeded', statusCode: 200 };
  };
  await world.run(3 * MINUTE_MS);
  const skipped = world.executions(job).find(({ status }) => status === 'skipped')!;
  world.on.executor = false;
  const params = { jobId: job.jobId, execId: skipped.execId };
  expect((await world.api('retryExecution', params)).status).toBe(202);
  const schedule = { type: 'at', at: new Date(T0_MS + 60 * MINUTE_MS).toISOString() };
  expect((await world.api('patchJob', { jobId: job.jobId }, { schedule })).status).toBe(200);
  world.on.executor = true;
  await world.run(2 * MINUTE_MS);
  expect(world.executions(job).find(({ execId }) => execId === skipped.execId)).toMatchObject({
    status: 'succeeded',
  });
});
