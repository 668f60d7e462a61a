import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { callHttp } from '../../../../../lambdas/core/delivery/call/http';
import { NOT_KEPT, Redactor } from '../../../../../lambdas/core/delivery/secrets/redactor';
import type { HttpTarget } from '../../../../../lambdas/core/domain/target';

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

async function target(listener: RequestListener): Promise<HttpTarget> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return {
    type: 'http',
    url,
    method: 'POST',
    headers: {},
    timeout: '30s',
  };
}

const delivery = {
  body: Buffer.from('{"a":1}'),
  headers: { 'webhook-id': 'id-1', 'content-type': 'application/json' },
};
const settings = { policy: 'loopback' as const, nowMs: () => 0 };
const never = new AbortController().signal;

describe('what follows the kept part of a response', () => {
  const text = (bytes: number) => Array.from({ length: bytes }, (_, at) => String(at % 10)).join('');
  const answering = (status: number, body: string) =>
    target((_, response) => response.writeHead(status).end(body));

  test.each([
    [500, 2_048, undefined],
    [500, 2_050, { text: '89', isCut: false }],
    [404, 6_144, { text: text(6_144).slice(2_048), isCut: false }],
    [500, 6_145, { text: text(6_144).slice(2_048), isCut: true }],
    [200, 5_000, undefined],
  ])('with status %i and %i bytes', async (status, bytes, beyondBody) => {
    const answer = await callHttp(await answering(status, text(bytes)), delivery, never, settings);
    expect(answer.beyondBody).toEqual(beyondBody);
    expect(answer.body).toBe(text(bytes).slice(0, status === 200 ? 256 : 2_048));
  });

  test('is kept of a success with keepResponse, and no character is cut', async () => {
    const to = { ...(await answering(200, `${'x'.repeat(255)}ü!`)), keepResponse: true };
    expect(await callHttp(to, delivery, never, settings)).toMatchObject({
      body: 'x'.repeat(255),
      beyondBody: { text: 'ü!', isCut: false },
    });
  });

  test('shows no secret, also at the border', async () => {
    const redactor = new Redactor([{ name: 'crm', value: 'p4ssw0rd-of-the-crm' }]);
    const body = `first\n${'x'.repeat(2_035)}p4ssw0rd-of-the-crm\nlast`;
    const answer = await callHttp(await answering(500, body), delivery, never, settings, redactor);
    expect(answer.body).toBe(`first\n${NOT_KEPT}\nlast`);
    expect(answer.beyondBody).toBeUndefined();
  });

  test.each(['p4ssw0rd-of', 'guessed-gue'])('is cut where %j may go on as a secret', async (end) => {
    const redactor = new Redactor([{ name: 'crm', value: 'p4ssw0rd-of-the-crm' }]);
    const bytes = 2_048 + redactor.marginBytes;
    const to = await target((request, response) => {
      response.writeHead(400, { 'content-length': '9000' });
      response.write(text(bytes) + end, () => request.socket.destroy());
    });
    const answer = await callHttp(to, delivery, never, settings, redactor);
    expect(`${answer.body}${answer.beyondBody?.text}`).toBe(text(2_048 + end.length));
  });

  test('is what has come, if the connection breaks', async () => {
    const to = await target((request, response) => {
      response.writeHead(400, { 'content-length': '9000' });
      response.write(text(3_000), () => request.socket.destroy());
    });
    expect(await callHttp(to, delivery, never, settings)).toMatchObject({
      outcome: 'fatal',
      statusCode: 400,
    });
  });
});
