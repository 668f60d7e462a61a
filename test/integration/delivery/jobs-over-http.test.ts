import { EventEmitter, once } from 'node:events';
import { createServer, request, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import fastify from 'fastify';

import { defineJob, serve } from '../../../client/jobs-in-code';
import { CALL_SECRET, signedCall } from '../../support/signed-call';

/** It comes without types. */
const express = jest.requireActual<
  { raw(options: object): unknown; json(): unknown } & (() => RequestListener & {
    use(handler: unknown): void;
    post(path: string, ...handlers: unknown[]): void;
  })
>('express');

const happened = new EventEmitter();
const report = defineJob({ id: 'report', run: ({ payload }) => payload });
const long = defineJob({
  id: 'long',
  run: ({ signal }) =>
    new Promise((done) => {
      signal.addEventListener('abort', () => done(happened.emit('gone', signal.reason)));
      happened.emit('began');
    }),
});
const { node } = serve([report, long], { secret: CALL_SECRET });

/** What each of them listens with, and how it is closed. */
const SERVERS: Record<string, () => Promise<{ port: number; close(): unknown }>> = {
  'node:http': () => listening(createServer((incoming, response) => void node(incoming, response))),
  Express: () => {
    const app = express();
    app.post('/', node);
    return listening(createServer(app));
  },
  'Express with a raw body': () => {
    const app = express();
    app.post('/', express.raw({ type: '*/*' }), node);
    return listening(createServer(app));
  },
  Fastify: async () => {
    const app = fastify();
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.post('/', (incoming, reply) => node(incoming, reply));
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
  },
};

async function listening(server: Server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

describe.each(Object.keys(SERVERS))('behind %s', (name) => {
  let port: number;
  let close: () => unknown;
  beforeEach(async () => ({ port, close } = await SERVERS[name]!()));
  afterEach(() => close());

  const call = (body: string, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { ...headers, ...(body !== '' && { 'content-type': 'application/json' }) },
      ...(body !== '' && { body }),
    });

  test.each(['{ "region": "eu",  "text": "Grüße" }', ''])(
    'the body %j arrives as it was signed',
    async (body) => {
      const response = await call(body, signedCall(body));
      expect([response.status, await response.json()]).toEqual([200, body === '' ? {} : JSON.parse(body)]);
    },
  );

  test('a delivery that is not genuine is refused', async () => {
    expect((await call('{"a":1}', signedCall('{"a":2}'))).status).toBe(401);
  });

  test('the signal aborts when the caller is gone', async () => {
    const [began, gone] = [once(happened, 'began'), once(happened, 'gone')];
    const headers = signedCall('', { 'quarterjack-job': 'long' });
    const calling = request({ port, host: '127.0.0.1', method: 'POST', headers });
    calling.on('error', () => undefined);
    calling.end();
    await began;
    calling.destroy();
    expect(await gone).toMatchObject([{ message: 'the caller is gone' }]);
  });
});

test('a body that a framework has parsed is a fault of the program, and the answer says so', async () => {
  const app = express();
  app.use(express.json());
  app.post('/', node);
  jest.spyOn(console, 'error').mockImplementation();
  const { port, close } = await listening(createServer(app));
  const headers = { ...signedCall('{"a":1}'), 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: '{"a":1}' });
  expect([response.status, await response.text()]).toEqual([
    500,
    expect.stringContaining('the body must be raw'),
  ]);
  close();
});

test('a connection that breaks within the body harms nothing', async () => {
  let ended: Promise<void> | undefined;
  const server = createServer((incoming, response) => {
    ended = node(incoming, response);
  });
  const { port, close } = await listening(server);
  const arrived = once(server, 'request');
  const headers = { ...signedCall('{"a":1}'), 'content-length': '7' };
  const calling = request({ port, host: '127.0.0.1', method: 'POST', headers });
  calling.on('error', () => undefined);
  calling.write('{');
  await arrived;
  calling.destroy();
  await expect(ended).resolves.toBeUndefined();
  close();
});
