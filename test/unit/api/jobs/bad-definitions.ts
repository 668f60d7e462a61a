import { aBody } from '../world';
import { BAD_ERRANDS } from './bad-errands';

/** What is wrong, the fields, the path that the problem must name, and a word of its message. */
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

/** Definitions that POST and PUT must reject. */
export const BAD_DEFINITIONS: readonly Case[] = [
  ...BAD_ERRANDS,
  ['no schedule', schedule(undefined as unknown as object), 'schedule', /./],
  ['a schedule without type', schedule({}), 'schedule.type', /cron/],
  ['a schedule of an unknown type', schedule({ type: 'lunar' }), 'schedule.type', /cron/],
  ['a schedule that is a number', schedule(5 as unknown as object), 'schedule', /./],
  ['an empty cron expression', schedule({ type: 'cron', expression: '' }), 'schedule.expression', /./],
  [
    'a cron expression of four fields',
    schedule({ type: 'cron', expression: '* * * *' }),
    'schedule.expression',
    /fields/,
  ],
  [
    'a cron expression with minute 60',
    schedule({ type: 'cron', expression: '60 * * * *' }),
    'schedule.expression',
    /minute/i,
  ],
  [
    'a cron expression that never fires, 30 February',
    schedule({ type: 'cron', expression: '0 0 30 2 *' }),
    'schedule.expression',
    /never/,
  ],
  [
    'an unknown time zone',
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
  ['an interval of 0 seconds', schedule({ type: 'interval', every: '0s' }), 'schedule.every', /range/],
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
  ['a maxRuns of 0', schedule({ type: 'interval', every: '5m', maxRuns: 0 }), 'schedule.maxRuns', /1/],
  ['a time in the past', schedule({ type: 'at', at: '2026-11-30T00:00:00Z' }), 'schedule.at', /past/],
  [
    'a local time without timezone',
    schedule({ type: 'at', at: '2026-12-30T00:00:00' }),
    'schedule.at',
    /timezone/,
  ],
  [
    'a date that does not exist, 29 February 2027',
    schedule({ type: 'at', at: '2027-02-29T00:00:00Z' }),
    'schedule.at',
    /day/,
  ],
  ['a negative delay', schedule({ type: 'delay', delay: '-5m' }), 'schedule.delay', /duration/],
  ['a rate of zero', schedule('rate(0 minutes)'), 'schedule', /positive/],
  ['a rate in fortnights', schedule('rate(1 fortnight)'), 'schedule', /minutes/],

  ['no target', { target: undefined }, 'target', /required/],
  ['an unknown target', { target: { type: 'carrier-pigeon' } }, 'target.type', /stepfunctions/],
  ['a function without an ARN', { target: { type: 'lambda' } }, 'target.functionArn', /required/],
  [
    'a field of another type of target',
    { target: { ...queue, topicArn: 'arn' } },
    'target.topicArn',
    /field/,
  ],
  ['mode async for a queue', { target: { ...queue, mode: 'async' } }, 'target.mode', /field/],
  [
    'a queue that is not allowed',
    { target: { ...queue, queueUrl: queue.queueUrl.replace('target-', '') } },
    'target.queueUrl',
    /allows as targets/,
  ],
  [
    'a queue of Quarterjack’s own stack',
    { target: { ...queue, queueUrl: queue.queueUrl.replace('target-', 'Quarterjack-dev-') } },
    'target.queueUrl',
    /Quarterjack itself/,
  ],
  [
    'an event whose payload is an array',
    {
      target: { type: 'eventbridge', eventBusName: 'target-bus', source: 'a', detailType: 'b' },
      payload: [1],
    },
    'payload',
    /object/,
  ],
  [
    'an event with a source of AWS',
    { target: { type: 'eventbridge', eventBusName: 'target-bus', source: 'aws.ec2', detailType: 'b' } },
    'target.source',
    /aws/,
  ],
  [
    'an event with the source quarterjack',
    { target: { type: 'eventbridge', eventBusName: 'target-bus', source: 'quarterjack', detailType: 'b' } },
    'target.source',
    /quarterjack/,
  ],
  [
    'an event with a source that begins with quarterjack',
    { target: { type: 'eventbridge', eventBusName: 'target-bus', source: 'quarterjack.a', detailType: 'b' } },
    'target.source',
    /quarterjack/,
  ],
  [
    'a timeout of 20 minutes for a function without mode async',
    { target: lambda, timeout: '20m' },
    'timeout',
    /14m/,
  ],
  ['target and targets', { targets: [aBody().target] }, 'target', /exclude/],
  ['empty targets', { target: undefined, targets: [] }, 'targets', /1 to 10/],
  [
    'eleven targets',
    { target: undefined, targets: Array.from({ length: 11 }, () => aBody().target) },
    'targets',
    /1 to 10/,
  ],
  [
    'one bad target of two',
    { target: undefined, targets: [aBody().target, { type: 'http', url: 'https://127.0.0.1/' }] },
    'targets.1.url',
    /public/,
  ],
  ['no URL', { target: { type: 'http' } }, 'target.url', /required/],
  ['a URL to a loopback address', target({ url: 'https://127.0.0.1/' }), 'target.url', /public/],
  ['a URL without TLS', target({ url: 'http://example.com/' }), 'target.url', /https/],
  ['another port', target({ url: 'https://example.com:22/' }), 'target.url', /443/],
  ['an unknown method', target({ method: 'BREW' }), 'target.method', /POST/],
  ['an unknown mode', target({ mode: 'later' }), 'target.mode', /async/],
  [
    'a heartbeatTimeout without mode async',
    target({ heartbeatTimeout: '10m' }),
    'target.heartbeatTimeout',
    /mode "async"/,
  ],
  [
    'a heartbeatTimeout of 8 days',
    target({ mode: 'async', heartbeatTimeout: '8d' }),
    'target.heartbeatTimeout',
    /7d/,
  ],
  ['a timeout of 8 days with mode async', { ...target({ mode: 'async' }), timeout: '8d' }, 'timeout', /7d/],
  ['a target timeout of an hour', target({ timeout: '1h' }), 'target.timeout', /14m/],
  ['an unknown target field', target({ verify: false }), 'target.verify', /field/],

  ['a reserved header', headers({ Host: 'a.org' }), 'target.headers.Host', /set by/],
  [
    'a header of the signature',
    headers({ 'Webhook-Signature': 'v1,a' }),
    'target.headers.Webhook-Signature',
    /set by/,
  ],
  ['a header of AWS', headers({ 'X-Amz-Target': 'a' }), 'target.headers.X-Amz-Target', /set by/],
  ['a header with a blank', headers({ 'a b': 'c' }), 'target.headers.a b', /name/],
  ['a header with a line break', headers({ a: 'b\r\nEvil: 1' }), 'target.headers.a', /printable/],
  ['a header twice', headers({ 'X-A': '1', 'x-a': '2' }), 'target.headers.x-a', /twice/],
  ['a header that is not a string', headers({ a: 1 }), 'target.headers.a', /must be a text, not a number/],
  [
    '101 headers',
    headers(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`h${i}`, '']))),
    'target.headers',
    /100/,
  ],
  ['9 KB of headers', headers({ a: 'x'.repeat(9_000) }), 'target.headers', /8192/],
  [
    'the request’s own token in a header',
    headers({ Authorization: 'Bearer my.own.token' }),
    'target.headers.Authorization',
    /token/,
  ],

  ['an empty name', { name: '' }, 'name', /1 to 256/],
  ['a name of 257 characters', { name: 'x'.repeat(257) }, 'name', /1 to 256/],
  ['a name with a direction character', { name: 'a\u202egpj' }, 'name', /direction/],
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
  ['1.5 attempts', retry({ maxAttempts: 1.5 }), 'retry.maxAttempts', /whole/],
  ['an initialDelay of 0 seconds', retry({ initialDelay: '0s' }), 'retry.initialDelay', /1s to 24h/],
  [
    'an initialDelay that is a number',
    retry({ initialDelay: 10 }),
    'retry.initialDelay',
    /must be a text, not a number/,
  ],
  ['a multiplier of 0', retry({ multiplier: 0 }), 'retry.multiplier', /1 to 10/],
  [
    'a maxDelay below initialDelay',
    retry({ initialDelay: '1m', maxDelay: '30s' }),
    'retry.maxDelay',
    /initialDelay/,
  ],
  ['a maxAge of a year', retry({ maxAge: '365d' }), 'retry.maxAge', /30d/],
  ['an unknown retry field', retry({ delay: 1 }), 'retry.delay', /field/],
  ['an unknown jitter of retries', retry({ jitter: 'equal' }), 'retry.jitter', /full/],
  ['a success that is retried', retry({ on: [200] }), 'retry.on.0', /300 to 599/],
  ['a status that does not exist', retry({ on: [503, 600] }), 'retry.on.1', /300 to 599/],
  ['a class of successes', retry({ on: ['2xx'] }), 'retry.on.0', /"5xx"/],
  ['a retried status as a text', retry({ on: ['503'] }), 'retry.on.0', /300 to 599/],
  ['21 retried statuses', retry({ on: Array.from({ length: 21 }, () => 409) }), 'retry.on', /20/],
  ['an unknown misfire policy', misfire({ policy: 'panic' }), 'misfire.policy', /fire-now/],
  ['a grace of 1 second', misfire({ grace: '1s' }), 'misfire.grace', /60s/],
  ['a catchUpWindow of a year', misfire({ catchUpWindow: '365d' }), 'misfire.catchUpWindow', /30d/],
  ['a timeout in months', { timeout: 'P1M' }, 'timeout', /months/],
  ['a timeout of 15 minutes', { timeout: '15m' }, 'timeout', /14m/],
  ['a timeout in words', { timeout: 'soon' }, 'timeout', /duration/],

  ['a tag that is not a string', { tags: { team: 1 } }, 'tags.team', /must be a text, not a number/],
  ['a tag with a colon', { tags: { 'a:b': 'c' } }, 'tags.a:b', /tag/],
  ['a tag of 257 characters', { tags: { a: 'x'.repeat(257) } }, 'tags.a', /256/],
  [
    '51 tags',
    { tags: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`t${i}`, ''])) },
    'tags',
    /50/,
  ],
  ['tags as an array', { tags: [] }, 'tags', /./],

  ['an unknown field', { color: 'red' }, 'color', /field/],
  ['a read-only field', { status: 'paused' }, 'status', /read only/],
];
