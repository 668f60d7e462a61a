import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { TargetAt } from './jobs';

const HOUR_MS = 3_600_000;
const SIX_SECONDS_MS = 6_000;

/** Whether a due time is one of those for which `/odd` answers 503. */
const isOdd = ({ headers }: IncomingMessage): boolean => {
  const dueMs = Date.parse(String(headers['quarterjack-due']));
  return Math.floor(dueMs / HOUR_MS) % 5 === 2;
};

/** Some due times of a job that fires each six seconds fail for good, and others in their first attempt. */
function mixedStatus({ headers }: IncomingMessage): number {
  const nth = Math.floor(Date.parse(String(headers['quarterjack-due'])) / SIX_SECONDS_MS);
  const isFirst = headers['quarterjack-attempt'] === '1';
  return nth % 5 === 3 || (nth % 4 === 1 && isFirst) ? 503 : 200;
}

const statusOf = (asked: string, request: IncomingMessage): number => {
  if (asked === 'mixed') return mixedStatus(request);
  return asked === 'odd' ? (isOdd(request) ? 503 : 200) : Number(asked);
};

/** What the jobs of the pictures call. */
export async function startTarget(): Promise<{ at: TargetAt; stop(): void }> {
  const server = createServer((request, response) => {
    const [, asked = '200', ms = '5'] = (request.url ?? '').split('/');
    const status = statusOf(asked, request);
    const body = status === 200 ? '{"ok":true}' : '{"error":"upstream_unavailable","retry_after":120}';
    setTimeout(() => response.writeHead(status).end(body), Number(ms)).unref();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    at: (path) => ({ type: 'http', url: `http://127.0.0.1:${port}${path}` }),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
