import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer {
  /** `http://127.0.0.1:<port>`, or `https:`, without a slash at its end. */
  url: string;
  /** Cuts what is still connected. */
  stop(): void;
}

interface ServerOptions {
  /** Connections that may wait to be accepted. @default 511 */
  backlog?: number;
  /** Key and certificate, in PEM: the server speaks TLS. */
  identity?: { key: string; cert: string } | undefined;
  /** Certificates that a client has to prove one of, in PEM. Only with `identity`. */
  clients?: string | undefined;
}

/** A server on a free port of loopback. */
export async function listenOnLoopback(
  listener: RequestListener,
  { backlog, identity, clients }: ServerOptions = {},
): Promise<LoopbackServer> {
  const asked = clients === undefined ? {} : { ca: clients, requestCert: true };
  const server = identity ? createTlsServer({ ...identity, ...asked }, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', backlog, resolve));
  return {
    url: `${identity ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * How a target shall answer, by its path. `/<status>/<ms>`: that status after that many milliseconds.
 * `/flaky/<ms>`: 503 to the first attempt, 200 to later ones.
 */
export function workAskedFor(path: string | undefined, attempt: number): { status: number; ms: number } {
  const [, answer, ms] = (path ?? '').split('/');
  return { status: answer === 'flaky' ? (attempt === 1 ? 503 : 200) : Number(answer), ms: Number(ms) };
}
