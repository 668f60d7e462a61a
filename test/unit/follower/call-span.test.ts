import type { AttemptRecord } from '../../../lambdas/core/domain/execution';
import type { HttpTarget, Target } from '../../../lambdas/core/domain/target';
import { callSpanOf } from '../../../lambdas/follower/spans/call-span';
import { T0_MS } from '../../support/factories';

const record = (more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  ...{ attempt: 1, fence: 1, startedAtMs: T0_MS, finishedAtMs: T0_MS + 90, outcome: 'succeeded', target: 0 },
  ...more,
});
const http = (url: string): HttpTarget => ({ type: 'http', url, method: 'PUT', headers: {}, timeout: '30s' });
const attributesOf = (target: Target | undefined, more: Partial<AttemptRecord> = {}) =>
  callSpanOf(target, record(more)).attributes;

test.each<[url: string, full: string | undefined, host: string | undefined, port: number | undefined]>([
  ['https://a.example/x?token=1#y', 'https://a.example/x', 'a.example', 443],
  ['http://a.example:8080/x', 'http://a.example:8080/x', 'a.example', 8080],
  ['https://a.example/x?k={{ secrets.KEY }}', 'https://a.example/x', 'a.example', 443],
  ['https://a.example/{{ run.day }}/x', 'https://a.example/{run.day}/x', 'a.example', 443],
  ['{{ secrets.URL }}', undefined, undefined, undefined],
])('of the URL %s, a span says %s', (url, full, host, port) => {
  const attributes = attributesOf(http(url));
  expect(attributes).toMatchObject({ 'http.request.method': 'PUT' });
  expect([attributes['url.full'], attributes['server.address'], attributes['server.port']]).toEqual([
    full,
    host,
    port,
  ]);
  expect(JSON.stringify(attributes)).not.toMatch(/token=1|secrets/);
});

test('a failure says its class or status, and where it was called, whatever the job says by now', () => {
  const failed = { outcome: 'retriable', attempt: 3, host: 'old.example:8443' } as const;
  expect(attributesOf(http('https://new.example/x'), { ...failed, statusCode: 503 })).toMatchObject({
    'error.type': '503',
    'http.response.status_code': 503,
    'http.request.resend_count': 2,
    'server.address': 'old.example',
    'server.port': 8443,
    'url.full': undefined,
  });
  const refused = { ...failed, error: 'connect ECONNREFUSED 203.0.113.1:443 password=x' };
  const attributes = attributesOf(http('{{ secrets.URL }}'), refused);
  expect(attributes).toMatchObject({ 'error.type': 'refused', 'server.address': 'old.example' });
  expect(JSON.stringify(attributes)).not.toContain('password');
  expect(attributesOf(http('https://a.example'), { outcome: 'cancelled' })['error.type']).toBeUndefined();
});

test.each<[target: Target, name: string, kind: number, attributes: object]>([
  [
    { type: 'lambda', functionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:report:live' },
    'report',
    3,
    { 'faas.invoked_name': 'report', 'faas.invoked_provider': 'aws', 'faas.invoked_region': 'eu-central-1' },
  ],
  [
    { type: 'sqs', queueUrl: 'https://sqs.eu-central-1.amazonaws.com/111122223333/orders' },
    'send orders',
    4,
    {
      'messaging.system': 'aws_sqs',
      'messaging.destination.name': 'orders',
      'messaging.operation.type': 'send',
    },
  ],
  [
    { type: 'sns', topicArn: 'arn:aws:sns:eu-central-1:111122223333:news' },
    'send news',
    4,
    {
      'messaging.system': 'aws.sns',
      'messaging.destination.name': 'news',
      'messaging.operation.name': 'send',
    },
  ],
  [
    { type: 'worker', queue: 'reports', heartbeatTimeout: '1m' },
    'work reports',
    1,
    { 'quarterjack.queue': 'reports', 'quarterjack.target.type': 'worker' },
  ],
  [
    { type: 'glue', glueJobArn: 'arn:aws:glue:eu-central-1:111122223333:job/load' },
    'glue',
    3,
    { 'quarterjack.address': 'arn:aws:glue:eu-central-1:111122223333:job/load' },
  ],
])('%j has the names that OpenTelemetry gives such calls', (target, name, kind, attributes) => {
  expect(callSpanOf(target, record())).toMatchObject({ name, kind, attributes });
});

test('of a job that is gone, an attempt still has a span', () => {
  expect(callSpanOf(undefined, record({ worker: 'w1' }))).toMatchObject({
    ...{ name: 'attempt', kind: 1 },
    attributes: { 'quarterjack.attempt': 1, 'quarterjack.outcome': 'succeeded', 'quarterjack.worker': 'w1' },
  });
});
