import { ROUTES } from '../../../lambdas/core/contracts/routes';
import { AWS_POLICY } from '../../support/aws-policy';
import { aBody, type Answered, paths, ApiWorld } from './world';

/** A field, what is wrong with it, the path that the problem must name, and a word of its message. */
type Case = [what: string, body: object, path: string, word: RegExp];

const queue = { type: 'sqs', queueUrl: 'https://sqs.eu-central-1.amazonaws.com/111122223333/target-q' };
const lambda = {
  type: 'lambda',
  functionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:target-f',
};
const target = (fields: object) => ({ target: { ...aBody().target, ...fields } });
const schedule = (fields: object | string) => ({ schedule: fields });
const retry = (fields: object) => ({ retry: fields });
const misfire = (fields: object) => ({ misfire: fields });
const headers = (fields: object) => target({ headers: fields });

const BODIES: Case[] = [
  ['no schedule', schedule(undefined as unknown as object), 'schedule', /./],
  ['a schedule of no type', schedule({}), 'schedule.type', /cron/],
  ['a schedule of an unknown type', schedule({ type: 'lunar' }), 'schedule.type', /cron/],
  ['a schedule that is a number', schedule(5 as unknown as object), 'schedule', /./],
  ['an empty cron expression', schedule({ type: 'cron', expression: '' }), 'schedule.expression', /./],
  ['four fields', schedule({ type: 'cron', expression: '* * * *' }), 'schedule.expression', /fields/],
  ['minute 60', schedule({ type: 'cron', expression: '60 * * * *' }), 'schedule.expression', /minute/i],
  ['30 February', schedule({ type: 'cron', expression: '0 0 30 2 *' }), 'schedule.expression', /never/],
  [
    'a zone on Mars',
    schedule({ type: 'cron', expression: '* * * * *', timezone: 'Mars/Olympus' }),
    'schedule.timezone',
    /zone/,
  ],
  [
    'an unknown schedule field',
    schedule({ type: 'cron', expression: '* * * * *', every: '5m' }),
    'schedule.every',
    /field/,
  ],
  ['an interval of nothing', schedule({ type: 'interval', every: '0s' }), 'schedule.every', /range/],
  [
    'an end before the start',
    schedule({
      type: 'interval',
      every: '5m',
      startAt: '2027-01-02T00:00:00Z',
      endAt: '2027-01-01T00:00:00Z',
    }),
    'schedule.endAt',
    /later/,
  ],
  [
    'an end in the past',
    schedule({ type: 'interval', every: '5m', endAt: '2020-01-01T00:00:00Z' }),
    'schedule.endAt',
    /now/,
  ],
  ['no runs at all', schedule({ type: 'interval', every: '5m', maxRuns: 0 }), 'schedule.maxRuns', /1/],
  ['an at in the past', schedule({ type: 'at', at: '2026-11-30T00:00:00Z' }), 'schedule.at', /past/],
  ['an at without zone', schedule({ type: 'at', at: '2026-12-30T00:00:00' }), 'schedule.at', /timezone/],
  ['an at on 29 February 2027', schedule({ type: 'at', at: '2027-02-29T00:00:00Z' }), 'schedule.at', /day/],
  ['a negative delay', schedule({ type: 'delay', delay: '-5m' }), 'schedule.delay', /duration/],
  ['a rate of zero', schedule('rate(0 minutes)'), 'schedule', /positive/],
  ['a fortnightly rate', schedule('rate(1 fortnight)'), 'schedule', /minutes/],

  ['no target', { target: undefined }, 'target', /required/],
  ['an unknown target', { target: { type: 'carrier-pigeon' } }, 'target.type', /stepfunctions/],
  ['a function without an ARN', { target: { type: 'lambda' } }, 'target.functionArn', /required/],
  ['a field of another type', { target: { ...queue, topicArn: 'arn' } }, 'target.topicArn', /field/],
  ['mode async of a queue', { target: { ...queue, mode: 'async' } }, 'target.mode', /field/],
  [
    'a queue that is not allowed',
    { target: { ...queue, queueUrl: queue.queueUrl.replace('target-', '') } },
    'target.queueUrl',
    /allows as targets/,
  ],
  [
    'a queue of the stack itself',
    { target: { ...queue, queueUrl: queue.queueUrl.replace('target-', 'Quarterjack-dev-') } },
    'target.queueUrl',
    /Quarterjack itself/,
  ],
  [
    'an event whose detail is a list',
    {
      target: { type: 'eventbridge', eventBusName: 'target-bus', source: 'a', detailType: 'b' },
      payload: [1],
    },
    'payload',
    /object/,
  ],
  [
    'an event that says it is AWS',
    { target: { type: 'eventbridge', eventBusName: 'target-bus', source: 'aws.ec2', detailType: 'b' } },
    'target.source',
    /aws/,
  ],
  [
    'an event that says it is Quarterjack',
    { target: { type: 'eventbridge', eventBusName: 'target-bus', source: 'quarterjack', detailType: 'b' } },
    'target.source',
    /quarterjack/,
  ],
  [
    'an event that says it is of Quarterjack',
    { target: { type: 'eventbridge', eventBusName: 'target-bus', source: 'quarterjack.a', detailType: 'b' } },
    'target.source',
    /quarterjack/,
  ],
  [
    'a function that reports in 20 minutes without a mode',
    { target: lambda, timeout: '20m' },
    'timeout',
    /14m/,
  ],
  ['a target and several', { targets: [aBody().target] }, 'target', /exclude/],
  ['no targets at all', { target: undefined, targets: [] }, 'targets', /1 to 10/],
  [
    'eleven targets',
    { target: undefined, targets: Array.from({ length: 11 }, () => aBody().target) },
    'targets',
    /1 to 10/,
  ],
  [
    'a bad one among several',
    { target: undefined, targets: [aBody().target, { type: 'http', url: 'https://127.0.0.1/' }] },
    'targets.1.url',
    /public/,
  ],
  ['no URL', { target: { type: 'http' } }, 'target.url', /required/],
  ['a URL to this machine', target({ url: 'https://127.0.0.1/' }), 'target.url', /public/],
  ['a URL without TLS', target({ url: 'http://example.com/' }), 'target.url', /https/],
  ['another port', target({ url: 'https://example.com:22/' }), 'target.url', /443/],
  ['an unknown method', target({ method: 'BREW' }), 'target.method', /POST/],
  ['an unknown mode', target({ mode: 'later' }), 'target.mode', /async/],
  [
    'a heartbeat time-out without reports',
    target({ heartbeatTimeout: '10m' }),
    'target.heartbeatTimeout',
    /mode "async"/,
  ],
  [
    'a heartbeat time-out of 8 days',
    target({ mode: 'async', heartbeatTimeout: '8d' }),
    'target.heartbeatTimeout',
    /7d/,
  ],
  ['a report within 8 days', { ...target({ mode: 'async' }), timeout: '8d' }, 'timeout', /7d/],
  ['a time-out of an hour', target({ timeout: '1h' }), 'target.timeout', /14m/],
  ['an unknown target field', target({ verify: false }), 'target.verify', /field/],

  ['a reserved header', headers({ Host: 'a.org' }), 'target.headers.Host', /set by/],
  [
    'a signature of one’s own',
    headers({ 'Webhook-Signature': 'v1,a' }),
    'target.headers.Webhook-Signature',
    /set by/,
  ],
  ['a header of AWS', headers({ 'X-Amz-Target': 'a' }), 'target.headers.X-Amz-Target', /set by/],
  ['a header with a blank', headers({ 'a b': 'c' }), 'target.headers.a b', /name/],
  ['a header that splits', headers({ a: 'b\r\nEvil: 1' }), 'target.headers.a', /printable/],
  ['a header twice', headers({ 'X-A': '1', 'x-a': '2' }), 'target.headers.x-a', /twice/],
  ['a header that is no text', headers({ a: 1 }), 'target.headers.a', /string/],
  [
    '101 headers',
    headers(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`h${i}`, '']))),
    'target.headers',
    /100/,
  ],
  ['9 KB of headers', headers({ a: 'x'.repeat(9_000) }), 'target.headers', /8192/],
  [
    'one’s own token',
    headers({ Authorization: 'Bearer my.own.token' }),
    'target.headers.Authorization',
    /token/,
  ],

  ['an empty name', { name: '' }, 'name', /1 to 256/],
  ['a long name', { name: 'x'.repeat(257) }, 'name', /1 to 256/],
  ['a name that turns around', { name: 'a\u202egpj' }, 'name', /direction/],
  ['a name of two lines', { name: 'a\nb' }, 'name', /control/],
  ['an id with a slash', { jobId: '../../x' }, 'jobId', /letters/],
  ['an id with a hash', { jobId: 'a#b' }, 'jobId', /letters/],
  ['an id of 65 letters', { jobId: 'a'.repeat(65) }, 'jobId', /64/],
  ['an empty id', { jobId: '' }, 'jobId', /letters/],
  ['an unknown priority', { priority: 'urgent' }, 'priority', /highest/],
  ['an unknown pool', { pool: 'gpu' }, 'pool', /default/],
  ['an unknown overlap', { overlap: 'maybe' }, 'overlap', /allow/],
  ['an empty ordering key', { orderingKey: '' }, 'orderingKey', /1 to 256/],

  ['a billion attempts', retry({ maxAttempts: 1e9 }), 'retry.maxAttempts', /1 to 100/],
  ['half an attempt', retry({ maxAttempts: 1.5 }), 'retry.maxAttempts', /whole/],
  ['no back-off', retry({ initialDelay: '0s' }), 'retry.initialDelay', /1s to 24h/],
  ['a back-off as a number', retry({ initialDelay: 10 }), 'retry.initialDelay', /string/],
  ['a multiplier of 0', retry({ multiplier: 0 }), 'retry.multiplier', /1 to 10/],
  [
    'a ceiling below the floor',
    retry({ initialDelay: '1m', maxDelay: '30s' }),
    'retry.maxDelay',
    /initialDelay/,
  ],
  ['an age of a year', retry({ maxAge: '365d' }), 'retry.maxAge', /30d/],
  ['an unknown retry field', retry({ jitter: 1 }), 'retry.jitter', /field/],
  ['an unknown misfire policy', misfire({ policy: 'panic' }), 'misfire.policy', /fire-now/],
  ['no grace', misfire({ grace: '1s' }), 'misfire.grace', /60s/],
  ['a window of a year', misfire({ catchUpWindow: '365d' }), 'misfire.catchUpWindow', /30d/],
  ['a time-out in months', { timeout: 'P1M' }, 'timeout', /months/],
  ['a time-out of 15 minutes', { timeout: '15m' }, 'timeout', /14m/],
  ['a time-out in words', { timeout: 'soon' }, 'timeout', /duration/],

  ['a tag that is no text', { tags: { team: 1 } }, 'tags.team', /string/],
  ['a tag with a colon', { tags: { 'a:b': 'c' } }, 'tags.a:b', /tag/],
  ['a long tag', { tags: { a: 'x'.repeat(257) } }, 'tags.a', /256/],
  [
    '51 tags',
    { tags: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`t${i}`, ''])) },
    'tags',
    /50/,
  ],
  ['tags as a list', { tags: [] }, 'tags', /./],

  ['an unknown field', { color: 'red' }, 'color', /field/],
  ['a read-only field', { status: 'paused' }, 'status', /read only/],
];

