import type { Execution } from '../../../lambdas/core/domain/execution';
import { type Backfill, execIdOfBackfill } from '../../../lambdas/core/domain/workflow/backfill';
import { startBackfill } from '../../../lambdas/core/ending/runs/start-backfill';
import { PLAIN, TARGET, childrenOf, put, workflow } from '../../support/child-world';
import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween } from '../../support/kill-between';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Long before the jobs of these tests were made. */
const FIRST_MS = Date.parse('2019-03-01T02:00:00Z');
const days = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => FIRST_MS + index * DAY_MS);

/** Starts a backfill of the job `child`. @returns reads its row */
async function backfill(
  flow: WorkflowWorld,
  dueTimesMs: readonly number[],
  { params, ...asked }: Partial<Backfill> & { params?: Record<string, string> } = {},
): Promise<() => Execution> {
  const { world } = flow;
  const job = await world.deps.jobs.get({ userId: 'alice', jobId: 'child' });
  const execId = execIdOfBackfill(world.clock.nowMs(), 'one');
  const what: Backfill = {
    fromMs: FIRST_MS,
    toMs: FIRST_MS + 100 * DAY_MS,
    parallel: 1,
    order: 'asc',
    only: 'all',
    onFailure: 'continue',
    overlap: 'respect',
    priority: 'low',
    count: dueTimesMs.length,
    ...asked,
  };
  await startBackfill({ execId, backfill: what, dueTimesMs, params }, job!, world.deps);
  return () => childrenOf(flow).find((row) => row.execId === execId)!;
}

const datesOf = (flow: WorkflowWorld): Execution[] => childrenOf(flow).filter(({ parent }) => parent);

test.each([
  ['a plain job', PLAIN],
  ['a job with a concurrency key and an ordering key', { ...PLAIN, orderingKey: 'k', concurrencyKey: 'db' }],
  [
    'a job with a derived key',
    { ...PLAIN, payload: { tenant: 'a' }, concurrencyKey: 'db.{{ payload.tenant }}' },
  ],
  ['a job with several targets', { schedule: { type: 'none' }, targets: [TARGET, TARGET] }],
  ['a job with a workflow', workflow({ copy: { target: TARGET } })],
])('a backfill runs %s for each date, in order, beside the occurrences of its dates', async (_, job) => {
  const flow = await WorkflowWorld.started();
  for (const key of ['db', 'db.*']) await flow.world.api('putConcurrencyKey', { key }, { limit: 1 });
  await put(flow, 'child', job);
  const run = await backfill(flow, days(4));
  await flow.world.run(MINUTE_MS);
  expect(run()).toMatchObject({ status: 'succeeded', trigger: 'backfill' });
  const children = datesOf(flow);
  expect(children.map(({ dueAtMs }) => dueAtMs)).toEqual(days(4));
  expect(children.map(({ execId }) => execId.slice(0, 20))).toEqual(
    days(4).map((ms) => new Date(ms).toISOString().replaceAll(/[-:]/g, '')),
  );
  for (const child of children)
    expect(child).toMatchObject({
      status: 'succeeded',
      trigger: 'backfill',
      lane: { priority: 'low', pool: 'default' },
      parent: { execId: run().execId, task: 'dates' },
      ancestors: [],
    });
  expect(new Set(flow.world.calls.map(({ dueAtMs }) => dueAtMs)).size).toBe(
    'workflow' in job ? 4 : days(4).length,
  );
  expect(flow.world.errors()).toEqual([]);
});

test('a backfill without dates has nothing to do, and succeeds', async () => {
  const flow = await WorkflowWorld.started();
  await put(flow, 'child', PLAIN);
  const run = await backfill(flow, [], { only: 'missing' });
  await flow.world.run(MINUTE_MS);
  expect(run()).toMatchObject({ status: 'succeeded' });
  expect([datesOf(flow), flow.world.calls, flow.world.errors()]).toEqual([[], [], []]);
});

test('each child is given the parameters and the date that it is for', async () => {
  const flow = await WorkflowWorld.started();
  const input = { mode: '{{ params.mode }}', day: '{{ run.day }}', due: '{{ run.dueAt }}' };
  await put(flow, 'child', workflow({ copy: { target: TARGET, input } }, { params: { mode: 'nightly' } }));
  const bodies: unknown[] = [];
  flow.world.observe = ({ body }) => void bodies.push(JSON.parse(body.toString()));
  const run = await backfill(flow, days(2), { params: { mode: 'again' } });
  await flow.world.run(30 * SECOND_MS);
  expect(run().status).toBe('succeeded');
  expect(bodies).toEqual([
    { mode: 'again', day: '2019-03-01', due: '2019-03-01T02:00:00.000Z' },
    { mode: 'again', day: '2019-03-02', due: '2019-03-02T02:00:00.000Z' },
  ]);
});

