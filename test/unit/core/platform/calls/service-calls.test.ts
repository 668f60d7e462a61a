import { Readable } from 'node:stream';

import { DynamoDBClient, type DynamoDBClientConfig, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { HttpRequest } from '@smithy/core/protocols';
import { HttpResponse } from '@smithy/core/protocols';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';

import { isRetryable } from '../../../../../lambdas/core/is-retryable';
import { documentsOf } from '../../../../../lambdas/core/platform/calls/documents';
import { GetCommand, PutCommand } from '../../../../../lambdas/core/store/dynamo/commands';

type Reply = { status?: number; headers?: Record<string, string>; body?: string | Readable } | Error;

/** A client whose HTTP handler gives these replies in turn, the last one for ever, without waits. */
function clientWith(replies: Reply[], config: DynamoDBClientConfig = {}) {
  const requests: HttpRequest[] = [];
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'AK', secretAccessKey: 'secret' },
    retryStrategy: new ConfiguredRetryStrategy(3, 0),
    ...config,
    requestHandler: {
      handle: async (request: HttpRequest) => {
        requests.push(request);
        const reply = replies.length > 1 ? replies.shift()! : replies[0]!;
        if (reply instanceof Error) throw reply;
        const { status = 200, headers = {}, body = '{}' } = reply;
        const stream = typeof body === 'string' ? Readable.from([Buffer.from(body)]) : body;
        return { response: new HttpResponse({ statusCode: status, headers, body: stream }) };
      },
    } as never,
  });
  client.middlewareStack.remove('loggerMiddleware');
  return { client, documents: documentsOf(client), requests };
}

const put = new PutCommand({ TableName: 't', Item: { id: 'x' } });
const reset = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
const refusal = (name: string, status = 400, more: object = {}): Exclude<Reply, Error> => ({
  status,
  headers: { 'x-amzn-requestid': 'r-1' },
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'why', ...more }),
});
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error as Error & Record<string, never>,
  );

test('a request has rows in the notation of DynamoDB, and its answer plain ones', async () => {
  const { documents, requests } = clientWith([{ body: '{"Item":{"id":{"S":"x"},"n":{"N":"7"}}}' }]);
  const { Item } = await documents.send(
    new GetCommand({ TableName: 't', Key: { id: 'x' }, ConsistentRead: true }),
  );
  expect(Item).toEqual({ id: 'x', n: 7 });
  const [{ hostname, protocol, path, headers, body } = {} as HttpRequest] = requests;
  expect({ hostname, protocol, path }).toEqual({
    hostname: 'dynamodb.eu-central-1.amazonaws.com',
    protocol: 'https:',
    path: '/',
  });
  expect(headers['x-amz-target']).toBe('DynamoDB_20120810.GetItem');
  expect(headers['content-length']).toBe(String(Buffer.byteLength(body as string)));
  expect(JSON.parse(body as string)).toEqual({
    TableName: 't',
    Key: { id: { S: 'x' } },
    ConsistentRead: true,
  });
});

test.each<[string, Reply]>([
  ['a reset connection', reset()],
  ['a 500', refusal('InternalServerError', 500)],
  ['a proxy without JSON', { status: 503, body: '<html>busy</html>' }],
  ['a throttled table', refusal('ProvisionedThroughputExceededException')],
  [
    'an answer that breaks off',
    {
      body: new Readable({
        read() {
          this.destroy(reset());
        },
      }),
    },
  ],
])('after %s, the request is sent again', async (_, reply) => {
  const { documents, requests } = clientWith([reply, {}]);
  await documents.send(put);
  expect(requests).toHaveLength(2);
});

test('a condition that fails after a lost answer says how many tries there were', async () => {
  const failed = refusal('ConditionalCheckFailedException', 400, { Item: { id: { S: 'x' } } });
  const { documents } = clientWith([reset(), failed]);
  expect(await caught(documents.send(put))).toMatchObject({
    name: 'ConditionalCheckFailedException',
    Item: { id: { S: 'x' } },
    $metadata: { attempts: 2, httpStatusCode: 400, requestId: 'r-1' },
  });
});

