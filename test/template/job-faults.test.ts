import { App, CfnParameter, Fn, Lazy, Stack } from 'aws-cdk-lib';

import type { JobDefinition } from '../../client';
import { Quarterjack, ScheduledJob } from '../../lib';
import { QUICK, stubBundles } from './synth';

type Job = Omit<JobDefinition, 'jobId'>;

const target = { type: 'http', url: 'https://example.com/hook' } as const;
const schedule = { type: 'cron', expression: '0 2 * * *' } as const;
const stack = new Stack(new App(QUICK), 'Shop');
const quarterjack = new Quarterjack(stack, 'Jobs', {
  bundlesDir: stubBundles(),
  retentionDays: 30,
  removal: 'destroy',
});

const FUNCTION = 'arn:aws:lambda:eu-central-1:111122223333:function:report';

/** A job whose runs have these parameters, of which its schema wants one. */
const workflowOf = (params: object | undefined, url: string = target.url) => ({
  target: undefined,
  workflow: { ...(params && { params }), tasks: { a: { target: { ...target, url } } } },
  payloadSchema: { required: ['region'], properties: { region: { enum: ['eu', 'us'] } } },
});

let made = 0;
/** As a program makes it that no compiler has checked. */
const make = (job: object): ScheduledJob =>
  new ScheduledJob(stack, `Job${made++}`, { quarterjack, job: { schedule, target, ...job } as Job });

test.each<[string, object, string | RegExp]>([
  [
    'a minute',
    { schedule: { ...schedule, expression: '61 2 * * *' } },
    /schedule\.expression = "61 2 \* \* \*": .*61.*0.*59/,
  ],
  [
    'a time zone',
    { schedule: { ...schedule, timezone: 'Europe/Berln' } },
    /schedule\.timezone = "Europe\/Berln": .*Europe\/Berlin/,
  ],
  ['a text', { schedule: 'rate(5 fortnights)' }, /schedule = "rate\(5 fortnights\)": /],
  [
    'a day that never comes',
    { schedule: { ...schedule, expression: '0 0 30 2 *' } },
    /schedule\.expression = .* never fires/,
  ],
  [
    'a type',
    { schedule: { type: 'crom', expression: '0 2 * * *' } },
    /schedule\.type = "crom": .*did you mean "cron"/,
  ],
  [
    'an exclusion',
    { schedule: { ...schedule, exclude: ['2026-13-01'] } },
    /schedule\.exclude\.0 = "2026-13-01": /,
  ],
  [
    'a URL',
    { target: { ...target, url: 'example.com' } },
    'target.url = "example.com": must be an absolute URL',
  ],
  ['a scheme', { target: { ...target, url: 'http://example.com/x' } }, /target\.url = .*https/],
  ['a private address', { target: { ...target, url: 'https://10.0.0.1/x' } }, /target\.url = /],
  ['a method', { target: { ...target, method: 'PSOT' } }, /target\.method = "PSOT": .*POST/],
  [
    'an ARN',
    { target: { type: 'lambda', functionArn: 'arn:aws:lambda:x' } },
    /target\.functionArn = .*is not the ARN of a function/,
  ],
  [
    'an alias of an alias',
    { target: { type: 'lambda', functionArn: `${FUNCTION}:live:7` } },
    /target\.functionArn = .*is not the ARN of a function, or of a version or alias of one/,
  ],
  [
    'one of several',
    { target: undefined, targets: [target, { ...target, url: 'ftp://a.example' }] },
    /targets\.1\.url = "ftp/,
  ],
  ['an end', { onEnd: { failed: { ...target, url: 'nowhere' } } }, 'onEnd.failed.url = "nowhere": must be'],
  ['a field', { schedul: 'x' }, 'schedul = "x": is not a known field; did you mean "schedule"?'],
  ['a field of a target', { target: { ...target, methd: 'PUT' } }, /target\.methd = "PUT": .*"method"/],
  ['a count', { retry: { maxAttempts: 0 } }, /retry\.maxAttempts = 0: .*1.*100/],
  ['a word', { priority: 'urgent' }, /priority = "urgent": /],
  ['a pool', { pool: 'fast' }, 'pool = "fast": "fast" is no pool of this deployment: must be one of default'],
  ['a duration', { timeout: '2 fortnights' }, /timeout = "2 fortnights": /],
  ['what exceeds the retention', { expectEvery: '40d' }, /expectEvery = "40d": .*from 5m to 29d/],
  [
    'a worker',
    { target: { type: 'worker', queue: 'q', startWithin: '60d' } },
    /target\.startWithin|startWithin.*28d/,
  ],
  ['a template', { templates: true, payload: { day: '{{ run.dya }}' } }, /payload\.day = .*/],
  [
    'a task',
    { target: undefined, workflow: { tasks: { a: { target: { ...target, url: 'x' } } } } },
    /workflow\.tasks\.a\.url|workflow\.tasks\.a\.target\.url = "x"/,
  ],
  [
    'a parameter by its schema',
    workflowOf({ region: 'mars' }),
    /workflow\.params\.region = "mars": must be one of/,
  ],
  ['a missing parameter', workflowOf(undefined), /workflow\.params\.region: is required/],
  ['no target', { target: undefined }, /target: is required/],
])('%s that the API would reject fails the synthesis', (_, job, message) => {
  expect(() => make(job)).toThrow(message);
});

