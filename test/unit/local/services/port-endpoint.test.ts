import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';

import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';

import { callByMessages } from '../../../../local/invoke/calls-by-messages';
import type { AwsCall, AwsReply, AwsService } from '../../../../local/services/aws-call';
import { type AwsEndpoint, startAwsEndpoint } from '../../../../local/services/aws-endpoint';
import { Callers } from '../../../../local/services/callers';
import { portOpener } from '../../../../local/services/port-endpoint';

const PREFIX = 'Echo.';
const MEBIBYTE = 1_048_576;
const PATIENCE_MS = 10_000;

const callers = new Callers();
const errors: string[] = [];
let endpoint: AwsEndpoint;
let undo: (() => void) | undefined;
/** Calls that never have an answer. */
let hanging: AwsCall[] = [];
let onHanging = (): void => undefined;

const service: AwsService = {
  targetPrefix: PREFIX,
  queryVersion: '2010-01-01',
  operationOf: (method, path) => (path.startsWith('/echo') ? method : undefined),
  async call(call): Promise<AwsReply> {
    const { signal: _, ...seen } = call;
    if (seen.action === 'Fail') throw new Error('requested');
    if (seen.action === 'Hang') {
      hanging.push(call);
      onHanging();
      return new Promise(() => undefined);
    }
    const { connection: _connection, host: _host, ...headers } = seen.headers;
    const body = JSON.stringify({
      ...seen,
      headers,
      query: String(seen.query),
      body: seen.body.slice(0, 99),
    });
    const isBinary = seen.action === 'Bytes';
    return {
      status: isBinary ? 201 : 200,
      headers: { 'x-echo': '1' },
      body: isBinary ? Buffer.from(body) : body,
    };
  },
  permissions: () => [],
  denied: () => ({ status: 403, headers: {}, body: '' }),
  stop: async () => undefined,
};

beforeAll(async () => {
  endpoint = await startAwsEndpoint(callers, (line) => void errors.push(line));
  endpoint.serve(service);
});
beforeEach(() => {
  hanging = [];
  errors.length = 0;
});
afterEach(() => {
  undo?.();
  undo = undefined;
});
afterAll(() => endpoint.stop());