test.each<[string, Reply]>([
  ['validation', refusal('ValidationException')],
  ['a conflict', refusal('TransactionConflictException')],
  ['no permission', refusal('AccessDeniedException')],
  ['an expired token', refusal('ExpiredTokenException', 403)],
  ['a throttle', refusal('ThrottlingException')],
  ['the service', refusal('InternalServerError', 500)],
  ['a status that says little', { status: 418, body: '' }],
  ['too many requests', { status: 429, body: '{}' }],
  ['the network', reset()],
  ['no host', Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })],
  ['a time-out', Object.assign(new Error('late'), { name: 'TimeoutError' })],
])('an error of %s is tried and classified as by the SDK', async (_, reply) => {
  const [ours, theirs] = [clientWith([reply]), clientWith([reply])];
  const error = await caught(ours.documents.send(put));
  const sdkError = await caught(
    theirs.client.send(new PutItemCommand({ TableName: 't', Item: { id: { S: 'x' } } })),
  );
  const facts = (one: Error & { $metadata?: { attempts?: number } }) => ({
    retryable: isRetryable(one),
    attempts: one.$metadata?.attempts,
  });
  expect([ours.requests.length, facts(error)]).toEqual([theirs.requests.length, facts(sdkError)]);
  if (sdkError.name !== 'UnknownError' && !/Unknown/.test(sdkError.name))
    expect(error.name).toBe(sdkError.name);
});

test('an abort ends the wait for the next try, and no request follows', async () => {
  const stop = new AbortController();
  const strategy = new ConfiguredRetryStrategy(3, () => {
    stop.abort();
    return 60_000;
  });
  const { documents, requests } = clientWith([refusal('ThrottlingException')], { retryStrategy: strategy });
  jest.useFakeTimers();
  const error = await caught(documents.send(put, { abortSignal: stop.signal }));
  jest.useRealTimers();
  expect(error.name).toBe('AbortError');
  await expect(documents.send(put, { abortSignal: stop.signal })).rejects.toThrow('aborted');
  expect(requests).toHaveLength(1);
});

test('a request that is held is signed at once, and leaves when it may; if it may not, it never leaves', async () => {
  let asked = 0;
  const credentials = async () => ({ accessKeyId: `AK${(asked += 1)}`, secretAccessKey: 'secret' });
  const { documents, requests } = clientWith([{}], { credentials });
  let leave = (): void => undefined;
  const kept = documents.send(put, { heldUntil: new Promise<void>((resolve) => (leave = resolve)) });
  const dropped = documents.send(put, { heldUntil: Promise.reject(new Error('too late')) });
  await expect(dropped).rejects.toThrow('too late');
  expect([asked, requests.length]).toEqual([1, 0]);
  leave();
  await kept;
  expect(requests).toHaveLength(1);
});

test('credentials that expire are replaced', async () => {
  let asked = 0;
  const { documents, requests } = clientWith([{}], {
    credentials: async () => ({
      accessKeyId: `AK${(asked += 1)}`,
      secretAccessKey: `secret-${asked}`,
      expiration: new Date(0),
    }),
  });
  await documents.send(put);
  await documents.send(put);
  const keys = requests.map(({ headers }) => /Credential=(AK\d+)/.exec(headers.authorization!)?.[1]);
  expect(new Set(keys).size).toBe(2);
});

test('a clock that is wrong is corrected by the answer that rejects the signature', async () => {
  const hourAhead = new Date(Date.now() + 3_600_000);
  const early = { ...refusal('InvalidSignatureException'), headers: { date: hourAhead.toUTCString() } };
  const { documents, requests } = clientWith([early, {}]);
  await documents.send(put);
  const [before, after] = requests.map(({ headers }) => headers['x-amz-date']!);
  const hour = hourAhead.toISOString().slice(0, 13).replaceAll('-', '');
  expect(before!.startsWith(hour)).toBe(false);
  expect(after!.startsWith(hour)).toBe(true);
});

test('the time of a response is not believed after the process was frozen', async () => {
  const sentAtMs = Date.parse('2026-03-01T10:00:00Z');
  const now = jest.spyOn(Date, 'now').mockReturnValue(sentAtMs);
  const late = new Readable({
    read() {
      now.mockReturnValue(sentAtMs + 20 * 60_000);
      this.push('{}');
      this.push(null);
    },
  });
  const { documents, requests } = clientWith([
    { headers: { date: new Date(sentAtMs).toUTCString() }, body: late },
    {},
  ]);
  await documents.send(put);
  await documents.send(put);
  expect(requests[1]!.headers['x-amz-date']).toBe('20260301T102000Z');
});

test('a request of an invocation names its trace, so that Lambda finds loops', async () => {
  process.env._X_AMZN_TRACE_ID = 'Root=1-2-3';
  const { documents, requests } = clientWith([{}]);
  await documents.send(put);
  delete process.env._X_AMZN_TRACE_ID;
  expect(requests[0]!.headers['x-amzn-trace-id']).toBe('Root=1-2-3');
});
