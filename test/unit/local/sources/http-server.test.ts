import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

import { listen } from '../../../../local/sources/http-server';

test('a request that arrives before the API is ready waits for it', async () => {
  const server = await listen(0);
  // Node sends the 100 Continue itself, as soon as it has received the headers.
  const early = request(server.url, { method: 'POST', headers: { expect: '100-continue' } });
  await once(early, 'continue');
  server.serve((_, response) => response.end('served'));
  early.end();
  const [reply] = (await once(early, 'response')) as [IncomingMessage];
  expect(await text(reply)).toBe('served');
  await server.stop();
});

test('a port in use is an error that names it', async () => {
  const server = await listen(0);
  const port = Number(new URL(server.url).port);
  await expect(listen(port)).rejects.toThrow(`port ${port} is in use`);
  await server.stop();
});
