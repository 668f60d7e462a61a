import type { Execution } from '../../../lambdas/core/domain/execution';
import type { ExecutionView } from '../../../lambdas/core/http/openapi/execution';
import { newJobAt } from '../../support/new-job';
import { actions, DUE_MS, once, target as workerTarget } from '../../support/offered-work';
import { PipelineWorld } from '../../support/pipeline-world';
import { WorkflowWorld } from '../../support/workflow-world';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const HTTP = { type: 'http', url: 'https://hooks.example.com/jobs/nightly-report' };

/** Headers of a request in the trace of this digit. */
const inTrace = (digit: string) => ({
  traceparent: `00-${digit.repeat(32)}-${digit.repeat(16)}-01`,
  tracestate: `vendor=${digit}`,
});
const idOf = (traceparent: string | undefined): string => traceparent!.split('-')[1]!;
const isTraceOf = (traceparent: string | undefined, digit: string) => idOf(traceparent) === digit.repeat(32);

async function started() {
  const world = await PipelineWorld.started(1);
  const delivered: Record<string, string>[] = [];
  world.observe = ({ headers }) => void delivered.push(headers);
  const ask = async (...given: Parameters<PipelineWorld['api']>) => {
    const { status, body } = await world.api(...given);
    expect(status).toBeLessThan(300);
    return body as Record<string, never>;
  };
  const view = async ({ execId, jobKey }: Execution) =>
    (await ask('getExecution', { jobId: jobKey.split('/')[1], execId })) as unknown as ExecutionView;
  return { world, delivered, ask, view };
}

describe('an execution joins the trace of the request', () => {
  it('that runs its job, and shows it; a repeat of the request does not change it', async () => {
    const { world, delivered, ask, view } = await started();
    const job = await world.create(newJobAt(world, { schedule: { type: 'none' } }));
    const key = { 'idempotency-key': 'once' };
    const { trace } = await ask('runJob', { jobId: job.jobId }, undefined, { ...key, ...inTrace('a') });
    await ask('runJob', { jobId: job.jobId }, undefined, { ...key, ...inTrace('b') });
    await world.run(MINUTE_MS);
    const [row, ...others] = world.executions(job);
    expect(others).toEqual([]);
    expect(delivered[0]).toMatchObject({ tracestate: 'vendor=a' });
    expect(isTraceOf(delivered[0]?.traceparent, 'a')).toBe(true);
    expect((await view(row!)).trace).toEqual({
      traceId: 'a'.repeat(32),
      spanId: expect.stringMatching(/^[\da-f]{16}$/) as string,
      sampled: true,
      joined: true,
    });
    expect((await view(row!)).trace).toEqual(trace);
  });

  it('that creates a job of one time, due within a day; not of one that is due later, or recurs', async () => {
    const { world, delivered, ask, view } = await started();
    const now = world.clock.nowMs();
    const at = (ms: number) => ({ type: 'at', at: new Date(now + ms).toISOString() });
    const create = (jobId: string, schedule: object) =>
      ask('createJob', {}, { jobId, schedule, target: HTTP }, inTrace('a'));
    await create('soon', at(10 * MINUTE_MS));
    await create('late', at(DAY_MS + MINUTE_MS));
    await create('often', { type: 'cron', expression: '0 * * * *' });
    await world.run(DAY_MS + 2 * MINUTE_MS);
    const of = (jobId: string) => delivered.filter((headers) => headers['quarterjack-job'] === jobId);
    expect(of('soon').map(({ traceparent }) => isTraceOf(traceparent, 'a'))).toEqual([true]);
    expect(of('late').map(({ traceparent }) => isTraceOf(traceparent, 'a'))).toEqual([false]);
    const ids = of('often').map(({ traceparent }) => idOf(traceparent));
    expect(new Set([...ids, 'a'.repeat(32)]).size).toBe(ids.length + 1);
    const kept = of('often').filter(
      ({ traceparent, tracestate }) => !traceparent!.endsWith('-00') || tracestate,
    );
    expect(kept).toEqual([]);
    const [row] = world.executions({ userId: 'alice', jobId: 'late' });
    expect(row).not.toHaveProperty('trace');
    expect((await view(row!)).trace).toMatchObject({ joined: false, sampled: false });
    expect((await view(world.executions({ userId: 'alice', jobId: 'soon' })[0]!)).trace).toMatchObject({
      traceId: 'a'.repeat(32),
      joined: true,
    });
  });

  it('that creates a job of one time, also if it has waited for an earlier execution of it', async () => {
    const { world, delivered, ask } = await started();
    world.behaviour = async (_, signal, clock) => {
      await clock.sleep(90_000, signal);
      return { outcome: 'succeeded', statusCode: 200 };
    };
    const at = new Date(world.clock.nowMs() + MINUTE_MS).toISOString();
    const target = { ...HTTP, timeout: '5m' };
    const job = { jobId: 'soon', schedule: { type: 'at', at }, target, timeout: '10m', overlap: 'queue' };
    await ask('createJob', {}, job, inTrace('a'));
    await world.run(30_000);
    await ask('runJob', { jobId: 'soon' });
    await world.run(5 * MINUTE_MS);
    expect(delivered.map(({ traceparent }) => isTraceOf(traceparent, 'a'))).toEqual([false, true]);
  });

  it('that retries it; a retry without a trace leaves it where it was', async () => {
    const { world, delivered, ask } = await started();
    world.behaviour = () => ({ outcome: 'fatal', statusCode: 400 });
    const job = await world.create(newJobAt(world, { schedule: { type: 'none' } }));
    await ask('runJob', { jobId: job.jobId }, undefined, inTrace('a'));
    await world.run(MINUTE_MS);
    const { execId } = world.executions(job)[0]!;
    for (const headers of [inTrace('b'), {}]) {
      await ask('retryExecution', { jobId: job.jobId, execId }, undefined, headers);
      await world.run(MINUTE_MS);
    }
    expect(delivered.map(({ traceparent }) => idOf(traceparent)[0])).toEqual(['a', 'b', 'b']);
    expect(new Set(delivered.map(({ traceparent }) => traceparent)).size).toBe(3);
  });

  it('that sends an event, runs many jobs, or asks for a backfill', async () => {
    const { world, delivered, ask } = await started();
    const event = { type: 'event', name: 'order.paid' } as const;
    await world.create(newJobAt(world, { jobId: 'receipt', schedule: event }));
    await world.create(newJobAt(world, { jobId: 'debounced', schedule: { ...event, debounce: '5s' } }));
    await world.create(newJobAt(world, { jobId: 'plain', schedule: { type: 'none' } }));
    await ask('sendEvent', {}, { name: 'order.paid', id: 'evt-1' }, inTrace('a'));
    const bulk = { action: 'run', filter: { q: 'plain' } };
    await ask('bulk', {}, bulk, { 'idempotency-key': 'all', ...inTrace('b') });
    await world.run(MINUTE_MS);
    const seen = delivered.map((headers) => `${headers['quarterjack-job']} ${idOf(headers.traceparent)[0]}`);
    expect(seen.toSorted()).toEqual(['debounced a', 'plain b', 'receipt a']);
    const cron = { type: 'cron', expression: '0 0 * * *' } as const;
    await world.create(newJobAt(world, { jobId: 'daily', schedule: cron }));
    const range = { from: '2019-03-01T00:00:00Z', to: '2019-03-02T00:00:00Z' };
    const { execId } = await ask('startBackfill', { jobId: 'daily' }, range, inTrace('c'));
    const rows = world.executions({ userId: 'alice', jobId: 'daily' });
    expect(rows.find((row) => row.execId === execId)?.trace?.id).toBe('c'.repeat(32));
  });
});

