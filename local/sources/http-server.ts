import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { LocalRunError, messageOf } from '../run/errors';

const GRACE_MS = 3_000;
const TIDY_MS = 20;

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** The HTTP API's port: taken first, since its number is part of what the template resolves to, and served later. */
export interface HttpServer {
  url: string;
  serve(listener: Listener): void;
  /** Takes no more requests; those under way have a few seconds to end. May be called again. */
  stop(): Promise<void>;
}

/** Listens on 127.0.0.1; port 0 takes a free one. Throws a `LocalRunError` where the port is taken. */
export async function listen(port: number): Promise<HttpServer> {
  const server: Server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new LocalRunError(
          error.code === 'EADDRINUSE'
            ? `port ${port} is in use; stop what listens there (another local run?), or choose another --port`
            : `cannot listen on port ${port}: ${messageOf(error)}`,
        ),
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  // A client may have been waiting for the port to open: its request is kept until it can be served.
  const early: Parameters<Listener>[] = [];
  let listener: Listener = (...exchange) => void early.push(exchange);
  server.on('request', (request, response) => listener(request, response));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(next) {
      listener = next;
      for (const exchange of early.splice(0)) next(...exchange);
    },
    stop: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        // A connection that is kept alive behind its last request would hold the server open.
        const tidy = setInterval(() => server.closeIdleConnections(), TIDY_MS);
        server.close(() => {
          clearTimeout(cut);
          clearInterval(tidy);
          resolve();
        });
      }),
  };
}