const { accessKeyId } = callers.issue({ logicalId: 'F', name: 'f', roleArn: 'arn:role' });
const byKey = (key: string) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=${key}/20261130/x/y/aws4_request`,
});

interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** As the SDK's handler asks. */
function requestOf({ method = 'POST', path = '/', headers = {} }: Sent): http.ClientRequest {
  const { hostname: host, port } = new URL(endpoint.url);
  return http.request({
    host,
    port: Number(port),
    method,
    path,
    headers: { ...byKey(accessKeyId), ...headers },
  });
}

const send = (sent: Sent) =>
  new Promise<object>((resolve, reject) => {
    const request = requestOf(sent);
    request.once('error', reject);
    request.once('response', (response) => {
      const { statusCode, headers } = response;
      const shown = {
        type: headers['content-type'],
        echo: headers['x-echo'],
        error: headers['x-amzn-errortype'],
      };
      text(response).then((body) => resolve({ statusCode, ...shown, body }), reject);
    });
    request.end(sent.body);
  });

const byMessages = (): void => void (undo = callByMessages(portOpener(endpoint.respond)(), endpoint.url));
const target = (action: string) => ({ 'X-Amz-Target': PREFIX + action, 'content-length': '1' });

const REQUESTS: [string, Sent][] = [
  ['of a JSON protocol', { headers: target('Call'), body: '1' }],
  ['with an answer in bytes', { headers: target('Bytes'), body: Buffer.from('ä').subarray(0, 1) }],
  ['that fails', { headers: target('Fail'), body: '1' }],
  [
    'of a form',
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '30' },
      body: 'Version=2010-01-01&Action=Form',
    },
  ],
  ['of a path', { method: 'GET', path: '/echo/a%20b?c=d&c=e' }],
  ['without a key', { headers: { authorization: 'none', ...target('Call') }, body: '1' }],
  ['by an unknown key', { headers: { ...byKey('ASIAUNKNOWN'), ...target('Call') }, body: '1' }],
  ['of no service', { headers: { 'x-amz-target': 'None.Call', 'content-length': '0' } }],
];

test.each(REQUESTS)('a request %s has the same answer by messages as by HTTP', async (_name, sent) => {
  const byHttp = await send(sent);
  byMessages();
  expect(await send(sent)).toEqual(byHttp);
});

test('a request of more than 16 MB is refused by both', async () => {
  const body = 'x'.repeat(16 * MEBIBYTE + 1);
  const headers = { 'x-amz-target': `${PREFIX}Call`, 'content-length': String(body.length) };
  const byHttp = await send({ headers, body });
  byMessages();
  expect(byHttp).toMatchObject({ statusCode: 413 });
  expect(await send({ headers, body })).toEqual(byHttp);
  const most = { ...headers, 'content-length': String(16 * MEBIBYTE) };
  expect(await send({ headers: most, body: body.slice(1) })).toMatchObject({ statusCode: 200 });
});

test('a header that HTTP cannot carry is an error before anything is sent', () => {
  const headers = { 'x-amz-name': 'a\nb' };
  expect(() => requestOf({ headers })).toThrow(/Invalid character in header/);
  byMessages();
  expect(() => requestOf({ headers })).toThrow(/Invalid character in header/);
});

describe('by messages', () => {
  beforeEach(() => {
    byMessages();
  });
  const hangs = () => new Promise<void>((resolve) => (onHanging = resolve));
  /** Rejects if it does not end: a test that waits for ever proves nothing. */
  const aborted = ({ signal }: AwsCall) =>
    once(signal, 'abort', { signal: AbortSignal.timeout(PATIENCE_MS) });

  test('a request that is given up ends its call, and its caller has an error', async () => {
    const began = hangs();
    const request = requestOf({ headers: target('Hang') });
    const failed = new Promise<Error>((resolve) => request.once('error', resolve));
    request.end('1');
    await began;
    const ended = aborted(hanging[0]!);
    request.destroy();
    await ended;
    expect(await failed).toMatchObject({ code: 'ECONNRESET' });
    expect(errors).toEqual([]);
  });

  test('the end of a thread ends its calls', async () => {
    const began = hangs();
    const port = portOpener(endpoint.respond)();
    const headers = { ...byKey(accessKeyId), 'x-amz-target': `${PREFIX}Hang` };
    const code = `
      const { message, port } = require('node:worker_threads').workerData;
      port.on('message', () => undefined).postMessage(message);
    `;
    const message = { id: 1, method: 'POST', url: '/', headers, body: '1' };
    const thread = new Worker(code, { eval: true, workerData: { message, port }, transferList: [port] });
    await began;
    const ended = aborted(hanging[0]!);
    await thread.terminate();
    await ended;
    expect(errors).toEqual([]);
  });

  test('answers come in the order in which they are ready', async () => {
    const began = hangs();
    requestOf({ headers: target('Hang') })
      .on('error', () => undefined)
      .end('1');
    await began;
    expect(await send({ headers: target('Call'), body: '1' })).toMatchObject({ statusCode: 200 });
  });

  test("the SDK's client calls by them, and its time-out ends a call", async () => {
    const ended: Promise<unknown>[] = [];
    endpoint.serve({
      ...service,
      targetPrefix: 'DynamoDB_20120810.',
      call: (call) => {
        ended.push(aborted(call));
        return new Promise(() => undefined);
      },
    });
    const client = new DynamoDBClient({
      ...{ endpoint: endpoint.url, region: 'us-east-1', credentials: callers.issue(), maxAttempts: 1 },
      requestHandler: { requestTimeout: 50, throwOnRequestTimeout: true, connectionTimeout: 1_000 },
    });
    await expect(client.send(new ListTablesCommand())).rejects.toThrow(/exceeded the configured 50 ms/);
    expect(ended).toHaveLength(1);
    await ended[0];
    client.destroy();
  });

  test('a call of a target, which passes a URL, takes a socket as before', async () => {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const request = http.request(new URL(endpoint.url), { method: 'POST' }, resolve);
      request.once('error', reject).end();
    });
    expect(response.statusCode).toBe(403);
    expect(response.socket.remotePort).toBe(Number(new URL(endpoint.url).port));
    response.resume();
  });
});
