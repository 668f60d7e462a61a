import { HOUR_MS, MINUTE_MS } from '../../../lambdas/core/clock/clock';
import type { SpansMessage } from '../../../lambdas/core/contracts/otlp';
import { type CollectorAnswer, spanExporter } from '../../../lambdas/exporter/export-spans';
import { T0_MS } from '../../support/factories';
import { decodeTraces } from '../../support/otlp-request';
import { RecordingLog } from '../../support/recording-log';
import { RecordingMeter } from '../../support/recording-meter';

const SPAN = {
  ...{ traceId: '1'.repeat(32), spanId: '2'.repeat(16), flags: 257, name: 'execute nightly', kind: 1 },
  ...{ startTimeUnixNano: '1796113800100000001', endTimeUnixNano: '1796113800200000002' },
  attributes: [{ key: 'quarterjack.job', value: { stringValue: 'nightly' } }],
};
const messageOf = (spans: number, madeAtMs = T0_MS): SpansMessage => ({
  ...{ v: 1, madeAtMs },
  spans: Array.from({ length: spans }, () => SPAN),
});

function anExporter(answers: (CollectorAnswer | Error)[]) {
  const [log, meter] = [new RecordingLog(), new RecordingMeter()];
  const world = { log, meter, nowMs: T0_MS, posted: [] as Buffer[] };
  const send = spanExporter({
    post: async (body) => {
      world.posted.push(body);
      const answer = answers.shift() ?? { status: 200, body: '{}' };
      if (answer instanceof Error) throw answer;
      return answer;
    },
    source: { serviceName: 'jobs', version: '1.2.3', stage: 'prod', deployment: 'Quarterjack-prod' },
    ...{ log, meter, clock: { nowMs: () => world.nowMs } },
  });
  const batch = (...messages: SpansMessage[]) =>
    send(messages.map((message, index) => ({ id: String(index), message })));
  return Object.assign(world, { batch, count: (name: string) => meter.total(name as never) });
}

test('a message is a request, which the published definitions decode', async () => {
  const world = anExporter([]);
  expect(await world.batch(messageOf(2), messageOf(1))).toEqual({ failedIds: [] });
  const [first, second] = world.posted.map(decodeTraces);
  expect(first).toMatchObject({
    resource: {
      'service.name': 'jobs',
      'service.version': '1.2.3',
      'deployment.environment.name': 'prod',
      'quarterjack.deployment': 'Quarterjack-prod',
    },
    scope: { name: 'quarterjack', version: '1.2.3' },
    schemaUrl: 'https://opentelemetry.io/schemas/1.37.0',
    spans: [{ startTimeUnixNano: '1796113800100000001' }, {}],
  });
  expect(second!.spans).toHaveLength(1);
  expect(world.count('OtlpSent')).toBe(3);
});

test.each([429, 502, 503, 504])(
  'after a %i, all comes again, and the collector is left alone',
  async (status) => {
    const world = anExporter([{ status, body: '' }]);
    expect(await world.batch(messageOf(1), messageOf(1))).toEqual({ failedIds: ['0', '1'] });
    expect(world.posted).toHaveLength(1);
    world.nowMs += 29_999;
    expect(await world.batch(messageOf(1))).toEqual({ failedIds: ['0'] });
    expect(world.posted).toHaveLength(1);
    world.nowMs += 1;
    expect(await world.batch(messageOf(1))).toEqual({ failedIds: [] });
    expect(['OtlpSent', 'OtlpRejected', 'OtlpDropped'].map(world.count)).toEqual([1, 0, 0]);
  },
);

test('a collector without an answer costs a batch one request', async () => {
  const world = anExporter([new Error('no answer within 5 s')]);
  expect(await world.batch(messageOf(1), messageOf(1), messageOf(1))).toEqual({ failedIds: ['0', '1', '2'] });
  expect(world.posted).toHaveLength(1);
});

test('Retry-After counts, up to five minutes', async () => {
  const world = anExporter([{ status: 503, body: '', retryAfterMs: HOUR_MS }]);
  await world.batch(messageOf(1));
  world.nowMs += 5 * MINUTE_MS - 1;
  await world.batch(messageOf(1));
  expect(world.posted).toHaveLength(1);
  world.nowMs += 1;
  await world.batch(messageOf(1));
  expect(world.posted).toHaveLength(2);
});

test.each([400, 401, 413, 500, 302])('a %i is not repeated, and counted', async (status) => {
  const world = anExporter([{ status, body: 'no' }]);
  expect(await world.batch(messageOf(2), messageOf(1))).toEqual({ failedIds: [] });
  expect(['OtlpSent', 'OtlpRejected'].map(world.count)).toEqual([1, 2]);
});

test.each([
  ['{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}', 1],
  ['{"partialSuccess":{"rejectedSpans":2}}', 2],
  ['{"partialSuccess":{"rejectedSpans":"900"}}', 3],
  ['{"partialSuccess":{}}', 0],
  ['', 0],
  ['<html>', 0],
])('the answer %s rejects %i of three spans', async (body, rejected) => {
  const world = anExporter([{ status: 200, body }]);
  expect(await world.batch(messageOf(3))).toEqual({ failedIds: [] });
  expect(['OtlpSent', 'OtlpRejected'].map(world.count)).toEqual([3 - rejected, rejected]);
});

test('after an hour spans are dropped and counted, without a request', async () => {
  const world = anExporter([]);
  world.nowMs += HOUR_MS + 1;
  expect(await world.batch(messageOf(2), messageOf(1, T0_MS + 1))).toEqual({ failedIds: [] });
  expect(world.posted).toHaveLength(1);
  expect(['OtlpSent', 'OtlpDropped'].map(world.count)).toEqual([1, 2]);
});
