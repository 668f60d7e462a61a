import * as z from 'zod';

import { after, at, cron, defineJob, event, every } from '../../../../client/jobs-in-code';

const run = () => undefined;

test('each kind of schedule is the one of the API', () => {
  const nightly = defineJob({
    id: 'nightly',
    schedule: cron('30 2 * * *', { timezone: 'Europe/Berlin' }),
    run,
  });
  expect(nightly.definition.schedule).toEqual({
    type: 'cron',
    expression: '30 2 * * *',
    timezone: 'Europe/Berlin',
  });
  expect([
    every('15m', { jitter: '30s' }),
    at(new Date('2027-01-01T09:00:00Z')),
    at('2027-01-01T09:00:00', { timezone: 'Europe/Berlin' }),
    event('order.paid', { where: { country: 'DE' } }),
    after(nightly),
    after([nightly, nightly], { on: 'done' }),
  ]).toEqual([
    { type: 'interval', every: '15m', jitter: '30s' },
    { type: 'at', at: '2027-01-01T09:00:00.000Z' },
    { type: 'at', at: '2027-01-01T09:00:00', timezone: 'Europe/Berlin' },
    { type: 'event', name: 'order.paid', where: { country: 'DE' } },
    { type: 'after', jobs: ['nightly'] },
    { type: 'after', jobs: ['nightly', 'nightly'], on: 'done' },
  ]);
});

test('a definition is the body of the job, without what is called and what stays in the program', () => {
  const { definition, timeoutMs } = defineJob({
    id: 'report',
    schedule: every('1h'),
    schema: z.object({ region: z.string().default('eu') }),
    payload: { region: 'us' },
    retry: { maxAttempts: 5 },
    timeout: '2m',
    tags: { team: 'billing' },
    paused: true,
    run,
  });
  expect(timeoutMs).toBe(120_000);
  expect(definition).toEqual({
    schedule: { type: 'interval', every: '1h' },
    payload: { region: 'us' },
    retry: { maxAttempts: 5 },
    timeout: '2m',
    tags: { team: 'billing' },
  });
  expect(defineJob({ id: 'reminder', run }).definition).toEqual({ schedule: { type: 'none' } });
});

test.each([
  ['an id with a dot', { id: 'a.b' }, 'id is a string; expected 1 to 48 characters'],
  ['no run', { run: undefined }, 'run is undefined; expected a function'],
  ['a schema of no standard', { schema: {} }, 'expected a Standard Schema'],
  ['a time-out without a unit', { timeout: '20' }, 'expected a duration such as 5m'],
  ['a tag that deploying sets', { tags: { 'quarterjack/source': 'x' } }, 'are set by deploying'],
])('%s is refused', (_, options, message) => {
  expect(() => defineJob({ id: 'report', run, ...options } as never)).toThrow(message);
});

describe('the payload of the job itself', () => {
  const schema = z.object({ region: z.string() });

  test('has to fit where nothing else brings one', () => {
    const define = (rest: object) => () => defineJob({ id: 'report', schema, run, ...rest });
    expect(define({ schedule: every('1h') })).toThrow(
      'job report: its own payload: the payload is invalid: region',
    );
    expect(define({ schedule: every('1h'), payload: { region: 7 } })).toThrow('region');
    expect(define({ payload: {} })).toThrow('region');
    expect(define({ schedule: every('1h'), payload: { region: 'eu' } })).not.toThrow();
  });

  test('is left to the run where an event or a user brings it, and where it is a template', () => {
    expect(() => defineJob({ id: 'report', schema, run })).not.toThrow();
    expect(() => defineJob({ id: 'report', schema, schedule: event('x'), run })).not.toThrow();
    const templates = { templates: true, schedule: every('1h'), payload: { day: '{{ run.day }}' } };
    expect(() => defineJob({ id: 'report', schema, ...templates, run })).not.toThrow();
  });

  test('is left to the run by a schema that takes time', () => {
    const validate = () => Promise.resolve({ issues: [{ message: 'no' }] });
    const slow = { '~standard': { version: 1, vendor: 'test', validate } } as const;
    expect(() => defineJob({ id: 'report', schema: slow, schedule: every('1h'), run })).not.toThrow();
  });
});