test('all faults of a job are told at once, under the path of the construct', () => {
  const id = made;
  const bad = { schedule: { ...schedule, timezone: 'Berlin' }, target: { ...target, url: 'x' }, pool: 'y' };
  expect(() => make(bad)).toThrow(
    new RegExp(`^Shop/Job${id} is not a valid job:\\n  schedule\\.timezone.*\\n  pool.*\\n  target\\.url`),
  );
});

test('what only the deployment knows is left to it', () => {
  const text = new CfnParameter(stack, 'Text').valueAsString;
  const count = new CfnParameter(stack, 'Count', { type: 'Number' }).valueAsNumber;
  const list = new CfnParameter(stack, 'List', { type: 'CommaDelimitedList' }).valueAsList;
  for (const job of [
    { schedule: { ...schedule, timezone: text, exclude: list } },
    { schedule: text },
    { target: { ...target, url: `https://${text}.example.com/`, headers: { 'x-key': text } } },
    { target: { ...target, url: Fn.join('', ['https://', text]) } },
    { target: { type: 'sqs', queueUrl: text } },
    { target: { ...target, timeout: Lazy.string({ produce: () => '10s' }) } },
    { retry: { maxAttempts: count }, payload: { text, count, list }, templates: true },
    { tags: { team: text }, name: text, priority: text, pool: text, expectEvery: text },
    { schedule: { type: 'at', at: '2020-01-01T00:00:00Z' } }, // it ran; the stack is deployed again
    { schedule: { ...schedule, exclude: [{ calendar: 'holidays' }], onExcluded: 'next-day' } },
    { target: { ...target, url: '{{ secrets.slack }}' }, concurrencyKey: 'customer-1' },
    { templates: true, target: { ...target, url: 'https://example.com/{{ run.day }}' } },
    workflowOf({ region: text }),
    workflowOf({ region: 'eu' }, text),
    { ...workflowOf(undefined), schedule: { type: 'none' } }, // each run by hand brings its own
    { ...workflowOf(undefined), schedule: text },
    ...['', ':live', ':7', ':$LATEST'].map((qualifier) => ({
      target: { type: 'lambda', functionArn: FUNCTION + qualifier },
    })),
  ])
    expect(() => make(job)).not.toThrow();
});

test('a typo beside a token is told', () => {
  const text = new CfnParameter(stack, 'Other').valueAsString;
  expect(() => make({ target: { ...target, url: text, methd: 'PUT' } })).toThrow('target.methd');
});
