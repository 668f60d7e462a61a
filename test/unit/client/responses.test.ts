import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  Quarterjack,
  ValidationError,
} from '../../../client';
import { clientOf, json, JOB, problem } from './fake-api';

describe('an error response', () => {
  test.each([
    [400, ValidationError],
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
    [409, ConflictError],
    [412, ConflictError],
    [413, ValidationError],
    [422, ConflictError],
  ])('with status %i throws the matching error', async (status, kind) => {
    const { client } = clientOf([problem(status, { instance: 'urn:quarterjack:request:r1' })]);
    const error = await client.jobs.create(JOB).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({
      status,
      detail: 'what it is',
      instance: 'urn:quarterjack:request:r1',
      message: `Title (${status}): what it is`,
    });
  });

  test.each([
    ['Quarterjack-Request-Id', { 'quarterjack-request-id': 'r1', 'apigw-requestid': 'r2' }, 'r1'],
    ['the id of API Gateway, where no function answered', { 'apigw-requestid': 'r2' }, 'r2'],
    ['nothing', {}, undefined],
  ])('has as its requestId %s', async (_name, headers, requestId) => {
    const { client } = clientOf([problem(404, {}, headers as Record<string, string>)]);
    await expect(client.jobs.get('a')).rejects.toHaveProperty('requestId', requestId);
    const { client: other } = clientOf([problem(404, {}, headers as Record<string, string>)]);
    await expect(other.jobs.delete('a')).rejects.toHaveProperty('requestId', requestId);
  });

  test('names the rejected fields', async () => {
    const errors = [{ path: 'schedule.expression', message: 'is not a cron expression' }];
    const { client } = clientOf([problem(400, { errors })]);
    await expect(client.jobs.create(JOB)).rejects.toMatchObject({ errors });
  });

  test('from API Gateway itself is read, whatever its body', async () => {
    const { client } = clientOf([
      json(401, { message: 'Unauthorized' }),
      new Response('<html>', { status: 403 }),
    ]);
    await expect(client.jobs.get('a')).rejects.toMatchObject({
      message: 'Unauthorized (401): the token is missing, has expired, or is not for this API',
    });
    await expect(client.jobs.get('a')).rejects.toMatchObject({ message: 'Status 403: <html>' });
  });

  test.each([
    [404, 'Not Found', 'Not found (404): the API has no route with this path'],
    [413, 'Request Entity Too Large', 'Request too large (413): a request has at most 10 MB'],
    [403, 'Forbidden', 'Status 403: Forbidden'],
  ])('from API Gateway itself, with %i, is a sentence', async (status, message, expected) => {
    const { client } = clientOf([json(status, { message })]);
    await expect(client.request('GET', '/v1/nope')).rejects.toMatchObject({ message: expected });
  });
});

test('each job of a batch has an outcome, and the batch has one key', async () => {
  const outcomes = [
    { index: 0, status: 201, job: { jobId: 'a' }, replayed: false },
    { index: 1, status: 400, problem: { status: 400, detail: 'no' } },
  ];
  const { client, seen } = clientOf([problem(503), json(207, { outcomes })]);
  expect(await client.jobs.createBatch([JOB, JOB])).toEqual(outcomes);
  expect(seen.map(({ path, headers }) => [path, headers.get('idempotency-key')])).toEqual(
    Array(2).fill(['/v1/jobs/batch', expect.stringMatching(/^[\da-f-]{36}$/)]),
  );
});

describe('a list', () => {
  const pages = () => [
    json(200, { items: [{ jobId: 'a' }, { jobId: 'b' }], nextCursor: 'c1' }),
    json(200, { items: [], nextCursor: 'c2' }),
    json(200, { items: [{ jobId: 'c' }], nextCursor: null }),
  ];

  test('is iterated over all pages, including empty ones', async () => {
    const { client, seen } = clientOf(pages());
    const ids: string[] = [];
    for await (const { jobId } of client.jobs.list({ tag: ['team:billing', 'a:b'], limit: 2 }))
      ids.push(jobId);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(seen.map(({ path }) => path)).toEqual([
      '/v1/jobs?tag=team%3Abilling&tag=a%3Ab&limit=2',
      '/v1/jobs?tag=team%3Abilling&tag=a%3Ab&limit=2&cursor=c1',
      '/v1/jobs?tag=team%3Abilling&tag=a%3Ab&limit=2&cursor=c2',
    ]);
  });

  test('fetches only the pages that are needed', async () => {
    const { client, seen } = clientOf(pages());
    const [first] = await client.jobs.list().toArray(1);
    expect(first?.jobId).toBe('a');
    expect(seen).toHaveLength(1);
  });

  test('starts again from the first page with each iteration', async () => {
    const { client } = clientOf([...pages(), ...pages()]);
    const list = client.jobs.list();
    expect(await list.toArray()).toHaveLength(3);
    expect(await list.toArray()).toHaveLength(3);
  });
});

describe('waiting for an execution', () => {
  const execution = (status: string) => ({ execId: 'b', status });

  test('polls until it has ended', async () => {
    const { client } = clientOf([json(200, execution('running')), json(200, execution('failed'))]);
    expect(await client.executions.wait('a', 'b', { intervalMs: 1 })).toEqual(execution('failed'));
  });

  test('stops after the timeout', async () => {
    const { client } = clientOf([json(200, execution('running'))]);
    await expect(client.executions.wait('a', 'b', { timeoutMs: 10, intervalMs: 20 })).rejects.toThrow(
      'a/b is running after 10 ms',
    );
  });
});

test.each(['', 'api.test', 'ftp://api.test'])('%j is rejected as the URL of the API', (url) => {
  expect(() => new Quarterjack({ url })).toThrow(`url is ${JSON.stringify(url)}`);
});