/** Fails the dates with these indexes. */
function failDates(flow: WorkflowWorld, indexes: readonly number[]): void {
  flow.world.behaviour = ({ dueAtMs }) =>
    indexes.includes((dueAtMs - FIRST_MS) / DAY_MS) ? FAILED : { outcome: 'succeeded', statusCode: 200 };
}

test('a failed date fails the backfill in the end, and a retry runs it alone again', async () => {
  const flow = await WorkflowWorld.started();
  await put(flow, 'child', { ...PLAIN, orderingKey: 'k' });
  failDates(flow, [1, 3]);
  const run = await backfill(flow, days(5), { parallel: 2 });
  await flow.world.run(30 * SECOND_MS);
  expect(run()).toMatchObject({ status: 'failed', reason: 'task-failed' });
  expect(datesOf(flow)).toHaveLength(5);
  failDates(flow, []);
  const { execId } = run();
  expect((await flow.world.api('retryExecution', { jobId: 'child', execId })).status).toBe(202);
  await flow.world.run(30 * SECOND_MS);
  expect(run()).toMatchObject({ status: 'succeeded' });
  expect(datesOf(flow)).toHaveLength(5);
  expect(new Set(datesOf(flow).map(({ orderingKey }) => orderingKey))).toEqual(new Set(['k']));
  expect(flow.world.calls).toHaveLength(7);
});

test('with onFailure stop, no date begins after one that has failed, until it is retried', async () => {
  const flow = await WorkflowWorld.started();
  await put(flow, 'child', PLAIN);
  failDates(flow, [1]);
  const run = await backfill(flow, days(60), { onFailure: 'stop' });
  await flow.world.run(30 * SECOND_MS);
  expect(run()).toMatchObject({ status: 'failed' });
  expect(datesOf(flow).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  failDates(flow, []);
  await flow.world.api('retryExecution', { jobId: 'child', execId: run().execId });
  await flow.world.run(3 * MINUTE_MS);
  expect(run()).toMatchObject({ status: 'succeeded' });
  expect(flow.world.calls.map(({ dueAtMs }) => (dueAtMs - FIRST_MS) / DAY_MS).slice(0, 5)).toEqual([
    0, 1, 1, 2, 3,
  ]);
  expect(flow.world.calls).toHaveLength(61);
});

const marksItem = ({ command, input }: Call): boolean =>
  command === 'UpdateCommand' && String(input.UpdateExpression).includes('SET #m');
const stopsHead = ({ command, input }: Call): boolean =>
  command === 'UpdateCommand' && String(input.UpdateExpression).includes('#stopped');

test('a death between the mark of a failed date and the stop lets no further date begin', async () => {
  const flow = await WorkflowWorld.started();
  await put(flow, 'child', PLAIN);
  failDates(flow, [0]);
  const wasKilled = killBetween(flow.world, 'executor', [marksItem, stopsHead]);
  const run = await backfill(flow, days(5), { onFailure: 'stop' });
  await flow.world.run(5 * MINUTE_MS);
  expect(wasKilled()).toBe(true);
  expect(datesOf(flow)).toHaveLength(1);
  expect(run()).toMatchObject({ status: 'failed' });
});

/** An hourly job, and a backfill whose first date occupies the job when its next occurrence is due. */
async function metByOccurrence(overlap: string, asked: Partial<Backfill> = {}) {
  const flow = await WorkflowWorld.started();
  flow.behave.child = { workMs: 90 * SECOND_MS };
  const schedule = { type: 'cron', expression: '0 * * * *', timezone: 'UTC' };
  const target = { ...TARGET, timeout: '5m' };
  await put(flow, 'child', { target, schedule, overlap, timeout: '5m' });
  const { clock } = flow.world;
  const hourMs = 60 * MINUTE_MS;
  await flow.world.run(hourMs - (clock.nowMs() % hourMs) - 30 * SECOND_MS);
  const run = await backfill(flow, days(2), asked);
  await flow.world.run(10 * MINUTE_MS);
  const planned = childrenOf(flow).filter(({ trigger }) => trigger === 'schedule');
  return { flow, run, planned };
}

test.each(['skip', 'queue', 'replace'])(
  'backfill-meets-schedule: with overlap %s, an occurrence waits for the end of a date, and costs it nothing',
  async (overlap) => {
    const { flow, run, planned } = await metByOccurrence(overlap);
    expect(planned).toMatchObject([{ status: 'succeeded' }]);
    const [first, second] = datesOf(flow);
    expect(first).toMatchObject({ status: 'succeeded' });
    expect(second).toMatchObject({ status: 'succeeded' });
    expect(planned[0]!.startedAtMs).toBeGreaterThanOrEqual(first!.finishedAtMs!);
    expect(second!.startedAtMs).toBeGreaterThanOrEqual(planned[0]!.finishedAtMs!);
    expect(run().status).toBe('succeeded');
  },
);

test('overlap ignore: an occurrence runs beside a date', async () => {
  const { flow, run, planned } = await metByOccurrence('skip', { overlap: 'ignore' });
  const [first] = datesOf(flow);
  expect(planned).toMatchObject([{ status: 'succeeded' }]);
  expect(planned[0]!.startedAtMs).toBeLessThan(first!.finishedAtMs!);
  expect(run().status).toBe('succeeded');
});

test.each(['skip', 'queue', 'replace'])(
  'overlap %s: dates at once run one after another, and none is skipped',
  async (overlap) => {
    const flow = await WorkflowWorld.started();
    flow.behave.child = { workMs: 5 * SECOND_MS };
    await put(flow, 'child', { ...PLAIN, overlap });
    const run = await backfill(flow, days(5), { parallel: 4 });
    await flow.world.run(4 * MINUTE_MS);
    expect(run().status).toBe('succeeded');
    expect(flow.world.calls).toHaveLength(5);
    const spans = datesOf(flow).toSorted((a, b) => a.startedAtMs! - b.startedAtMs!);
    for (const [at, { startedAtMs }] of spans.entries())
      if (at > 0) expect(startedAtMs).toBeGreaterThanOrEqual(spans[at - 1]!.finishedAtMs!);
  },
);

test('a cancel of a backfill reaches the date that runs, and the others do not begin', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.child = { workMs: 10 * MINUTE_MS };
  await put(flow, 'child', { ...PLAIN, timeout: '14m' });
  const run = await backfill(flow, days(3));
  await flow.world.run(5 * SECOND_MS);
  await flow.world.api('cancelExecution', { jobId: 'child', execId: run().execId });
  await flow.world.run(2 * MINUTE_MS);
  expect(run()).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
  expect(datesOf(flow)).toMatchObject([{ status: 'cancelled' }]);
});

