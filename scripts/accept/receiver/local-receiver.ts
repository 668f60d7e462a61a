import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { receive } from './answer.cjs';
import type { Arrival, Receiver } from './receiver';

/** Serves the receiver on a free port of this machine, where targets of a local run may be. */
export async function startLocalReceiver(): Promise<Receiver & { stop(): Promise<void> }> {
  const all: Arrival[] = [];
  const server = createServer((request, response) => {
    const headers = request.headers as Record<string, string | undefined>;
    const { status, waitMs, arrival } = receive({ path: request.url ?? '/', headers, atMs: Date.now() });
    all.push(arrival);
    request.resume();
    void sleep(waitMs).then(() => response.writeHead(status).end('received'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals: (prefix) => Promise.resolve(all.filter(({ jobId }) => jobId.startsWith(prefix))),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
