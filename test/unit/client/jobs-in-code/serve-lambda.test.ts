import fc from 'fast-check';

import { defineJob, FatalError, type JobContext, RetryAfter, serve } from '../../../../client/jobs-in-code';

let seen: JobContext[];
let act: () => unknown;
const job = (id: string) =>
  defineJob({
    id,
    run(context) {
      seen.push(context);
      return act();
    },
  });
const { lambda } = serve([job('report'), job('other')], { project: 'billing' });

beforeEach(() => {
  seen = [];
  act = () => ({ rows: 7 });
  jest.spyOn(console, 'error').mockImplementation();
});

const CUSTOM = {
  'quarterjack-project': 'billing',
  'quarterjack-job': 'report',
  'quarterjack-execution': '20261201T083000.000Z',
  'quarterjack-attempt': '2',
  'quarterjack-fence': '3',
  'quarterjack-due': '2026-12-01T08:30:00.000Z',
};
const contextWith = (changed: object = {}) => ({ clientContext: { custom: { ...CUSTOM, ...changed } } });

test('the event is the payload, the client context the rest, and the result is returned', async () => {
  expect(await lambda({ region: 'eu' }, contextWith())).toEqual({ rows: 7 });
  expect(seen).toMatchObject([
    {
      payload: { region: 'eu' },
      jobId: 'report',
      attempt: 2,
      fence: 3,
      dueAt: new Date('2026-12-01T08:30:00Z'),
    },
  ]);
});

test('a run with a key has it', async () => {
  await lambda({}, contextWith({ 'quarterjack-key': 'unpaid%2042%2F%E2%82%AC' }));
  await lambda({}, contextWith());
  expect(seen.map(({ key }) => key)).toEqual(['unpaid 42/€', undefined]);
});

test.each([
  ['a fatal error', new FatalError('no such table'), 'QuarterjackFatalError'],
  ['a delay', new RetryAfter('90s', 'no such table'), 'QuarterjackRetryAfter:90'],
  ['another error', new TypeError('no such table'), 'TypeError'],
  [
    'a payload that does not fit',
    new FatalError('no such table', { reason: 'bad-payload' }),
    'QuarterjackFatalError:bad-payload',
  ],
])('%s has a name that Quarterjack knows', async (_, error, name) => {
  act = () => Promise.reject(error);
  await expect(lambda({}, contextWith())).rejects.toMatchObject({ name, message: 'no such table' });
});

test('an unknown job may be tried again', async () => {
  const unknown = lambda({}, contextWith({ 'quarterjack-job': 'gone' }));
  await expect(unknown).rejects.toMatchObject({ name: 'QuarterjackRetryAfter:60:unknown-job' });
});

test.each([
  ['another project', { 'quarterjack-project': 'shop' }],
  ['no project', { 'quarterjack-project': undefined }],
  ['no number', { 'quarterjack-fence': 'x' }],
  ['no due time', { 'quarterjack-due': 'soon' }],
])('%s runs nothing', async (_, changed) => {
  await expect(lambda({}, contextWith(changed))).rejects.toMatchObject({ name: 'QuarterjackFatalError' });
  expect(seen).toEqual([]);
});

test('the signal aborts before the time of the function is over', async () => {
  const context = { ...contextWith(), getRemainingTimeInMillis: () => 600 };
  act = () =>
    new Promise((_, reject) =>
      seen[0]!.signal.addEventListener('abort', () => reject(seen[0]!.signal.reason as Error)),
    );
  await expect(lambda({}, context)).rejects.toThrow('the function ends');
});

describe('what an event contains', () => {
  const envelope = fc.record(
    {
      quarterjack: fc.record({
        callback: fc.webUrl(),
        token: fc.string(),
        'quarterjack-job': fc.constantFrom('report', 'other', 'gone'),
        'quarterjack-execution': fc.string(),
        'quarterjack-fence': fc.nat().map(String),
      }),
      payload: fc.anything(),
      requestContext: fc.anything(),
      clientContext: fc.constant({ custom: { ...CUSTOM, 'quarterjack-job': 'other' } }),
      headers: fc.constant({ 'quarterjack-job': 'other' }),
    },
    { requiredKeys: [] },
  );

  test('never changes the job, the fence or the payload of a delivery', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(envelope, fc.jsonValue()), async (event) => {
        seen = [];
        await lambda(event, contextWith());
        expect(seen).toMatchObject([{ jobId: 'report', execId: CUSTOM['quarterjack-execution'], fence: 3 }]);
        expect(seen[0]!.payload).toBe(event);
      }),
    );
  });

  test('never makes a delivery of an invocation without client context', async () => {
    const none = fc.constantFrom(undefined, {}, { clientContext: null }, { clientContext: { custom: {} } });
    await fc.assert(
      fc.asyncProperty(fc.oneof(envelope, fc.jsonValue()), none, async (event, context) => {
        await expect(lambda(event, context)).rejects.toThrow('is no delivery of mode sync');
        expect(seen).toEqual([]);
      }),
    );
  });
});
