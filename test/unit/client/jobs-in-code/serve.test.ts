import * as z from 'zod';

import {
  defineJob,
  FatalError,
  type JobContext,
  MemoryFenceStore,
  RetryAfter,
  serve,
} from '../../../../client/jobs-in-code';
import { CALL_SECRET, signedCall } from '../../../support/signed-call';

const secret = CALL_SECRET;
let seen: JobContext | undefined;
let warned: jest.SpyInstance;
const report = (run: (context: JobContext) => unknown = () => ({ rows: 7 }), rest: object = {}) =>
  defineJob({
    id: 'report',
    ...rest,
    run(context) {
      seen = context;
      return run(context);
    },
  });

beforeEach(() => {
  seen = undefined;
  for (const level of ['info', 'error'] as const) jest.spyOn(console, level).mockImplementation();
  warned = jest.spyOn(console, 'warn').mockImplementation();
});

async function call(
  job: ReturnType<typeof report>,
  {
    body = '{"region":"eu"}',
    headers = {},
    options = {},
  }: { body?: string; headers?: object; options?: object } = {},
) {
  const sent = { ...signedCall(body), ...headers };
  const request = new Request('https://app.test/jobs', { method: 'POST', body, headers: sent });
  const response = await serve([job], { secret, ...options }).fetch(request);
  const text = await response.text();
  return { response, body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>) };
}

test('a job gets its delivery, and its result is the response', async () => {
  const { response, body } = await call(report());
  expect([response.status, body]).toEqual([200, { rows: 7 }]);
  expect(seen).toMatchObject({
    payload: { region: 'eu' },
    jobId: 'report',
    execId: '20261201T083000.000Z',
    dueAt: new Date('2026-12-01T08:30:00Z'),
    attempt: 1,
    fence: 1,
  });
});

test('a run with a key has it', async () => {
  await call(report(), { headers: signedCall('{"region":"eu"}', { 'quarterjack-key': 'unpaid%2042' }) });
  expect(seen?.key).toBe('unpaid 42');
});

test.each([
  ['no result', () => undefined, 204, {}],
  ['an error', () => Promise.reject(new Error('down')), 500, { detail: 'down' }],
  ['a fatal error', () => Promise.reject(new FatalError('no such table')), 422, { detail: 'no such table' }],
  ['a delay', () => Promise.reject(new RetryAfter('5m', 'busy')), 503, { detail: 'busy' }],
])('%s', async (_, run, status, says) => {
  const { response, body } = await call(report(run));
  expect(response.status).toBe(status);
  expect(body ?? {}).toMatchObject(says);
  expect(response.headers.get('retry-after')).toBe(status === 503 ? '300' : null);
  expect(response.headers.get('quarterjack-reason')).toBeNull();
});

test('a delivery that another secret signed, or that has changed, runs nothing', async () => {
  const other = await call(report(), {
    options: { secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  });
  const changed = await call(report(), { headers: { 'quarterjack-job': 'other' } });
  expect([other.response.status, changed.response.status, seen]).toEqual([401, 401, undefined]);
});

test('a job that the program does not have may be tried again, and the answer names those that it has', async () => {
  const headers = signedCall('{}', { 'quarterjack-job': 'gone' });
  const { response, body } = await call(report(), { body: '{}', headers });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
  expect(body?.detail).toBe('unknown-job: gone is none of this program, which has: report');
  expect(response.headers.get('quarterjack-reason')).toBe('unknown-job');
});

test('a payload that does not fit is fatal, and names the fields', async () => {
  const schema = z.object({ region: z.string(), days: z.number().default(7) });
  const bad = await call(report(undefined, { schema }), {
    body: '{"region":5}',
    headers: signedCall('{"region":5}'),
  });
  expect([bad.response.status, seen]).toEqual([422, undefined]);
  expect(bad.body?.detail).toContain('the payload is invalid: region: ');
  expect(bad.response.headers.get('quarterjack-reason')).toBe('bad-payload');
  await call(report(undefined, { schema }));
  expect(seen?.payload).toEqual({ region: 'eu', days: 7 });
});

test('a job may find itself that its payload does not fit', async () => {
  const error = new FatalError('no such region', { reason: 'bad-payload' });
  const { response } = await call(report(() => Promise.reject(error)));
  expect([response.status, response.headers.get('quarterjack-reason')]).toEqual([422, 'bad-payload']);
});

test('a body that is no JSON is fatal, and an empty one is an empty payload', async () => {
  const bad = await call(report(), { body: '{', headers: signedCall('{') });
  expect([bad.response.status, seen]).toEqual([422, undefined]);
  expect(bad.response.headers.get('quarterjack-reason')).toBe('bad-payload');
  await call(report(), { body: '', headers: signedCall('') });
  expect(seen?.payload).toEqual({});
});

test('a body that is too large is not read', async () => {
  const { response } = await call(report(), { headers: { 'content-length': '2000000' } });
  expect([response.status, seen]).toEqual([413, undefined]);
});

test('with a store of fences, a late delivery is refused', async () => {
  const options = { fenceStore: new MemoryFenceStore() };
  const later = await call(report(), {
    headers: signedCall('{"region":"eu"}', { 'quarterjack-fence': '2' }),
    options,
  });
  const earlier = await call(report(), { options });
  expect([later.response.status, earlier.response.status]).toEqual([200, 409]);
});

test('a prefix stands before the ids of deployed jobs', async () => {
  const headers = signedCall('{}', { 'quarterjack-job': 'staging-report' });
  const sent = { body: '{}', headers, options: { prefix: 'staging-' } };
  expect((await call(report(), sent)).response.status).toBe(200);
  const { body } = await call(report(), { options: { prefix: 'staging-' } });
  expect(body?.detail).toContain('unknown-job: report is none of this program, which has: staging-report');
});

test('the signal aborts when the time of the job is over', async () => {
  const stopped = ({ signal }: JobContext) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const { body } = await call(report(stopped, { timeout: '1s' }));
  expect(body?.detail).toBe('the attempt timed out');
});

test('wrap runs around each job, and onError gets what it throws', async () => {
  const errors: unknown[] = [];
  const options = {
    wrap: async (run: () => Promise<unknown>, { jobId }: JobContext) => ({ jobId, result: await run() }),
    onError(error: unknown) {
      errors.push(error);
      throw new Error('the reporter is down');
    },
  };
  expect((await call(report(), { options })).body).toEqual({ jobId: 'report', result: { rows: 7 } });
  const error = new Error('down');
  expect(
    (
      await call(
        report(() => Promise.reject(error)),
        { options },
      )
    ).response.status,
  ).toBe(500);
  expect(errors).toEqual([error]);
});

test('a result without JSON is left out, and the log says so', async () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  expect((await call(report(() => circle))).response.status).toBe(204);
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('the result has no JSON'));
});

test('two jobs of one id, none, and no secret are refused at once', () => {
  expect(() => serve([report(), report()])).toThrow('two jobs have the id report');
  expect(() => serve({})).toThrow('there is no job');
  expect(() => serve([report()]).fetch).toThrow('the signing secret is missing');
});

test('a module that exports a job twice has it once', () => {
  const job = report();
  expect(() => serve({ job, default: job, other: 7 }, { secret })).not.toThrow();
});
