import { put, TARGET } from '../../support/child-world';
import type { DecodedSpan } from '../../support/otlp-request';
import { SpansWorld } from '../../support/spans-world';
import { FAILED } from '../../support/workflow-world';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const TRACED = { traceparent: `00-${ID}-${CALLER}-01`, tracestate: 'vendor=1' };

const SECOND_NS = 1_000_000_000n;
const secondsOf = ({ startTimeUnixNano, endTimeUnixNano }: DecodedSpan): number =>
  Number((BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / SECOND_NS);

const runIn = (spans: SpansWorld, jobId: string, headers: Record<string, string> = {}) =>
  spans.world.api('runJob', { jobId }, undefined, headers);

/** The span that the targets got as their parent, by the name of the task or job. */
function deliveredIn(spans: SpansWorld): Map<string, { traceId: string; spanId: string }> {
  const delivered = new Map<string, { traceId: string; spanId: string }>();
  const observe = spans.world.observe!;
  spans.world.observe = (delivery, target) => {
    const { traceparent = '', 'quarterjack-task': task, 'quarterjack-job': job } = delivery.headers;
    const [, traceId = '', spanId = ''] = traceparent.split('-');
    delivered.set(task ?? job!, { traceId, spanId });
    observe(delivery, target);
  };
  return delivered;
}

test('from a call by HTTP through the tasks of a workflow to its child: each span has its parent', async () => {
  const spans = await SpansWorld.started();
  const { flow } = spans;
  const delivered = deliveredIn(spans);
  await put(flow, 'child', { target: TARGET });
  await flow.save({ load: {}, start: { target: null, job: 'child', dependsOn: ['load'] } });
  flow.behave['load'] = { workMs: 3_000 };
  expect(await runIn(spans, 'etl', TRACED)).toMatchObject({ status: 202 });
  await spans.run(60_000);

  const run = spans.span('execute etl');
  const [load, start] = [spans.span('task load'), spans.span('task start')];
  const child = spans.span('execute child');
  const calls = spans.got.filter(({ name }) => name === 'POST');
  expect(spans.got).toHaveLength(spans.names.filter((name) => name === 'wait').length + 6);

  // The run joins the trace of its request, and its tasks are its children.
  expect(run).toMatchObject({ traceId: ID, parentSpanId: CALLER, traceState: 'vendor=1', flags: 0x301 });
  for (const task of [load, start]) expect(task).toMatchObject({ traceId: ID, parentSpanId: run.spanId });
  expect(secondsOf(load)).toBe(3);
  expect(start.attributes).toMatchObject({ 'quarterjack.child': 'child', 'quarterjack.status': 'succeeded' });

  // The child has a trace of its own, linked to the task that started it.
  expect(child.traceId).not.toBe(ID);
  expect(child).not.toHaveProperty('parentSpanId');
  expect(child.links).toMatchObject([{ traceId: ID, spanId: start.spanId }]);

  // What the targets got as their parents are the spans of the calls.
  const [ofLoad, ofChild] = [load, child].map(({ spanId }) =>
    calls.find(({ parentSpanId }) => parentSpanId === spanId)!,
  );
  expect(delivered.get('load')).toEqual({ traceId: ID, spanId: ofLoad!.spanId });
  expect(delivered.get('child')).toEqual({ traceId: child.traceId, spanId: ofChild!.spanId });
  expect(ofLoad).toMatchObject({
    kind: 3,
    attributes: {
      'http.request.method': 'POST',
      'url.full': 'https://example.com/hook',
      'server.address': 'example.com',
      'server.port': 443,
      'http.response.status_code': 200,
    },
  });
  const inside = (inner: DecodedSpan, outer: DecodedSpan) =>
    inner.startTimeUnixNano >= outer.startTimeUnixNano && inner.endTimeUnixNano <= outer.endTimeUnixNano;
  for (const [inner, outer] of [
    [load, run],
    [ofLoad!, load],
    [ofChild!, child],
  ] as const)
    expect(inside(inner, outer)).toBe(true);
});

test('a batch that comes again makes equal spans', async () => {
  const spans = await SpansWorld.started();
  await spans.flow.save({
    load: {},
    check: { target: null, approval: { timeout: '1m', onTimeout: 'approve' } },
  });
  await runIn(spans, 'etl');
  await spans.run(180_000, 2);
  const half = spans.got.slice(0, spans.got.length / 2);
  expect(half.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['task load', 'task check', 'execute etl']),
  );
  expect(spans.got.slice(half.length)).toEqual(half);
  expect(secondsOf(half.find(({ name }) => name === 'task check')!)).toBeGreaterThanOrEqual(60);
});

test('items of a fan-out are children of their task, which has the counts', async () => {
  const spans = await SpansWorld.started();
  spans.flow.behave['load.1'] = FAILED;
  await spans.flow.save({ load: { forEach: { items: [1, 2, 3], tolerate: 1 }, retry: { maxAttempts: 1 } } });
  await runIn(spans, 'etl');
  await spans.run(60_000);
  const task = spans.span('task load');
  const items = spans.got.filter(({ name }) => name === 'item load');
  expect(items.map(({ parentSpanId }) => parentSpanId)).toEqual(
    [task, task, task].map(({ spanId }) => spanId),
  );
  expect(task.attributes).toMatchObject({ 'quarterjack.items': 3, 'quarterjack.items.failed': 1 });
  const failed = items.filter(({ status }) => status?.code === 2);
  expect(failed.map(({ attributes }) => attributes)).toMatchObject([
    { 'quarterjack.item': 1, 'error.type': '400' },
  ]);
});

test('a user retry of a run makes spans of what runs again alone', async () => {
  const spans = await SpansWorld.started();
  const { flow } = spans;
  flow.behave['load'] = FAILED;
  await put(flow, 'child', { target: TARGET });
  await flow.save({ first: { target: null, job: 'child' }, load: { dependsOn: ['first'] } });
  const { body } = await runIn(spans, 'etl');
  await spans.run(60_000);
  const before = spans.span('execute etl');
  expect(spans.names).toEqual(expect.arrayContaining(['task first', 'task load']));
  expect(before.status).toEqual({ code: 2 });

  delete flow.behave['load'];
  spans.got.length = 0;
  const { execId } = body as { execId: string };
  expect((await spans.world.api('retryExecution', { jobId: 'etl', execId })).status).toBe(202);
  await spans.run(60_000);
  const [run, load] = [spans.span('execute etl'), spans.span('task load')];
  expect(spans.names).not.toContain('task first');
  expect(load.attributes).toMatchObject({ 'quarterjack.task.round': 2 });
  expect([run.traceId, load.parentSpanId]).toEqual([before.traceId, run.spanId]);
  expect(run.spanId).not.toBe(before.spanId);
  expect(BigInt(run.startTimeUnixNano)).toBeGreaterThan(BigInt(before.endTimeUnixNano));
});
