import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  url: string;
  /** Cuts what is still connected. */
  stop(): void;
}

/** A server on a free port of loopback. `backlog`: connections that may wait to be accepted, 511 unless said. */
export async function listenOnLoopback(listener: RequestListener, backlog?: number): Promise<LoopbackServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', backlog, resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * What the path of a target asks for: `/<answer>/<ms>` that status after so many milliseconds of work, `/flaky/<ms>` 503
 * to the first attempt and 200 to those after it.
 */
export function workAskedFor(path: string | undefined, attempt: number): { status: number; ms: number } {
  const [, answer, ms] = (path ?? '').split('/');
  return { status: answer === 'flaky' ? (attempt === 1 ? 503 : 200) : Number(answer), ms: Number(ms) };
}
