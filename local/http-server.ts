import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { LocalRunError, messageOf } from './errors';

const GRACE_MS = 3_000;

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
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (listener) => void server.on('request', listener),
    stop: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
      }),
  };
}