test('a backfill whose job is deleted stops', async () => {
  const flow = await WorkflowWorld.started();
  flow.behave.child = { workMs: 5 * SECOND_MS };
  await put(flow, 'child', PLAIN);
  const run = await backfill(flow, days(30));
  await flow.world.run(8 * SECOND_MS);
  await flow.world.api('deleteJob', { jobId: 'child' });
  await flow.world.run(2 * MINUTE_MS);
  expect(run()).toMatchObject({ status: 'cancelled', reason: 'deleted' });
  expect(flow.world.calls.length).toBeLessThan(5);
});

test.each([
  ['last', 'is under way', 25_000],
  ['all', 'has failed', 0],
] as const)('an await with need %s is met although a backfill of the job %s', async (need, _how, workMs) => {
  const flow = await WorkflowWorld.started();
  const { world } = flow;
  const inAMinute = new Date(world.clock.nowMs() + MINUTE_MS).toISOString();
  await put(flow, 'child', { schedule: { type: 'at', at: inAMinute }, target: TARGET });
  const awaits = { job: 'child', window: 'same-day', need, onFailure: 'fail', timeout: '6h' };
  await flow.save({ wait: { target: null, await: awaits } });
  await world.run(2 * MINUTE_MS);
  expect(childrenOf(flow).map(({ status }) => status)).toEqual(['succeeded']);
  flow.behave.child = workMs > 0 ? { workMs } : FAILED;
  const row = await backfill(flow, days(workMs > 0 ? 60 : 2));
  await world.run(MINUTE_MS);
  const execId = await flow.run();
  await world.run(2 * MINUTE_MS);
  expect(row().status).toBe(workMs > 0 ? 'running' : 'failed');
  expect((await flow.statuses(execId)).wait).toBe('succeeded');
});
