import { FatalError, StoppedError, Worker, type WorkerEvent } from '../../../../client/worker';
import type { WorkerOptions } from '../../../../client/worker/worker';
import { FakeWorkServer } from '../../../support/work-server';

let server: FakeWorkServer;
let events: WorkerEvent[];
beforeEach(() => {
  jest.useFakeTimers();
  server = new FakeWorkServer();
  events = [];
});
afterEach(() => {
  server.close();
  jest.useRealTimers();
});

const workerOf = (options: Partial<WorkerOptions>) =>
  new Worker({
    url: 'https://api.test',
    token: 'key',
    queue: 'warehouse',
    handler: () => undefined,
    onEvent: (event) => events.push(event),
    ...options,
    surroundings: { fetch: (request) => server.fetch(request), random: () => 0, ...options.surroundings },
  });

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const countOf = (path: string) => server.requests.filter((one) => one.path === path).length;
/** Never ends by itself: rejects with the reason of the abort. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );

test('a worker runs what is due, and reports results, errors and the log', async () => {
  server.offer({ payload: { rows: 7 } });
  server.offer({ payload: { rows: -1 } });
  server.offer({ payload: 'nonsense' });
  const worker = workerOf({
    name: 'host-1/1',
    handler: ({ payload }, { log }) => {
      const { rows } = payload as { rows?: number };
      if (rows === undefined) throw new FatalError('no rows');
      log(`${rows} rows`);
      if (rows < 0) throw new Error('too few');
      return { rows };
    },
  });
  const done = worker.workOff();
  await pass(10_000);
  await done;
  expect(server.executions).toMatchObject([
    { status: 'succeeded', result: { rows: 7 }, chunks: [[{ text: '7 rows', stream: 'stdout' }]] },
    { status: 'failed', error: 'too few', retriable: true },
    { status: 'failed', error: 'no rows', retriable: false },
  ]);
  expect(server.requests[0]).toMatchObject({
    token: 'key',
    body: { queue: 'warehouse', max: 1, wait: '0s', worker: 'host-1/1' },
  });
});

test('long work keeps its lease by heartbeats', async () => {
  server.offer();
  let finish = () => undefined as void;
  const worker = workerOf({ handler: () => new Promise<void>((resolve) => (finish = resolve)) });
  const done = worker.start();
  await pass(250_000);
  expect(countOf('/v1/attempts/heartbeat')).toBe(12);
  finish();
  await pass(1_000);
  expect(server.executions).toMatchObject([{ status: 'succeeded', lapses: 0 }]);
  const drained = worker.drain();
  await pass(20_000);
  await Promise.all([drained, done]);
});

test('work that no heartbeat keeps is aborted before its lease lapses, and is not reported', async () => {
  const execution = server.offer();
  let abortedAtMs = 0;
  const startedAtMs = Date.now();
  const worker = workerOf({
    handler: async (_work, { signal }) => {
      await untilAborted(signal).finally(() => (abortedAtMs = Date.now()));
    },
  });
  const lapsed = new Promise<number>((resolve) => (server.onLapse = () => resolve(Date.now())));
  void worker.start();
  await pass(30_000);
  server.isCut = true;
  await pass(60_000);
  expect(abortedAtMs - startedAtMs).toBeGreaterThan(60_000);
  expect((await lapsed) - abortedAtMs).toBeGreaterThanOrEqual(7_000);
  expect(events).toContainEqual(expect.objectContaining({ outcome: 'lost', stopped: 'lost' }));
  server.isCut = false;
  await pass(60_000);
  expect(countOf('/v1/attempts/fail')).toBe(0);
  expect(execution).toMatchObject({ status: 'running', lapses: 1 }); // the same worker took over
  const stopped = worker.stop();
  await pass(30_000);
  await stopped;
});

test('a sleep of the machine counts', async () => {
  server.offer();
  let asleepMs = 0;
  const reasons: unknown[] = [];
  const worker = workerOf({
    handler: async (_work, { signal }) => {
      await untilAborted(signal).catch((error: unknown) => reasons.push(error));
      throw new Error('aborted');
    },
    surroundings: {
      fetch: (request) => server.fetch(request),
      now: () => ({ monotonicMs: performance.now(), wallMs: Date.now() + asleepMs }),
    },
  });
  void worker.start();
  await pass(1_000);
  asleepMs = 3_600_000;
  await pass(1_500);
  expect(reasons).toEqual([new StoppedError('lost')]);
  const stopped = worker.stop();
  await pass(30_000);
  await stopped;
});

test.each([
  ['cancelled', () => (server.executions[0]!.cancelRequested = true), 'cancelled', 25_000],
  ['timed-out', () => undefined, 'failed', 295_000],
])('work that is %s is aborted and reported', async (reason, act, status, ms) => {
  server.offer({ timeoutMs: 300_000 });
  const worker = workerOf({ handler: (_work, { signal }) => untilAborted(signal) });
  void worker.start();
  await pass(1_000);
  act();
  await pass(ms);
  expect(server.executions[0]?.status).toBe(status);
  expect(events.at(-1)).toMatchObject({ outcome: 'failed', retriable: true, stopped: reason });
  const stopped = worker.stop();
  await pass(20_000);
  await stopped;
});

test('a lost answer of a claim is asked for again, and the work runs once', async () => {
  server.offer();
  server.faults.push(...Array.from({ length: 5 }, () => ({ path: '/v1/work/claim', isLost: true })));
  const runs: number[] = [];
  const worker = workerOf({ handler: ({ fence }) => void runs.push(fence) });
  const done = worker.workOff();
  await pass(30_000);
  await done;
  expect(runs).toEqual([1]);
  const keys = server.requests.filter(({ path }) => path === '/v1/work/claim').map(({ key }) => key);
  expect(new Set(keys.slice(0, 6)).size).toBe(1);
  expect(events[0]).toMatchObject({ type: 'claim-failed' });
});

test('a claim that waited too long is kept by a heartbeat before its work begins', async () => {
  const worker = workerOf({ handler: () => undefined });
  void worker.start();
  await pass(15_000);
  server.offer({ heartbeatTimeout: '15s' });
  await pass(100);
  const paths = server.requests.map(({ path }) => path);
  expect(paths.slice(0, 3)).toEqual(['/v1/work/claim', '/v1/attempts/heartbeat', '/v1/attempts/complete']);
  const drained = worker.drain();
  await pass(20_000);
  await drained;
});

test('work that comes while the worker drains is given back unstarted', async () => {
  const handler = jest.fn();
  const worker = workerOf({ handler });
  const done = worker.start();
  await pass(1_000);
  const drained = worker.drain();
  const execution = server.offer();
  await pass(100);
  await Promise.all([drained, done]);
  expect(execution).toMatchObject({ releases: 1, status: 'waiting' });
  expect(handler).not.toHaveBeenCalled();
});

test('a stopped worker aborts what runs, waits for it, and reports a failure that may be retried', async () => {
  server.offer();
  const worker = workerOf({ handler: (_work, { signal }) => untilAborted(signal) });
  const done = worker.start();
  await pass(1_000);
  await Promise.all([worker.stop(), pass(100)]);
  await done;
  expect(server.executions).toMatchObject([
    { status: 'failed', error: 'the worker was stopped', retriable: true },
  ]);
});

test('several run at a time, and no more than allowed', async () => {
  for (let count = 0; count < 5; count++) server.offer();
  let running = 0;
  const seen: number[] = [];
  const handler = async () => {
    seen.push(++running);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    running--;
  };
  const worker = workerOf({ concurrency: 2, handler });
  const done = worker.workOff();
  await pass(30_000);
  await done;
  expect(Math.max(...seen)).toBe(2);
  expect(server.executions.every(({ status }) => status === 'succeeded')).toBe(true);
});

test('a polling worker does not wait at the API', async () => {
  const worker = workerOf({ pollMs: 10_000 });
  const done = worker.start();
  await pass(35_000);
  expect(server.requests.map(({ body }) => body.wait)).toEqual(['0s', '0s', '0s', '0s']);
  await worker.drain();
  await done;
});

test('a worker that is not allowed to claim ends with the error, after what runs', async () => {
  server.offer();
  const worker = workerOf({
    concurrency: 2,
    handler: () => new Promise((resolve) => setTimeout(resolve, 5_000)),
  });
  const done = worker.start();
  const ended = done.catch((error: unknown) => error);
  await pass(1_000);
  const detail = { type: 'about:blank', title: 'Unauthorized', status: 401, detail: 'revoked' };
  server.faults.push({ path: '/v1/work/claim', answer: Response.json(detail, { status: 401 }) });
  await pass(30_000);
  expect(await ended).toMatchObject({ name: 'AuthenticationError', detail: 'revoked' });
  expect(server.executions).toMatchObject([{ status: 'succeeded' }]);
});

test('a payload that breaks its schema fails for good, and names the field', async () => {
  server.offer({ payload: { rows: 'x' } });
  const issues = [{ message: 'must be a number', path: ['rows', { key: 0 }] }];
  const worker = workerOf({
    schema: { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) } },
  });
  const done = worker.workOff();
  await pass(10_000);
  await done;
  expect(server.executions).toMatchObject([
    { error: 'the payload is invalid: rows.0: must be a number', retriable: false },
  ]);
});

test('a result that the API does not take is left out', async () => {
  server.offer();
  const detail = { type: 'about:blank', title: 'Too large', status: 413, detail: 'too large' };
  server.faults.push({ path: '/v1/attempts/complete', answer: Response.json(detail, { status: 413 }) });
  const done = workerOf({ handler: () => 'big' }).workOff();
  await pass(10_000);
  await done;
  expect(server.executions[0]).toMatchObject({ status: 'succeeded' });
  expect(server.executions[0]).not.toHaveProperty('result');
});

test('a log that the API has enough of is not sent any more', async () => {
  server.maxLogBytes = 1;
  server.offer();
  const full: boolean[] = [];
  const worker = workerOf({
    handler: async (_work, { log, isLogFull }) => {
      for (let second = 0; second < 5; second++) {
        log('x');
        await new Promise((resolve) => setTimeout(resolve, 1_100));
        full.push(isLogFull());
      }
    },
  });
  const done = worker.workOff();
  await pass(60_000);
  await done;
  expect(countOf('/v1/attempts/log')).toBe(1);
  expect(full.at(-1)).toBe(true);
});

test.each([
  [{ concurrency: 0 }, 'concurrency is 0; expected 1 to 100'],
  [{ graceMs: -1 }, 'graceMs is -1; expected 0 to 1200000'],
  [{ pollMs: 10 }, 'pollMs is 10; expected 1000 to 3600000'],
])('%j is rejected', (options, message) => {
  expect(() => workerOf(options)).toThrow(message);
});
