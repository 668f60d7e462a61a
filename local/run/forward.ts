import { connect, createServer, type Socket } from 'node:net';

import { LocalRunError, messageOf } from './errors';

/** A port of this machine that leads to a program elsewhere, such as another container. */
export interface Forward {
  port: number;
  host: string;
  hostPort: number;
}

const FORWARD = /^(\d{1,5})=([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):(\d{1,5})$/;
const isPort = (port: number): boolean => port >= 1 && port <= 65_535;

/** Parses `3000=app:3000`. Throws a `LocalRunError` for any other text. */
export function parseForward(text: string): Forward {
  const [, port, host = '', hostPort] = FORWARD.exec(text) ?? [];
  const forward = { port: Number(port), host: host.replace(/[[\]]/g, ''), hostPort: Number(hostPort) };
  if (!isPort(forward.port) || !isPort(forward.hostPort))
    throw new LocalRunError(
      `--forward is ${JSON.stringify(text)}; expected PORT=HOST:PORT with ports from 1 to 65535, such as 3000=app:3000`,
    );
  return forward;
}

/**
 * Listens on 127.0.0.1 and passes each connection on. Targets of a local run may be this machine alone, and
 * reach another one this way. Throws a `LocalRunError` if the port is in use.
 */
export async function startForward(
  { port, host, hostPort }: Forward,
  onError: (line: string) => void,
): Promise<{ port: number; stop(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(hostPort, host);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(socket);
      socket.once('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    incoming.once('error', () => outgoing.destroy());
    outgoing.once('error', (error) => {
      onError(`--forward ${port}=${host}:${hostPort}: ${error.message}`);
      incoming.destroy();
    });
    incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new LocalRunError(`--forward cannot listen on port ${port}: ${messageOf(error)}`)),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
