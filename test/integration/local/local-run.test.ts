import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import {
  GetQueueAttributesCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';

import { eventually } from '../../support/eventually';
import { Host } from '../../support/local/host';

const ASSEMBLY = join(__dirname, '../../support/local/assembly');

interface Row {
  id: string;
  receiveCount: number;
  atMs: number;
  sentAtMs: number;
  delaySec: number;
}

let host: Host;
let dataDir: string;
const start = () => Host.start({ port: 0, dataDir, assembly: ASSEMBLY });

const rows = async (pk: string): Promise<Row[]> => (await (await host.fetch(`/rows/${pk}`)).json()) as Row[];
const send = (...messages: { body: { id: string; kind?: string }; delaySec?: number }[]) =>
  host.fetch('/send', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(messages),
  });
const crash = (how: string) => host.fetch('/crash', { method: 'POST', headers: { how } });
const authorized = () => ({ authorization: `Bearer ${host.run.token}` });

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'quarterjack-test-'));
  host = await start();
});

afterAll(async () => {
  await host.stop();
  rmSync(dataDir, { recursive: true });
});

describe('messages', () => {
  test('a delayed message never arrives early, and arrives after one with a shorter delay', async () => {
    await send({ body: { id: 'later' }, delaySec: 2 }, { body: { id: 'sooner' }, delaySec: 1 });
    const [later] = await eventually(
      () => rows('later'),
      (found) => found.length === 1,
    );
    const [sooner] = await rows('sooner');
    for (const row of [sooner, later]) {
      const lateMs = (row?.atMs ?? 0) - (row?.sentAtMs ?? 0) - 1000 * (row?.delaySec ?? 0);
      expect(lateMs).toBeGreaterThanOrEqual(0);
    }
  });

  test('only a failed message of a batch is redelivered, until it moves to the dead-letter queue', async () => {
    await send({ body: { id: 'good' } }, { body: { id: 'bad', kind: 'fail' } });
    const dead = await eventually(
      () => rows('dead-letters'),
      (found) => found.length > 0,
    );
    expect(dead).toMatchObject([{ id: 'bad' }]);
    expect((await rows('bad')).map(({ receiveCount }) => receiveCount)).toEqual([1, 2]);
    expect((await rows('good')).map(({ receiveCount }) => receiveCount)).toEqual([1]);
  });

  test('a message whose consumer is killed is delivered again', async () => {
    await send({ body: { id: 'hung', kind: 'hang-once' } });
    await eventually(
      () => rows('hung'),
      (found) => found.length === 1,
    );
    expect(await host.killWorker('Consumer')).toBe(true);
    const found = await eventually(
      () => rows('hung'),
      (all) => all.length === 2,
    );
    expect(found.map(({ receiveCount }) => receiveCount)).toEqual([1, 2]);
    expect(host.errors).toContain('[Consumer]');
  });

  test('a delay of more than fifteen minutes is rejected, as by SQS', async () => {
    const reply = await send({ body: { id: 'far' }, delaySec: 901 }, { body: { id: 'near' }, delaySec: 900 });
    expect(await reply.json()).toEqual({ failed: ['InvalidParameterValue'] });
  });
});

