import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { httpApi } from '../../../../local/sources/http-api';

const ROUTE = { routeKey: 'GET /rows', functionArn: 'arn:rows', timeoutMs: 5_000, authorizer: undefined };

test('a response waits until what it may tell of is on disk', async () => {
  const order: string[] = [];
  let isOnDisk = (): void => undefined;
  let isAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const api = httpApi(
    { id: 'api', stage: '$default', routes: [ROUTE] },
    {
      ...{ region: 'us-east-1', accountId: '000000000000', onError: (line) => void order.push(line) },
      clock: { nowMs: () => 7 },
      mayInvoke: () => true,
      async invoke() {
        order.push('invoked');
        return { ok: true, payload: '{"statusCode":201}' };
      },
      flushed() {
        isAsked();
        return new Promise((resolve) => (isOnDisk = () => resolve()));
      },
    },
  );
  const server = createServer(api);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const response = fetch(`http://127.0.0.1:${port}/rows`).then(({ status }) => order.push(`${status}`));
  await Promise.race([asked, response]);
  order.push('on disk');
  isOnDisk();
  await response;
  server.close();
  expect(order).toEqual(['invoked', 'on disk', '201']);
});
