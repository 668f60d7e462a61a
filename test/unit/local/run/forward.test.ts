import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { parseForward, startForward } from '../../../../local/run/forward';

test('a request to the port arrives at the program elsewhere, with its body and its answer', async () => {
  const bodies: string[] = [];
  const app = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
    request.on('end', () => response.writeHead(202, { connection: 'close' }).end('taken'));
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  const { port: hostPort } = app.address() as AddressInfo;
  const forward = await startForward({ port: 0, host: '127.0.0.1', hostPort }, () => undefined);
  const answer = await fetch(`http://127.0.0.1:${forward.port}/hook`, { method: 'POST', body: 'hello' });
  expect([answer.status, await answer.text(), bodies.join('')]).toEqual([202, 'taken', 'hello']);
  await forward.stop();
  app.close();
});

test('a program that is not there is a line on the terminal, and a failed request', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port: hostPort } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, 'close');
  const lines: string[] = [];
  const forward = await startForward({ port: 0, host: '127.0.0.1', hostPort }, (line) => lines.push(line));
  await expect(fetch(`http://127.0.0.1:${forward.port}/`)).rejects.toThrow('fetch failed');
  expect(lines).toEqual([expect.stringContaining(`127.0.0.1:${hostPort}: connect ECONNREFUSED`)]);
  await forward.stop();
});

test.each([
  ['3000=app:3000', { port: 3_000, host: 'app', hostPort: 3_000 }],
  ['80=[fd00::1]:8080', { port: 80, host: 'fd00::1', hostPort: 8_080 }],
])('%s', (text, expected) => expect(parseForward(text)).toEqual(expected));

test.each(['3000', 'app:3000', '0=app:3000', '3000=app:99999', '3000=a b:1', '3000=app'])(
  '%j is refused',
  (text) => {
    expect(() => parseForward(text)).toThrow('expected PORT=HOST:PORT with ports from 1 to 65535');
  },
);
