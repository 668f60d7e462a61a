import fc from 'fast-check';

import { cron, interval } from '../../../support/schedule-arbitrary';

/** Definitions with any field of a job. The API rejects some, whose fields contradict each other. */

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** Texts that YAML, a variable of a file or a terminal could take for something else. */
const HARD = [
  ...[
    'yes',
    'null',
    '~',
    '1e3',
    '0x1f',
    '-0',
    '.5',
    '2026-12-01',
    '',
    ' ',
    '- a',
    'a: b',
    '#a',
    '{a}',
    '[a',
    '*a',
    '!a',
    '&a',
  ],
  ...[
    '${HOME}',
    '$${HOME}',
    '$$${',
    '${',
    '{{ run.day }}',
    '"',
    "'",
    '\\',
    '%',
    '@a',
    '`a`',
    '|',
    '>-',
    '---',
    '...',
    '<<',
    '? a',
  ],
  ...[
    'a\nb',
    'a\n\nb\n',
    '\n',
    ' a\n  b',
    'a\r\nb',
    '\ta',
    'a\t',
    '\u0000',
    '\u0007',
    '\u200b',
    '\u2028',
    '\ufeffa',
    '\ud83d\ude00',
    '\ud800',
    'a'.repeat(2_000),
  ],
];
const text = fc.oneof(fc.constantFrom(...HARD), fc.string({ unit: 'binary', maxLength: 20 }));
const number = fc.oneof(fc.integer(), fc.constantFrom(1e21, 0.1, -1.5e-9, 9_007_199_254_740_991));
const { payload } = fc.letrec<{ payload: unknown }>((tie) => ({
  payload: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('payload'), { maxLength: 3 }),
    fc.dictionary(text, tie('payload'), { maxKeys: 4 }),
  ),
}));

const line = fc.oneof(
  fc.constantFrom('yes', '1', '${A}', 'a: b', '#x', 'ä – "b"'),
  fc.string({ minLength: 1, maxLength: 20 }),
);
const duration = fc.constantFrom('10s', '5m', '1h30m', 'PT30S');
const LAMBDA = 'arn:aws:lambda:eu-central-1:111122223333:function:target-a';
const http = fc.record(
  {
    type: fc.constant('http'),
    url: fc.constantFrom('https://example.com/a', 'https://example.com/b?c=${D}'),
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    headers: fc.dictionary(fc.constantFrom('x-a', 'X-B', 'accept'), fc.constantFrom('1', '${E}', 'a, b'), {
      maxKeys: 2,
    }),
    auth: fc.constant({ type: 'bearer', token: '{{ secrets.crm }}' }),
    timeout: fc.constantFrom('5s', '1m'),
    mode: fc.constantFrom('sync', 'async'),
    observe: fc.constant(false),
    keepResponse: fc.boolean(),
  },
  { requiredKeys: ['type', 'url'] },
);
const called = fc.oneof(
  http,
  fc.record({
    type: fc.constant('lambda'),
    functionArn: fc.constantFrom(LAMBDA, `${LAMBDA}:live`, `${LAMBDA}:7`),
  }),
  fc.record({
    type: fc.constant('sqs'),
    queueUrl: fc.constant('https://sqs.eu-central-1.amazonaws.com/111122223333/target-a'),
  }),
);
const target = fc.oneof(
  { arbitrary: called, weight: 3 },
  {
    arbitrary: fc.record({
      type: fc.constant('worker'),
      queue: fc.constantFrom('a', 'b.c'),
      startWithin: maybe(duration),
    }),
    weight: 1,
  },
);
const task = fc.record({
  target: http,
  input: payload,
  allowFailure: fc.boolean(),
  notes: fc.constant(undefined),
});
const work = fc.oneof(
  target.map((one) => ({ target: one })),
  fc.array(called, { minLength: 1, maxLength: 3 }).map((targets) => ({ targets })),
  fc.tuple(task, task).map(([first, second]) => ({
    workflow: {
      tasks: {
        first: { target: first.target, input: first.input },
        second: { ...second, dependsOn: ['first'] },
      },
    },
  })),
);
const schedule = fc.oneof(
  cron,
  interval,
  fc.constantFrom(
    'rate(5 minutes)',
    'cron(0 9 ? * 2-6 *)',
    'at(2027-12-01T09:00:00)',
    'every 5m',
    '30 9 * * MON-FRI',
  ),
  fc.record({
    type: fc.constant('at'),
    at: fc.constant('2027-12-01T09:00:00'),
    timezone: fc.constant('Europe/Berlin'),
  }),
  fc.record({ type: fc.constant('delay'), delay: duration }),
  fc.constant({ type: 'none' }),
  fc.record({
    type: fc.constant('event'),
    name: fc.constant('order.paid'),
    where: maybe(
      fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(line, fc.integer(), fc.constant(null)), {
        maxKeys: 2,
      }),
    ),
    debounce: maybe(duration),
  }),
  fc.constant({ type: 'after', jobs: ['base'], on: 'done' }),
  fc.constant({
    type: 'cron',
    expression: '0 9 * * *',
    exclude: [{ calendar: 'holidays' }],
    onExcluded: 'next-day',
  }),
);

