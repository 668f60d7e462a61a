import { ConnectionError, RateLimitError, ServerError } from '../../../client';
import { clientOf, JOB, json, problem } from './fake-api';

const networkError = () => new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });

describe('a create', () => {
  test('is retried with the same key and body until it succeeds', async () => {
    const { client, seen } = clientOf([
      networkError(),
      problem(503),
      problem(429),
      json(201, { jobId: 'a' }, { etag: '"1"' }),
    ]);
    const job = await client.jobs.create(JOB);
    expect(job).toEqual({ jobId: 'a', etag: '"1"' });
    expect(new Set(seen.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(seen[0]?.headers.get('idempotency-key')).toMatch(/^[\da-f-]{36}$/);
    expect(seen.map(({ body }) => body)).toEqual([JOB, JOB, JOB, JOB]);
  });

  test('uses the key of its caller, or else a new one', async () => {
    const { client, seen } = clientOf([
      json(201, { jobId: 'a' }),
      json(201, { jobId: 'a' }),
      json(201, { jobId: 'a' }),
    ]);
    await client.jobs.create(JOB, { idempotencyKey: 'order-7' });
    await client.jobs.create(JOB);
    await client.jobs.create(JOB);
    const keys = seen.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toBe('order-7');
    expect(new Set(keys).size).toBe(3);
  });
});

test('every request carries the token, and none of the client’s internal headers', async () => {
  const { client, seen } = clientOf([json(200, { jobId: 'a' })]);
  await client.jobs.get('a/b');
  expect(seen[0]?.path).toBe('/v1/jobs/a%2Fb');
  expect(Object.fromEntries(seen[0]!.headers)).toEqual({ authorization: 'Bearer a.b.c' });
});

describe('pauses', () => {
  test('have jitter over a range that doubles, up to the maximum', async () => {
    const { client, pausesMs } = clientOf(
      Array.from({ length: 6 }, () => problem(500)),
      { maxTries: 6, baseDelayMs: 100, maxDelayMs: 500 },
    );
    await expect(client.jobs.get('a')).rejects.toThrow(ServerError);
    expect(pausesMs).toEqual([50, 100, 200, 250, 250]);
  });

  test('follow Retry-After, in seconds or as a date, up to the maximum', async () => {
    const soon = new Date(Date.now() + 3_600_000).toUTCString();
    const { client, pausesMs } = clientOf(
      [
        problem(429, {}, { 'retry-after': '2' }),
        problem(503, {}, { 'retry-after': soon }),
        json(200, { jobId: 'a' }),
      ],
      { baseDelayMs: 100, maxDelayMs: 10_000 },
    );
    await client.jobs.get('a');
    expect(pausesMs).toEqual([2_050, 10_000]);
  });
});

describe('a request that may have taken effect although its response was lost', () => {
  test('is not retried if it is tied to an ETag: a retry would be rejected', async () => {
    for (const response of [problem(503), networkError()]) {
      const { client, seen } = clientOf([response]);
      await expect(client.jobs.put('a', JOB, { ifMatch: '"1"' })).rejects.toThrow();
      expect(seen[0]?.headers.get('if-match')).toBe('"1"');
    }
  });

  test('is retried after 429, since the API did nothing then', async () => {
    const { client, seen } = clientOf([problem(429), json(200, { jobId: 'a' })]);
    await client.jobs.put('a', JOB, { ifMatch: '"1"' });
    expect(seen).toHaveLength(2);
  });

  test('counts as done if it is a delete whose retry finds nothing', async () => {
    await expect(clientOf([networkError(), problem(404)]).client.jobs.delete('a')).resolves.toBeUndefined();
    await expect(clientOf([problem(404)]).client.jobs.delete('a')).rejects.toThrow('what it is');
  });

  test('is not retried if it retries an execution: it may be running', async () => {
    const { client } = clientOf([problem(502)]);
    await expect(client.executions.retry('a', 'b')).rejects.toThrow(ServerError);
  });
});

test('the last try decides the error', async () => {
  const broken = clientOf([networkError(), networkError()], { maxTries: 2 });
  await expect(broken.client.jobs.get('a')).rejects.toThrow(ConnectionError);
  const busy = clientOf([problem(429), problem(429)], { maxTries: 2 });
  await expect(busy.client.jobs.get('a')).rejects.toThrow(RateLimitError);
});

test('a network error names the request and the reason', async () => {
  const { client } = clientOf([networkError()], { maxTries: 1 });
  await expect(client.jobs.get('a')).rejects.toThrow('GET https://api.test/v1/jobs/a: connect ECONNREFUSED');
});

test('an abort by the caller ends the call at once', async () => {
  const { client, seen } = clientOf([networkError(), json(200, { jobId: 'a' })]);
  const reason = new Error('enough');
  await expect(client.jobs.get('a', { signal: AbortSignal.abort(reason) })).rejects.toThrow();
  expect(seen.length).toBeLessThan(2);
});
