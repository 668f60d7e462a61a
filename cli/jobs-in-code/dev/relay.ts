import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as call,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the target of all jobs is, while the programs behind it come and go. */
export interface Relay {
  url: string;
  port: number;
  /** Deliveries go to this port of 127.0.0.1 from now on. Undefined: no program is there. */
  moveTo(port: number | undefined): void;
  close(): void;
}

const HERE = '127.0.0.1';
/** A new program is there soon. */
const RETRY_AFTER_SEC = '1';

/** `wanted` is the port that it has if nothing else has it. */
export async function startRelay(wanted = 0): Promise<Relay> {
  let port: number | undefined;
  const server = createServer((request, response) => {
    if (port === undefined) answerLater(response, 'no program serves the jobs now');
    else relay(request, response, port);
  });
  await listen(server, wanted);
  const own = (server.address() as AddressInfo).port;
  return {
    url: `http://${HERE}:${own}/`,
    port: own,
    moveTo: (next) => void (port = next),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, wanted: number): Promise<void> {
  try {
    await once(server.listen(wanted, HERE), 'listening');
  } catch (error) {
    if (wanted === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await listen(server, 0);
  }
}

function relay(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url, headers } = request;
  const onward = call({ host: HERE, port, method, path: url, headers, agent: false });
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else answerLater(response, 'the program that serves the jobs has ended');
  });
  response.on('close', () => onward.destroy());
  request.on('error', () => onward.destroy());
  request.pipe(onward);
}

const answerLater = (response: ServerResponse, why: string): void =>
  void response.writeHead(503, { 'retry-after': RETRY_AFTER_SEC, 'content-type': 'text/plain' }).end(why);