describe('the AWS endpoint', () => {
  const sqs = () =>
    new SQSClient({
      endpoint: host.run.awsEndpointUrl,
      region: host.run.region,
      credentials: host.run.operator,
    });

  test('an aborted long poll takes no message from the next', async () => {
    const QueueUrl = host.run.queueUrls.Spare;
    const client = sqs();
    const poll = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 });
    await expect(client.send(poll, { abortSignal: AbortSignal.timeout(200) })).rejects.toThrow('aborted');
    const next = client.send(poll);
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hello' }));
    expect((await next).Messages).toMatchObject([{ Body: 'hello' }]);
    const counters = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
    expect((await client.send(counters)).Attributes).toMatchObject({
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '1',
      VisibilityTimeout: '30',
    });
    client.destroy();
  });

  test('an unknown access key is rejected', async () => {
    const client = new SQSClient({
      endpoint: host.run.awsEndpointUrl,
      region: host.run.region,
      credentials: { accessKeyId: 'ASIAUNKNOWN', secretAccessKey: 'x' },
    });
    await expect(client.send(new ListQueuesCommand())).rejects.toThrow(/security token .* is invalid/);
    client.destroy();
  });

  test('a call to an unsupported service is an error that names it', async () => {
    const reply = await fetch(host.run.awsEndpointUrl, {
      method: 'POST',
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=${host.run.operator.accessKeyId}/20261121/x/y/aws4_request`,
        'x-amz-target': 'AmazonSSM.GetParameter',
      },
    });
    expect([reply.status, await reply.text()]).toEqual([
      501,
      expect.stringContaining('AmazonSSM.GetParameter'),
    ]);
  });
});

describe('the HTTP API', () => {
  test('passes a request to the function in payload format 2.0', async () => {
    const reply = await host.fetch('/echo/a%20b?x=1&x=2', {
      method: 'POST',
      headers: { ...authorized(), 'content-type': 'application/x-www-form-urlencoded', 'X-Mixed': 'Yes' },
      body: 'a=b',
    });
    const { event, apiUrl } = (await reply.json()) as { event: object; apiUrl: string };
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'ANY /echo/{name}',
      rawPath: '/echo/a b',
      pathParameters: { name: 'a b' },
      queryStringParameters: { x: '1,2' },
      headers: { 'x-mixed': 'Yes' },
      body: Buffer.from('a=b').toString('base64'),
      isBase64Encoded: true,
      requestContext: {
        authorizer: { lambda: { caller: host.run.token, routeKey: 'ANY /echo/{name}' } },
        http: { method: 'POST' },
      },
    });
    expect(apiUrl).toBe(`${host.run.url}/`);
  });

  /** One request as it stands in `text`, and the first line and the body of its response. */
  const exchange = async (text: string | Buffer): Promise<[line: string, body: string]> => {
    const { hostname, port } = new URL(host.run.url);
    const socket = connect(Number(port), hostname);
    socket.write(text);
    const [head = '', ...body] = (await buffer(socket)).toString('utf8').split('\r\n\r\n');
    return [head.split('\r\n')[0]!, body.join('')];
  };
  const lines = (...given: string[]) => [...given, 'Connection: close', '', ''].join('\r\n');

  test('takes the whole URL as the target of a request, and one Host alone', async () => {
    const ok = 'HTTP/1.1 200 OK';
    const whole = 'GET http://proxy.example/v1/health HTTP/1.1';
    expect((await exchange(lines(whole, 'Host: a')))[0]).toBe(ok);
    expect((await exchange(lines('GET /v1/health HTTP/1.1', 'Host: a')))[0]).toBe(ok);
    const twice = lines('GET /v1/health HTTP/1.1', 'Host: a', 'Host: b');
    expect((await exchange(twice))[0]).toBe('HTTP/1.1 400 Bad Request');
  });

  test('passes bytes that are not UTF-8 as they are, whatever their type', async () => {
    const body = Buffer.from('{"name":"M\u00fcnchen"}', 'latin1');
    const headers = { ...authorized(), 'content-type': 'application/json' };
    const reply = await host.fetch('/echo/x', { method: 'POST', headers, body });
    const { event } = (await reply.json()) as { event: object };
    expect(event).toMatchObject({ body: body.toString('base64'), isBase64Encoded: true });
  });

  test('invokes the function with its own environment, not that of the process', async () => {
    const { env } = (await (await host.fetch('/echo/env', { headers: authorized() })).json()) as {
      env: string[];
    };
    expect(env).toEqual(expect.arrayContaining(['TABLE', 'AWS_LAMBDA_FUNCTION_NAME', 'AWS_ACCESS_KEY_ID']));
    expect(env).not.toContain('PATH');
  });

  test.each([
    ['no route', '/nowhere', {}, 404, 'Not Found'],
    ['no token', '/echo/x', {}, 401, 'Unauthorized'],
    ['an empty token', '/echo/x', { authorization: '' }, 401, 'Unauthorized'],
    ['a denied token', '/echo/x', { authorization: 'Bearer deny' }, 403, 'Forbidden'],
    ['an authorizer that fails', '/echo/x', { authorization: 'Bearer fail' }, 500, 'Internal Server Error'],
    ['an invalid result', '/echo/x', { authorization: 'Bearer odd' }, 500, 'Internal Server Error'],
  ])('answers a request with %s itself', async (_, path, headers, status, message) => {
    const reply = await host.fetch(path, { headers });
    expect([reply.status, await reply.json()]).toEqual([status, { message }]);
    expect(reply.headers.get('apigw-requestid')).toMatch(/./);
  });

  test('asks the authorizer once for each token, on whatever route it comes', async () => {
    const caller = async (path: string, token: string) => {
      const reply = await host.fetch(path, { headers: { authorization: `Bearer ${token}` } });
      const body = (await reply.json()) as Record<string, { requestContext: { authorizer: object } }>;
      return (body.event?.requestContext.authorizer ?? body) as { lambda: { caller: string; calls: number } };
    };
    const { lambda } = await caller('/caller', 'carol');
    expect(lambda).toMatchObject({ caller: 'carol', routeKey: 'GET /caller' });
    expect((await caller('/echo/x', 'carol')).lambda).toEqual(lambda);
    expect((await caller('/caller', 'dave')).lambda.calls).toBeGreaterThan(lambda.calls);
  });

  test('answers 413 to more than 10 MB', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1, 'x');
    const reply = await host.fetch('/send', { method: 'POST', body });
    expect([reply.status, reply.headers.get('apigw-requestid')]).toEqual([413, expect.stringMatching(/./)]);
  });

  test.each(['throw', 'exit', 'hang'])('answers 500 if the function fails by: %s', async (how) => {
    const reply = await crash(how);
    expect([reply.status, await reply.json()]).toEqual([500, { message: 'Internal Server Error' }]);
    expect((await host.fetch('/v1/health')).status).toBe(200);
  });
});

test('a schedule fires with its input', async () => {
  expect(
    await eventually(
      () => rows('ticks'),
      (found) => found.length > 0,
    ),
  ).toContainEqual({ kind: 'tick' });
});

test('tables and secrets survive a kill of the process, and the data directory can be opened again', async () => {
  const [secret] = await rows('secret');
  await send({ body: { id: 'kept' } });
  await eventually(
    () => rows('kept'),
    (found) => found.length === 1,
  );
  await expect(start()).rejects.toThrow(/is in use by another run \(process \d+\)/);
  await host.kill();
  host = await start();
  expect(await rows('kept')).toMatchObject([{ id: 'kept' }]);
  expect(await rows('secret')).toEqual([secret]);
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
});