const OWN_TOKEN = { headers: { authorization: 'Bearer my.own.token' } };

/** What a problem says of one field, and that it is a problem. */
function said(answered: Answered, path: string) {
  const { type, title, status, errors } = answered.body;
  const { message } =
    (errors as { path: string; message: string }[]).find((error) => error.path === path) ?? {};
  return {
    status: answered.status,
    contentType: answered.headers['content-type'],
    type,
    title,
    inBody: status,
    message,
  };
}

const problem = (status: number, word: RegExp) => ({
  status,
  contentType: 'application/problem+json',
  type: expect.stringMatching(/^urn:/) as string,
  title: expect.any(String) as string,
  inBody: status,
  message: expect.stringMatching(word) as string,
});

describe('bad input is a 400 that names the field', () => {
  const world = new ApiWorld();
  it.each(BODIES)('POST /v1/jobs: %s', async (_what, body, path, word) => {
    expect(said(await world.create(body, OWN_TOKEN), path)).toEqual(problem(400, word));
  });

  it.each(BODIES)('PUT /v1/jobs/{jobId}: %s', async (_what, body, path, word) => {
    const answered = await world.call(
      'PUT /v1/jobs/{jobId}',
      { jobId: 'a' },
      { ...aBody(), ...body },
      OWN_TOKEN,
    );
    expect(said(answered, path)).toEqual(problem(400, word));
  });

  it('PATCH: the merged job is judged as a whole', async () => {
    await world.create({ jobId: 'whole' });
    const cases: [object, string][] = [
      [{ retry: { maxAttempts: 0 } }, 'retry.maxAttempts'],
      [{ target: { url: 'https://10.0.0.1/' } }, 'target.url'],
      [{ target: null }, 'target'],
      [{ schedule: { expression: 'x' } }, 'schedule.expression'],
      [{ schedule: { every: '5m' } }, 'schedule.every'],
      [{ createdAt: null }, 'createdAt'],
      [{ colour: null }, 'colour'],
      [{ jobId: 'other' }, 'jobId'],
      [{ targets: [] }, 'targets'],
      [{ pool: 'gpu' }, 'pool'],
    ];
    for (const [patch, path] of cases)
      expect(said(await world.patch('whole', patch), path)).toEqual(problem(400, /./));
    expect(said(await world.patch('whole', []), 'body')).toEqual(problem(400, /object/));
    expect(said(await world.patch('whole', undefined), 'body')).toEqual(problem(400, /required/));
  });

  it('names every bad field at once', async () => {
    const answered = await world.create({
      priority: 'x',
      retry: { maxAttempts: 0 },
      color: 1,
      timeout: '1x',
    });
    expect(paths(answered).sort()).toEqual(['color', 'priority', 'retry.maxAttempts', 'timeout']);
  });

  it('answers 413 where the payload is larger than 64 KB as JSON', async () => {
    const fits = await world.call(
      'POST /v1/jobs/{jobId}/run',
      { jobId: 'none' },
      { payload: 'x'.repeat(65_534) },
    );
    expect(fits.status).toBe(404);
    expect(said(await world.create({ payload: 'x'.repeat(65_535) }), 'payload')).toEqual(
      problem(413, /65536/),
    );
    expect(said(await world.create({ payload: 'ü'.repeat(33_000) }), 'payload')).toEqual(
      problem(413, /65536/),
    );
    const body = { payload: 'x'.repeat(65_535) };
    expect(said(await world.call('POST /v1/jobs/{jobId}/run', { jobId: 'none' }, body), 'payload')).toEqual(
      problem(413, /65536/),
    );
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1000000', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['status=done', 'status'],
    ['tag=team', 'tag.0'],
    ['q=', 'q'],
    ['colour=red', 'colour'],
    ['__proto__=1', '__proto__'],
    ['cursor=eyJhIjoxfQ', 'cursor'],
  ])('GET /v1/jobs?%s', async (query, path) => {
    expect(said(await world.call('GET /v1/jobs', {}, undefined, { query }), path)).toEqual(problem(400, /./));
  });

  it.each([
    ['order=up', 'order'],
    ['status=lost', 'status'],
    ['from=yesterday', 'from'],
    ['from=2026-12-01T00:00:00', 'from'],
    ['from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z', 'to'],
    ['tag=a:b', 'tag'],
  ])('GET /v1/jobs/{jobId}/executions?%s', async (query, path) => {
    expect(said(await world.executions('whole', query), path)).toEqual(problem(400, /./));
  });

  it.each(['count=0', 'count=101', 'count=x'])('GET …/upcoming?%s', async (query) => {
    const answered = await world.call('GET /v1/jobs/{jobId}/upcoming', { jobId: 'whole' }, undefined, {
      query,
    });
    expect(said(answered, 'count')).toEqual(problem(400, /100/));
  });

  it.each([
    [{}, 'schedule'],
    [{ schedule: 'rate(0 days)' }, 'schedule'],
    [{ schedule: { type: 'cron', expression: '0 0 31 2 *' } }, 'schedule.expression'],
    [{ schedule: 'rate(1 day)', count: 101 }, 'count'],
    [{ schedule: 'rate(1 day)', from: 'now' }, 'from'],
    [{ schedule: 'rate(1 day)', until: 'then' }, 'until'],
  ])('POST /v1/schedules/preview %j', async (body, path) => {
    expect(said(await world.call('POST /v1/schedules/preview', {}, body), path)).toEqual(problem(400, /./));
  });

  it('calls that take no body refuse one, and run takes a payload only', async () => {
    expect(said(await world.post('whole', 'pause', { for: '1h' }), 'for')).toEqual(problem(400, /field/));
    expect(said(await world.post('whole', 'resume', { at: 1 }), 'at')).toEqual(problem(400, /field/));
    expect(said(await world.post('whole', 'run', { paylode: 1 }), 'paylode')).toEqual(problem(400, /field/));
  });

  it.each(ROUTES)('$method $path takes no parameter that it does not know', async ({ method, path }) => {
    const params = { jobId: 'a', execId: '20261201T083000.000Z' };
    const answered = await new ApiWorld().call(`${method} ${path}`, params, undefined, {
      query: 'nonsense=1',
    });
    expect(answered.status).toBe(400);
    expect(paths(answered)).toContain('nonsense');
  });

  it('an Idempotency-Key must be a key', async () => {
    for (const key of ['', 'x'.repeat(256), 'a b', 'ü']) {
      const answered = await world.create({}, { headers: { 'Idempotency-Key': key } });
      expect(said(answered, 'Idempotency-Key')).toEqual(problem(400, /255/));
    }
  });

  it('writes nothing, and is nobody’s fault here', () => {
    expect(world.tables.rows('Jobs').map((row) => row.jobId)).toEqual(['whole']);
    expect(world.log.lines).toEqual([]);
  });
});

test('a host that the deployment does not allow is refused when a job is made or changed', async () => {
  const settings = {
    targetPolicy: 'public' as const,
    awsTargets: AWS_POLICY,
    allowedTargetHosts: ['*.example.org'],
    pools: ['default'],
  };
  const world = new ApiWorld({ settings });
  const fault = { path: 'target.url', message: expect.stringContaining('*.example.org') };
  const refused = await world.call('POST /v1/jobs', {}, { ...aBody(), jobId: 'a' });
  expect(refused).toMatchObject({ status: 400, body: { errors: [fault] } });
  const target = { ...aBody().target, url: 'https://hooks.example.org/' };
  expect((await world.call('POST /v1/jobs', {}, { ...aBody(), jobId: 'a', target })).status).toBe(201);
  const moved = await world.call('PATCH /v1/jobs/{jobId}', { jobId: 'a' }, { target: aBody().target });
  expect(moved).toMatchObject({ status: 400, body: { errors: [fault] } });
});