/** Each field of a definition. A test holds that none is missing. */
const FIELDS = {
  name: line,
  schedule,
  payload,
  // Fits every payload.
  payloadSchema: fc.record({ title: text, examples: fc.array(payload, { maxLength: 2 }) }),
  templates: fc.boolean(),
  priority: fc.constantFrom('highest', 'high', 'medium', 'low', 'lowest'),
  pool: fc.constant('default'),
  retry: fc.record(
    {
      maxAttempts: fc.integer({ min: 1, max: 100 }),
      jitter: fc.constantFrom('full', 'none'),
      multiplier: fc.constantFrom(1, 1.5),
      maxAge: duration,
    },
    { requiredKeys: [] },
  ),
  misfire: fc.record(
    {
      policy: fc.constantFrom('fire-now', 'fire-once', 'fire-all', 'skip'),
      grace: fc.constantFrom('60s', '2h'),
    },
    { requiredKeys: [] },
  ),
  overlap: fc.constantFrom('allow', 'skip', 'queue', 'replace'),
  orderingKey: fc.constantFrom(null, 'a', 'b c'),
  concurrencyKey: fc.constant('db'),
  onFailure: fc.constantFrom('continue', 'block'),
  timeout: fc.constantFrom('1m', '10m', '2h'),
  runTags: fc.array(line, { minLength: 1, maxLength: 5 }),
  externalId: line,
  tags: fc.dictionary(fc.constantFrom('team', 'no', '1'), line, { maxKeys: 3 }),
  pauseAfter: fc.record({ failures: fc.integer({ min: 1, max: 1_000 }) }),
  expectEvery: fc.constantFrom('1h', '7d'),
  expectDuration: fc.record({ max: fc.constantFrom('1m', '2h') }),
  onEnd: fc.record({ succeeded: called, failed: called }, { requiredKeys: ['failed'] }),
};
export const DRAWN_FIELDS = [...Object.keys(FIELDS), 'target', 'targets', 'workflow'];

const NOT_OF_RUNS = ['payload', 'templates', 'timeout', 'retry'];

export interface RandomJob {
  definition: Record<string, unknown>;
  paused: boolean;
}

/** Most jobs have a few fields, so that the API takes most. */
export const job: fc.Arbitrary<RandomJob> = fc
  .tuple(fc.subarray(Object.keys(FIELDS), { maxLength: 6 }), fc.record(FIELDS), work, fc.boolean())
  .map(([chosen, all, one, paused]) => ({
    definition: Object.fromEntries([
      ...Object.entries(all).filter(
        ([field]) =>
          field === 'schedule' ||
          (chosen.includes(field) && !('workflow' in one && NOT_OF_RUNS.includes(field))),
      ),
      ...(chosen.includes('onFailure') ? [['orderingKey', 'a']] : []),
      ...Object.entries(one),
    ]),
    paused,
  }));
