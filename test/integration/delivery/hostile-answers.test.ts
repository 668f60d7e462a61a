import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

import { callHttp } from '../../../lambdas/core/delivery/call/http';
import type { HttpTarget } from '../../../lambdas/core/domain/target';
import { eventually } from '../../support/eventually';
import { endlessly, every } from '../../support/hostile-sockets';

const servers: { server: Server; sockets: Set<Socket> }[] = [];
afterEach(() => {
  for (const { server, sockets } of servers.splice(0)) {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  }
});

/** A target that answers each request with what `answer` writes to the bare socket. */
async function target(answer: (socket: Socket) => void): Promise<{ to: HttpTarget; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // the caller hangs up
    socket.once('data', () => answer(socket));
  });
  servers.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { to: { type: 'http', url, method: 'POST', headers: {}, timeout: '1m' }, sockets };
}

const delivery = { body: Buffer.from('{}'), headers: {} };
const settings = { policy: 'loopback' as const, nowMs: () => 0 };
const LIMIT_MS = 1_000;
/** What `callHttp` says in 20 s: a test for calls that no abort ends. */
const call = (to: HttpTarget, signal: AbortSignal) =>
  Promise.race([
    callHttp(to, delivery, signal, settings),
    new Promise<string>((resolve) => setTimeout(resolve, 20_000, 'never settled').unref()),
  ]);
const never = new AbortController().signal;

/** A limit that begins with the answer: a busy machine may need long to get there. */
function limitOf(answer: (socket: Socket) => void) {
  const limit = new AbortController();
  const soon = () => void setTimeout(() => limit.abort(), LIMIT_MS);
  const answers = (socket: Socket) => {
    answer(socket);
    soon();
  };
  return { answers, soon, signal: limit.signal };
}

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\n';
test.each([
  ['with Upgrade', `${SWITCH}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`],
  ['without Upgrade', `${SWITCH}\r\n`],
  ['followed by bytes of another protocol', `${SWITCH}Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n\0\0\0`],
])('101 %s is fatal at once, and the connection is closed', async (_, text) => {
  const { to, sockets } = await target((socket) => socket.write(text));
  // Nothing else ends the call: the time-out of the target is longer than `call` waits.
  expect(await call(to, never)).toMatchObject({
    outcome: 'fatal',
    statusCode: 101,
    error: 'target answered 101',
  });
  const open = () => [...sockets].filter(({ readableEnded, destroyed }) => !readableEnded && !destroyed);
  expect(await eventually(open, ({ length }) => length === 0)).toEqual([]);
});

test.each(['100 Continue', '102 Processing', '103 Early Hints', '150 Whatever'])(
  'a flood of %s is cut long before the limit, and is retriable',
  async (status) => {
    const { to } = await target(endlessly(`HTTP/1.1 ${status}\r\n\r\n`.repeat(10)));
    expect(await call(to, never)).toEqual({
      outcome: 'retriable',
      error: 'target sent more than 20 interim responses (1xx)',
    });
  },
);

test('a few interim responses before the answer are ignored', async () => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n'.repeat(20);
  const { to } = await target((socket) =>
    socket.end(`${interim}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`),
  );
  expect(await call(to, never)).toMatchObject({ outcome: 'succeeded', statusCode: 200, body: 'ok' });
});

const OK = 'HTTP/1.1 200 OK\r\n';
test.each<[string, (socket: Socket) => void]>([
  ['says nothing and closes its half', (socket) => socket.end()],
  ['closes its half inside the status line', (socket) => socket.end('HTTP/1.')],
  ['closes its half inside the headers', (socket) => socket.end(`${OK}Content-Le`)],
  ['closes its half after interim responses', (socket) => socket.end('HTTP/1.1 103 Hints\r\n\r\n')],
  ['closes its half inside a body with a length', (s) => s.end(`${OK}Content-Length: 9\r\n\r\nhalf`)],
  ['closes its half inside a chunk', (s) => s.end(`${OK}Transfer-Encoding: chunked\r\n\r\n9\r\nhalf`)],
  ['resets the connection', (socket) => socket.resetAndDestroy()],
  [
    'resets it after the headers',
    (s) => s.write(`${OK}Content-Length: 9\r\n\r\n`, () => s.resetAndDestroy()),
  ],
  ['answers with another protocol', (socket) => socket.write('220 mail.example.com ESMTP\r\n')],
  ['answers with endless headers', endlessly(`X-More: ${'x'.repeat(1_000)}\r\n`, OK)],
  ['answers with an endless status line', endlessly('x'.repeat(1_000), 'HTTP/1.1 200 ')],
])('a target that %s is retriable, without waiting for the limit', async (_, answer) => {
  const { to } = await target(answer);
  expect(await call(to, never)).toMatchObject({ outcome: 'retriable', error: expect.any(String) });
});

