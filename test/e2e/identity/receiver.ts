import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than two heartbeats of a lease. */
const SLOW_MS = 17_000;

type Answer = (status: number, headers?: Record<string, string>) => void;

/** A target whose path says what it does to the first call of a job; every later one succeeds. */
const FIRST_CALL: Record<string, (answer: Answer) => unknown> = {
  '/busy': (answer) => answer(503, { 'retry-after': '60' }),
  '/flaky': (answer) => answer(503),
  '/fatal': (answer) => answer(400),
  '/slow': async (answer) => {
    await sleep(SLOW_MS);
    answer(200);
  },
  '/never': () => undefined,
};

export interface Receiver {
  url: string;
  /** Calls that came for a job. */
  calls(jobId: string): number;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const jobId = String(request.headers['quarterjack-job']);
    const count = (counts.get(jobId) ?? 0) + 1;
    counts.set(jobId, count);
    const answer: Answer = (status, headers) => response.writeHead(status, headers).end();
    request.resume().on('end', () => void (count === 1 ? (FIRST_CALL[request.url ?? ''] ?? ok) : ok)(answer));
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

const ok = (answer: Answer): void => answer(200);
