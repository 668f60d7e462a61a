import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than two heartbeats of a lease. */
const SLOW_MS = 17_000;

type Respond = (status: number, headers?: Record<string, string>) => void;

/** The path selects the response to the first call of a job. Every later call succeeds. */
const FIRST_CALL: Record<string, (respond: Respond) => unknown> = {
  '/busy': (respond) => respond(503, { 'retry-after': '60' }),
  '/flaky': (respond) => respond(503),
  '/fatal': (respond) => respond(400),
  '/slow': async (respond) => {
    await sleep(SLOW_MS);
    respond(200);
  },
  '/never': () => undefined,
};

export interface Receiver {
  url: string;
  /** The number of calls for a job. */
  calls(jobId: string): number;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const jobId = String(request.headers['quarterjack-job']);
    const count = (counts.get(jobId) ?? 0) + 1;
    counts.set(jobId, count);
    const respond: Respond = (status, headers) => response.writeHead(status, headers).end();
    request
      .resume()
      .on('end', () => void (count === 1 ? (FIRST_CALL[request.url ?? ''] ?? ok) : ok)(respond));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: (jobId) => counts.get(jobId) ?? 0,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const ok = (respond: Respond): void => respond(200);