const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const TWO = `${OK}Content-Length: 2\r\n`;
const at = (code: number, head = '') => `HTTP/1.1 ${code} X\r\n${head}`;
/** Complete responses, and what may come after them or before. */
const COMPLETE: [what: string, text: string, expected: object][] = [
  ['204 with a body', `${at(204)}Content-Length: 5\r\n\r\nhello`, { statusCode: 204 }],
  ['204 with chunks', `${at(204)}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`, { statusCode: 204 }],
  ['205 with a length of 0 and a body', `${at(205)}Content-Length: 0\r\n\r\nx`, { statusCode: 205 }],
  ['bytes after the length', `${TWO}\r\nok and more`, { body: 'ok' }],
  ['bytes after the length of a last response', `${TWO}Connection: close\r\n\r\nok<!-- -->`, { body: 'ok' }],
  ['bytes after a length of 0', `${OK}Content-Length: 0\r\n\r\n{"late":true}`, { statusCode: 200, body: '' }],
  ['binary bytes after the length', `${TWO}\r\nok\0\x01\r\n\r\n`, { body: 'ok' }],
  ['another response', `${TWO}\r\nok${at(500)}Content-Length: 0\r\n\r\n`, { statusCode: 200, body: 'ok' }],
  ['half of another response', `${TWO}\r\nokHTTP/1.1 2`, { body: 'ok' }],
  ['a line after the last chunk', `${CHUNKED}2\r\nok\r\n0\r\n\r\nSegmentation fault\n`, { body: 'ok' }],
  ['interim responses before', `${at(100)}\r\n${at(103)}\r\n${TWO}\r\nok${at(100)}\r\n`, { body: 'ok' }],
  ['HTTP/1.0 and bytes after the length', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok??', { body: 'ok' }],
  ['304 with a body', `${at(304)}Content-Length: 4\r\n\r\nbody`, { outcome: 'fatal', statusCode: 304 }],
  [
    '404 with bytes after it',
    `${at(404)}Content-Length: 2\r\n\r\nnovoid`,
    { outcome: 'fatal', statusCode: 404 },
  ],
  [
    '503 with bytes after it',
    `${at(503)}Content-Length: 2\r\n\r\nnovoid`,
    { outcome: 'retriable', statusCode: 503 },
  ],
];
const ENDS: [how: string, send: (socket: Socket, text: string) => void][] = [
  ['and stays open', (socket, text) => socket.write(text)],
  ['and closes', (socket, text) => socket.end(text)],
  ['and resets the connection', (socket, text) => socket.write(text, () => socket.resetAndDestroy())],
  [
    'byte by byte',
    (socket, text) => {
      socket.setNoDelay(true);
      for (const char of text) socket.write(char);
    },
  ],
];
test.each(ENDS.flatMap(([how, send]) => COMPLETE.map((one) => [how, send, ...one] as const)))(
  'a target that answers %s',
  async (_how, send, _what, text, expected) => {
    const { to } = await target((socket) => send(socket, text));
    expect(await call(to, never)).toMatchObject({ outcome: 'succeeded', ...expected });
  },
);

test.each<[phase: string, (url: string) => Partial<HttpTarget>, (socket: Socket) => void]>([
  ['name lookup', (url) => ({ url: url.replace('127.0.0.1', 'silent.localhost') }), () => undefined],
  ['TLS handshake', (url) => ({ url: url.replace('http:', 'https:') }), () => undefined],
  ['headers of the response', () => ({}), () => undefined],
  ['body of the response', () => ({}), (socket) => socket.write(`${TWO}\r\no`)],
])('a call that is aborted names its phase: %s', async (phase, change, answer) => {
  const { answers, soon, signal } = limitOf(answer);
  const { to } = await target(answers);
  const resolve = () => (soon(), new Promise<never>(() => undefined));
  expect(await callHttp({ ...to, ...change(to.url) }, delivery, signal, { ...settings, resolve })).toEqual({
    outcome: 'retriable',
    error: `call aborted, phase: ${phase}`,
    phase,
  });
});

test.each<[string, (socket: Socket) => void]>([
  ['is silent', () => undefined],
  ['is silent after the headers', (socket) => socket.write(`${OK}Content-Length: 9\r\n\r\n`)],
  ['trickles its headers', every(100, 'X-A: b\r\n', OK)],
  ['trickles one header', every(100, 'x', `${OK}X-A: `)],
  ['trickles its body', every(100, 'x', `${OK}Content-Length: 250\r\n\r\n`)],
  ['trickles empty lines', every(100, '\r\n')],
  ['trickles interim responses', every(100, 'HTTP/1.1 103 Hints\r\n\r\n')],
  ['trickles chunks', every(100, '1\r\nx\r\n', CHUNKED)],
  ['never ends a chunk extension', every(100, 'x=y;', `${CHUNKED}1;`)],
  ['never ends its trailers', every(100, 'X-A: b\r\n', `${CHUNKED}1\r\nx\r\n0\r\n`)],
])('a target that %s is ended by its limit', async (_, answer) => {
  const { answers, signal } = limitOf(answer);
  const { to } = await target(answers);
  expect(await call(to, signal)).toMatchObject({
    outcome: 'retriable',
    error: expect.stringMatching(/^call aborted, phase: (?:headers|body) of the response$/),
  });
});