test('a change keeps the trace of its own request alone, and a trace is no change', async () => {
  const { world, ask } = await started();
  const body = { schedule: { type: 'cron', expression: '0 4 * * *' }, target: HTTP };
  const put = async (name: string, headers: Record<string, string>) => {
    await ask('putJob', { jobId: 'report' }, { ...body, name }, headers);
    return (await world.deps.jobs.get({ userId: 'alice', jobId: 'report' }))!;
  };
  const first = await put('one', inTrace('a'));
  expect(first.trace?.id).toBe('a'.repeat(32));
  expect(await put('one', inTrace('b'))).toEqual(first);
  expect((await put('two', inTrace('c'))).trace?.id).toBe('c'.repeat(32));
  expect((await put('three', {})).trace).toBeUndefined();
  const changes = await ask('listJobChanges', { jobId: 'report' });
  expect(JSON.stringify([changes, await ask('getJob', { jobId: 'report' })])).not.toContain('"trace"');
});

test('tasks and items are in the trace of their run, each with a span of its own', async () => {
  const flow = await WorkflowWorld.started();
  const delivered: string[] = [];
  const observe = flow.world.observe!;
  flow.world.observe = (delivery, target) => {
    delivered.push(delivery.headers.traceparent!);
    observe(delivery, target);
  };
  await flow.save({ first: {}, each: { forEach: { items: [1, 2] }, dependsOn: ['first'] } });
  await flow.world.api('runJob', { jobId: flow.jobId }, undefined, inTrace('a'));
  await flow.world.run(MINUTE_MS);
  await flow.run();
  await flow.world.run(MINUTE_MS);
  const [joined, own] = [delivered.slice(0, 3), delivered.slice(3)];
  expect(joined.map(idOf)).toEqual(Array.from({ length: 3 }, () => 'a'.repeat(32)));
  expect(own).toHaveLength(3);
  expect(new Set(own.map(idOf)).size).toBe(1);
  expect(new Set(delivered).size).toBe(6);
});

test('a worker gets the trace of its work, and a repeated claim gets the same bytes', async () => {
  const world = await PipelineWorld.started(1);
  const body = { jobId: 'work', schedule: once, target: workerTarget };
  expect((await world.api('createJob', {}, body, inTrace('a'))).status).toBe(201);
  await world.run(DUE_MS - world.clock.nowMs() + 1_000);
  const { claim } = actions(world);
  const [first] = await claim({}, { 'idempotency-key': 'claim-1' });
  expect(first).toMatchObject({ tracestate: 'vendor=a' });
  expect(isTraceOf(first?.traceparent, 'a')).toBe(true);
  expect(await claim({}, { 'idempotency-key': 'claim-1' })).toEqual([first]);
});

test('a message that comes again has the same trace, and an attempt that is taken over another span', async () => {
  const { world, delivered } = await started();
  let failures = 2;
  world.behaviour = () =>
    failures-- > 0 ? { outcome: 'retriable', statusCode: 503 } : { outcome: 'succeeded', statusCode: 200 };
  await world.create(newJobAt(world, { schedule: once }));
  await world.run(10 * MINUTE_MS);
  expect(delivered).toHaveLength(3);
  expect(new Set(delivered.map(({ traceparent }) => idOf(traceparent))).size).toBe(1);
  expect(new Set(delivered.map(({ traceparent }) => traceparent)).size).toBe(3);
});
