import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { type Relay, startRelay } from '../../../../../cli/jobs-in-code/dev/relay';

let relay: Relay;
let server: Server;
beforeEach(async () => {
  relay = await startRelay();
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  relay.close();
  server.close();
  server.closeAllConnections();
});

const portOf = () => (server.address() as AddressInfo).port;

test('a delivery and its answer pass through with their headers', async () => {
  server.on('request', (request, response) => {
    void text(request).then((body) =>
      response
        .writeHead(422, { 'content-type': 'x/y', 'retry-after': '9' })
        .end(`${String(request.headers.sign)} ${body}`),
    );
  });
  relay.moveTo(portOf());
  const answer = await fetch(relay.url, { method: 'POST', body: 'raw', headers: { sign: 'a' } });
  expect([answer.status, await answer.text()]).toEqual([422, 'a raw']);
  expect(Object.fromEntries(answer.headers)).toMatchObject({ 'content-type': 'x/y', 'retry-after': '9' });
});

test('it has the port that it had before, unless something else has it', async () => {
  const { port } = relay;
  const other = await startRelay(port);
  expect(other.port).not.toBe(port);
  other.close();
  relay.close();
  relay = await startRelay(other.port);
  expect(relay.url).toBe(`http://127.0.0.1:${other.port}/`);
});

test('without a program, it may come again soon', async () => {
  const answer = await fetch(relay.url, { method: 'POST', body: 'raw' });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
});

test('of a program that ends meanwhile, it may come again soon', async () => {
  server.on('request', (request) => request.socket.destroy());
  relay.moveTo(portOf());
  expect((await fetch(relay.url)).status).toBe(503);
});

test('a caller that is gone leaves its program', async () => {
  const called = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  relay.moveTo(portOf());
  const caller = new AbortController();
  const answer = fetch(relay.url, { signal: caller.signal });
  const [, response] = await called;
  caller.abort();
  await expect(answer).rejects.toThrow('aborted');
  await once(response, 'close');
  expect(response.writableFinished).toBe(false);
});
