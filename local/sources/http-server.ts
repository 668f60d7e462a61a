import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { LocalRunError, messageOf } from '../run/errors';

/** On shutdown, running requests get this long to finish. */
const GRACE_MS = 3_000;
const CLOSE_IDLE_EVERY_MS = 20;
/** A client's next request must not meet an idle connection that is being closed. */
const KEPT_OPEN_MS = 600_000;

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The port of the HTTP API. It is opened first, because the template needs the port number, and served later.
 */
interface HttpServer {
  url: string;
  serve(listener: Listener): void;
  /** Stops accepting requests; running ones get three seconds to finish. May be called again. */
  stop(): Promise<void>;
}

/**
 * Listens on this machine, or on all addresses with `0.0.0.0`. Port 0 selects a free port. Throws a
 * `LocalRunError` if the port is in use.
 */
export async function listen(port: number, host = '127.0.0.1'): Promise<HttpServer> {
  const server = createServer({ keepAliveTimeout: KEPT_OPEN_MS });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new LocalRunError(
          error.code === 'EADDRINUSE'
            ? `port ${port} is in use; stop the process that uses it (another local run?), or choose another --port`
            : `cannot listen on port ${port}: ${messageOf(error)}`,
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  // Clients may already be waiting for the port. Their requests are held until they can be served.
  const held: Parameters<Listener>[] = [];
  let listener: Listener = (...exchange) => void held.push(exchange);
  server.on('request', (request, response) => listener(request, response));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(next) {
      listener = next;
      for (const exchange of held.splice(0)) next(...exchange);
    },
    stop: () =>
      new Promise((resolve) => {
        const closeAll = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        // Keep-alive connections would hold the server open after their last request.
        const closeIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
        server.close(() => {
          clearTimeout(closeAll);
          clearInterval(closeIdle);
          resolve();
        });
      }),
  };
}
